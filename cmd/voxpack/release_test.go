package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestReleaseOf(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	stamped := func(version, modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: hash}, {Key: "vcs.time", Value: "2026-11-23T05:02:26Z"}, {Key: "vcs.modified", Value: modified}}}
	}
	tests := []struct {
		name string
		said release
		info *debug.BuildInfo
		want string
	}{
		{"nothing is known", release{}, nil, "voxpack (devel)"},
		{"go run and go test know nothing", release{}, &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "voxpack (devel)"},
		{"the Go command stamps a checkout", release{}, stamped("v0.1.0", "false"), "voxpack v0.1.0, commit 0123456789ab of 2026-11-23"},
		{"with changes", release{}, stamped("v0.1.0+dirty", "true"), "voxpack v0.1.0+dirty, commit 0123456789ab with changes of 2026-11-23"},
		{"a commit without a version makes one", release{}, stamped("(devel)", "true"),
			"voxpack v0.0.0-20261123050226-0123456789ab+dirty, commit 0123456789ab with changes of 2026-11-23"},
		{"the builder knows better", release{Version: "v9.8.7", Commit: "feedfacefeedface", Date: "2027-01-02T03:04:05+01:00"}, stamped("v0.1.0", "true"),
			"voxpack v9.8.7, commit feedfacefeed of 2027-01-02"},
		{"the builder's commit with changes", release{Commit: hash + "-dirty", Date: "2027-01-02T00:30:00+01:00"}, nil,
			"voxpack v0.0.0-20270101233000-0123456789ab+dirty, commit 0123456789ab with changes of 2027-01-02"},
		{"a version alone", release{Version: "v9.8.7"}, nil, "voxpack v9.8.7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := releaseOf(tt.said, tt.info).String(); got != tt.want {
				t.Errorf("releaseOf(%+v) = %q, want %q", tt.said, got, tt.want)
			}
		})
	}
}

// TestLinkedRelease: the names of the variables are in the Makefile too.
func TestLinkedRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("links the program, which takes seconds")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	program := filepath.Join(t.TempDir(), "voxpack")
	link := exec.Command("make", "-s", "-C", "../..", "build", "BIN="+program, "VERSION=v9.8.7", "COMMIT=feedfacefeedface", "DATE=2027-01-02T03:04:05Z")
	if out, err := link.CombinedOutput(); err != nil {
		t.Fatalf("make build: %v\n%s", err, out)
	}
	out, err := exec.Command(program, "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var got release
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if want := (release{Version: "voxpack v9.8.7", Commit: "feedfacefeedface", Date: "2027-01-02T03:04:05Z"}); got != want {
		t.Errorf("version --json = %+v, want %+v", got, want)
	}
	out, err = exec.Command(program, "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "voxpack v9.8.7\n") {
		t.Errorf("--version = %q, %v", out, err)
	}
}
