package explain

import (
	"slices"
	"testing"
)

// TestShare: how many rows of each cause ran is said only where the build's count
// leaves no doubt.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		name       string
		ran        int
		rows, want []int
		left       int
	}{
		{"all ran", 5, []int{2, 3}, []int{2, 3}, 0},
		{"more than there are causes for", 7, []int{2, 3}, []int{2, 3}, 2},
		{"none ran", 0, []int{2, 3}, []int{0, 0}, 0},
		{"some of a single cause", 1, []int{3}, []int{1}, 0},
		{"some of two causes", 4, []int{2, 3}, []int{-1, -1}, 0},
		{"no cause", 2, nil, nil, 2},
	} {
		var causes []*cause
		for _, rows := range c.rows {
			causes = append(causes, &cause{StageReason: StageReason{Rows: rows}})
		}
		left := share(c.ran, causes)
		var got []int
		for _, have := range causes {
			got = append(got, have.Ran)
		}
		if left != c.left || !slices.Equal(got, c.want) {
			t.Errorf("%s: share(%d) = %v and %d left, want %v and %d", c.name, c.ran, got, left, c.want, c.left)
		}
	}
}
