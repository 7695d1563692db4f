//go:build !linux || !(amd64 || arm64) || nogpu

package nvml

import "fmt"

func open(string) (*library, error) {
	return nil, fmt.Errorf("%w: this build speaks to no GPU", ErrNone)
}

func invoke(uintptr, []uintptr) uintptr {
	panic("nvml: a call without a library") // open gives none here
}
