package config

import (
	"strings"

	"voxpack/internal/near"
)

// nearest is the known name closest to name, or "" when none is close: a third
// of the letters may differ, and two always. Capitals and - for _ are no
// difference.
func nearest(name string, known []string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	best, limit := "", max(2, len(name)/3)+1
	for _, k := range known {
		if d := near.Distance(name, strings.ReplaceAll(k, "-", "_"), limit-1); d < limit {
			best, limit = k, d
		}
	}
	return best
}
