package steptest

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// blocks are made-up counts.
func blocks(n int) map[string]int {
	m := map[string]int{}
	for i := range n {
		m[fmt.Sprint(i)] = 1
	}
	return m
}

// TestOneLookIsLinear: each block of grown runs once for each count.
func TestOneLookIsLinear(t *testing.T) {
	Linear(t, "voxpack/internal/steptest", 5_000, []string{"counts"}, func(_ *testing.T, _ string, size int) { grown(nil, blocks(size), few) })
}

// TestASquareIsNot: as many looks as there are counts are found, at their line.
func TestASquareIsNot(t *testing.T) {
	found := problems(t, "voxpack/internal/steptest", 100, []string{"counts"}, func(_ *testing.T, _ string, size int) {
		for range size {
			grown(nil, blocks(size), few)
		}
	})
	if os.Getenv(sizeVar) == "" && (len(found) == 0 || !strings.Contains(found[0], "steptest/linear.go:")) {
		t.Errorf("problems %q, want those of the loop of grown", found)
	}
}
