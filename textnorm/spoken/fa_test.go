package spoken_test

import (
	"testing"

	"voxpack/textnorm/spoken"
)

// readPersian says a Persian text.
func readPersian(text string) string {
	out, _ := spoken.Persian{}.Read(nil, text, false)
	return string(out)
}

// TestPersianSet: the reviewed set, of which every wrong row is logged.
func TestPersianSet(t *testing.T) {
	right, rows := score(t, "fa.tsv", func(_, text string) string { return readPersian(text) })
	if share := float64(right) / float64(rows); share < 0.97 {
		t.Errorf("%d of %d rows are right (%.2f %%), want 97 %%", right, rows, 100*share)
	}
}
