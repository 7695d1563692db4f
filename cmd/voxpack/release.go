package main

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/term"
)

// What the builder of the program says of it, by -ldflags "-X main.version=v1.2.3
// -X main.commit=… -X main.date=…"; make build and make wheel ask git. What is
// empty is taken from what the Go command wrote into the program.
var version, commit, date string

// release says which program this is.
type release struct {
	Version  string `json:"version"`            // "voxpack v1.2.3"
	Commit   string `json:"commit,omitempty"`   // in hex
	Date     string `json:"date,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // it holds changes that are in no commit
}

// String is the version and, where it is known, the commit.
func (r release) String() string {
	s := r.Version
	if r.Commit != "" {
		s += ", commit " + term.Short(r.Commit)
		if r.Modified {
			s += " with changes"
		}
		if day, _, ok := strings.Cut(r.Date, "T"); ok {
			s += " of " + day
		}
	}
	return s
}

// thisRelease is this program.
func thisRelease() release {
	info, _ := debug.ReadBuildInfo()
	return releaseOf(release{Version: version, Commit: commit, Date: date}, info)
}

// releaseOf completes what the builder said with what the Go command wrote, which
// may be nil. Without a version the commit makes one, in the form that the Go
// command gives it: v0.0.0-20261231235959-0123456789ab. Only a program of which
// nothing is known is "(devel)".
func releaseOf(said release, info *debug.BuildInfo) release {
	r := said
	if info != nil {
		if of := info.Main.Version; r.Version == "" && of != "(devel)" {
			r.Version = of
		}
		if r.Commit == "" {
			r.Commit, r.Date = setting(info, "vcs.revision"), setting(info, "vcs.time")
			r.Modified = setting(info, "vcs.modified") == "true"
		}
	}
	if clean, dirty := strings.CutSuffix(r.Commit, "-dirty"); dirty { // as git describe writes it
		r.Commit, r.Modified = clean, true
	}
	if at, err := time.Parse(time.RFC3339, r.Date); r.Version == "" && r.Commit != "" && err == nil {
		r.Version = fmt.Sprintf("v0.0.0-%s-%s", at.UTC().Format("20060102150405"), term.Short(r.Commit))
		if r.Modified {
			r.Version += "+dirty"
		}
	}
	r.Version = "voxpack " + cmp.Or(r.Version, "(devel)")
	return r
}

// setting is what the Go command wrote under a key; "" where it wrote nothing.
func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// toolVersion is the program's name and version, as snapshots and run records keep it.
func toolVersion() string { return thisRelease().Version }
