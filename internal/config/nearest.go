package config

import "strings"

// nearest is the known name closest to name, or "" when none is close: a third
// of the letters may differ, and two always. Capitals and - for _ are no
// difference.
func nearest(name string, known []string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	best, limit := "", max(2, len(name)/3)+1
	for _, k := range known {
		if d := distance(name, strings.ReplaceAll(k, "-", "_")); d < limit {
			best, limit = k, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap with the
// next one (optimal string alignment). Both are short: b is a name of the
// table, and a longer than 64 bytes is far from all of them.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	var older []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], older[j-2]+1)
			}
		}
		older, row = row, next
	}
	return row[len(b)]
}
