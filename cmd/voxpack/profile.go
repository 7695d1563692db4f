package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/pprof"

	"voxpack/cmd/voxpack/internal/term"
)

// The files that profiles of a command go to, for go tool pprof.
const (
	cpuProfileVariable = "VOXPACK_CPUPROFILE"
	memProfileVariable = "VOXPACK_MEMPROFILE"
)

// startProfiles begins the profiles that the environment asks for. end writes
// them; it may be called once. Environment variables and no flags, so that every
// command has them, those that a script or a trainer starts too.
func startProfiles(getenv func(string) string) (end func() error, err error) {
	var ends []func() error
	if path := getenv(cpuProfileVariable); path != "" {
		f, err := os.Create(path)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			return nil, term.Usagef("%s: %w", cpuProfileVariable, err)
		}
		ends = append(ends, func() error {
			pprof.StopCPUProfile()
			return f.Close()
		})
	}
	if path := getenv(memProfileVariable); path != "" {
		f, err := os.Create(path) // now, so that a wrong path is not found out after hours
		if err != nil {
			pprof.StopCPUProfile()
			return nil, term.Usagef("%s: %w", memProfileVariable, err)
		}
		ends = append(ends, func() error {
			runtime.GC() // what is in use is counted at the last collection
			return errors.Join(pprof.WriteHeapProfile(f), f.Close())
		})
	}
	return func() error {
		var errs []error
		for _, end := range ends {
			errs = append(errs, end())
		}
		return errors.Join(errs...)
	}, nil
}
