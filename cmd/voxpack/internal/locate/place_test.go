package locate

import (
	"strings"
	"testing"
)

func TestSplitArgs(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name  string
		args  []string
		dash  int
		where string
		ids   []string
	}{
		{"a folder is a place", []string{dir, "a", "b"}, -1, dir, []string{"a", "b"}},
		{"with a ref too", []string{dir + "@v1", "a"}, -1, dir + "@v1", []string{"a"}},
		{"a ref alone is one of the nearest store", []string{"@v1"}, -1, "@v1", nil},
		{"anything else is an id", []string{"a"}, -1, "", []string{"a"}},
		{"an id may have an @", []string{"me@home"}, -1, "", []string{"me@home"}},
		{"behind -- all are ids", []string{dir, "a"}, 0, "", []string{dir, "a"}},
		{"in front of -- is a place", []string{"store", "-a"}, 1, "store", []string{"-a"}},
		{"nothing is nothing", nil, -1, "", nil},
	}
	for _, tt := range tests {
		where, ids := SplitArgs(tt.args, tt.dash)
		if where != tt.where || strings.Join(ids, " ") != strings.Join(tt.ids, " ") {
			t.Errorf("%s: splitArgs(%q, %d) = %q, %q, want %q, %q", tt.name, tt.args, tt.dash, where, ids, tt.where, tt.ids)
		}
	}
}
