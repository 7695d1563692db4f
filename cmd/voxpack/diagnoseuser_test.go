//go:build linux && (amd64 || arm64) && !nogpu

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiagnoseOfAStoreThatIsAnothers: what this user may not read costs its own
// answers; sources and machine are told, and nothing passes for damage.
func TestDiagnoseOfAStoreThatIsAnothers(t *testing.T) {
	t.Parallel()
	program, dataset := sharedPlace(t)
	if out, err := asUser(program, 61001, "077", "build", dataset, "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, tt := range []struct {
		name    string
		closed  string // folder that only its owner may read
		sources bool
	}{
		{"a store", filepath.Join(dataset, ".voxpack"), true},
		{"a dataset", dataset, false},
	} {
		if err := os.Chmod(tt.closed, 0o700); err != nil {
			t.Fatal(err)
		}
		got, code := diagnosedBy(t, asUser(program, 61002, "002", "diagnose", dataset, "-q", "--json"))
		if code != 0 || len(got.Findings) > 0 || got.Store != nil || got.Devices == nil || (got.Speed != nil) != tt.sources {
			t.Errorf("%s: code %d, %+v", tt.name, code, got)
		}
		denied := 0
		for _, u := range got.Unseen {
			if u.What == "store" && strings.Contains(u.Text, "permission denied") {
				denied++
			}
		}
		if denied != 1 {
			t.Errorf("%s: %d times that the store may not be read, want once: %+v", tt.name, denied, got.Unseen)
		}
	}
}
