//go:build !linux || !(amd64 || arm64) || nogpu

package cuda

import (
	"errors"
	"strings"
	"testing"

	"voxpack/gpufeed/driver"
)

func TestLoadSaysWhy(t *testing.T) {
	d, err := Load("")
	if d != nil || !errors.Is(err, driver.ErrNoDriver) {
		t.Fatalf("Load = %v, %v, want nil and driver.ErrNoDriver", d, err)
	}
	if !strings.Contains(err.Error(), "nogpu") && !strings.Contains(err.Error(), "Linux") {
		t.Errorf("Load = %q, want it to say why", err)
	}
}
