package main

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/compiler"
	"voxpack/internal/config"
)

func TestNumbersForPeople(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"three digits stand together", commas(999), "999"},
		{"a comma between groups of three", commas(1234567), "1,234,567"},
		{"the sign is no digit", commas(-123456), "-123,456"},
		{"one is singular", count(1, "row"), "1 row"},
		{"none is plural", count(0, "row"), "0 rows"},
		{"bytes as they are", size(999), "999 bytes"},
		{"powers of ten", size(2_560_000), "2.6 MB"},
		{"gigabytes with two decimals", size(3_353_600_000), "3.35 GB"},
		{"milliseconds", took(62 * time.Millisecond), "62 ms"},
		{"seconds", took(3100 * time.Millisecond), "3.1 s"},
		{"minutes", took(250 * time.Second), "4 min 10 s"},
		{"a day of speech", clock(86_772), "24:06:12"},
		{"a tick without needless decimals", label(1500, 500), "1500"},
		{"a tick with those of its step", label(0.30000000000000004, 0.1), "0.3"},
		{"no negative zero", label(-1e-17, 0.5), "0.0"},
		{"a plain path needs no quotes", quoted("a/b-c.d"), "a/b-c.d"},
		{"a path with spaces does", quoted("it's a"), `'it'\''s a'`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

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
		if got := nearIDs(ids, tt.id); !slices.Equal(got, tt.want) {
			t.Errorf("%s: nearIDs(%q) = %q, want %q", tt.name, tt.id, got, tt.want)
		}
	}
}

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
		where, ids := splitArgs(tt.args, tt.dash)
		if where != tt.where || strings.Join(ids, " ") != strings.Join(tt.ids, " ") {
			t.Errorf("%s: splitArgs(%q, %d) = %q, %q, want %q, %q", tt.name, tt.args, tt.dash, where, ids, tt.where, tt.ids)
		}
	}
}

// Equal steps of the value are equal steps of lightness, within what eight bits
// of a channel allow.
func TestColourMapIsEven(t *testing.T) {
	const steps = 64
	last, least, most := -1.0, math.Inf(1), 0.0
	for i := range steps + 1 {
		c := colourAt(float64(i) / steps)
		l := lightnessOf(c.R, c.G, c.B)
		if i > 0 {
			least, most = min(least, l-last), max(most, l-last)
		}
		last = l
	}
	if least < 0.4*(0.84/steps) || most > 1.8*(0.84/steps) {
		t.Errorf("steps of lightness from %.4f to %.4f, want all near %.4f", least, most, 0.84/steps)
	}
}

// lightnessOf is OKLab's L of an sRGB colour.
func lightnessOf(r, g, b uint8) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	x, y, z := linear(r), linear(g), linear(b)
	l := math.Cbrt(0.4122214708*x + 0.5363325363*y + 0.0514459929*z)
	m := math.Cbrt(0.2119034982*x + 0.6806995451*y + 0.1073969566*z)
	s := math.Cbrt(0.0883024619*x + 0.2817188376*y + 0.6299787005*z)
	return 0.2104542553*l + 0.7936177850*m - 0.0040720468*s
}

func TestNiceStepIsTheSmallestThatFits(t *testing.T) {
	for _, span := range []float64{0.07, 1.9, 12.2, 80, 163, 800, 12_000} {
		for most := 1; most < 20; most++ {
			step := niceStep(span, most)
			if span/step > float64(most) {
				t.Errorf("niceStep(%v, %d) = %v: %v steps", span, most, step, span/step)
			}
			if smaller := step / 2.5; span/smaller <= float64(most) {
				t.Errorf("niceStep(%v, %d) = %v, but %v fits", span, most, step, smaller)
			}
		}
	}
}

func TestDefaultsTranslate(t *testing.T) {
	c, problems := translate(config.Default(), nil)
	if len(problems) > 0 {
		t.Errorf("problems with the defaults: %v", problems)
	}
	if c.SampleRate != 22050 || c.Mel.NMels != 80 || c.Shape.MaxMelFrames != 800 || c.Shape.Overlong != compiler.OverlongReject || c.PerShard != 16 {
		t.Errorf("defaults came out as %+v", c)
	}
}

func TestSummaryIsAtMostElevenLines(t *testing.T) {
	r := &compiler.Report{Dataset: "d", Rows: compiler.RowCounts{Total: 9, Kept: 5, Rejected: 4, Noted: 5},
		Rejections:  []compiler.RejectedRow{{Stage: "mel"}, {Stage: "text"}, {Stage: "mel"}, {Stage: "metadata"}},
		Suggestions: []compiler.Suggestion{{Key: "max_mel_frames", Value: 856, Keeps: 7}}}
	for i := range 30 {
		r.Notes = append(r.Notes, compiler.NoteCount{Stage: "tokens", Kind: "unknown-character", Detail: "U+2603", Rows: uint64(i + 1), Count: 50, Examples: []string{"a", "b", "c", "d"}})
	}
	lines := summary(r)
	if len(lines) != 11 {
		t.Errorf("%d lines, want 11:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for _, want := range []string{
		"9 rows: 5 kept (5 with notes), 4 rejected (44.4 %): metadata 1, text 1, mel 2",
		"hint     max_mel_frames 856 keeps 7 of 9",
		`note     tokens: unknown-character U+2603 "☃" in 30 rows, 50 times (a, b, c, …)`,
		"note     and 27 more kinds: voxpack show",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in:\n%s", want, strings.Join(lines, "\n"))
		}
	}
}
