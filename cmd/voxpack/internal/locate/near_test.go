package locate

import (
	"slices"
	"testing"
)

func TestNearIDs(t *testing.T) {
	ids := []string{"LJ001-0001", "LJ001-0002", "LJ001-0012", "LJ002-0001", "other", "x"}
	tests := []struct {
		name, id string
		want     []string
	}{
		{"one letter off comes first", "LJ001-0011", []string{"LJ001-0001", "LJ001-0012", "LJ001-0002"}},
		{"nothing near", "completely-else", nil},
		{"a short id has little room", "y", []string{"x"}},
	}
	for _, tt := range tests {
		if got := Near(ids, tt.id); !slices.Equal(got, tt.want) {
			t.Errorf("%s: nearIDs(%q) = %q, want %q", tt.name, tt.id, got, tt.want)
		}
	}
}
