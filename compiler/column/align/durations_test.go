package align

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// tierOf is a tier of a text: times and names by turns, as in "0 sil 0.5 a 1".
func tierOf(s string) *Tier {
	t := &Tier{Name: "phones"}
	f := strings.Fields(s)
	for n := 0; n+2 < len(f); n += 2 {
		var i Interval
		fmt.Sscan(f[n]+" "+f[n+2], &i.Start, &i.End)
		i.Text = strings.TrimSpace(strings.ReplaceAll(f[n+1], "_", " "))
		t.Intervals = append(t.Intervals, i)
	}
	return t
}

// TestDurations: the frame of a time is round(time × rate / hop), a half to the even.
// With 100 samples a second and 10 a frame, a frame has 0.1 s.
func TestDurations(t *testing.T) {
	for _, tt := range []struct {
		name, tier string
		frames     int
		trim       bool
		want       string
	}{
		{"boundaries are shared", "0 a 0.31 b 0.49 c 1", 10, false, "{[a b c] [3 2 5] 0}"},
		{"a half goes to the even", "0 a 0.25 b 0.75 c 1", 10, false, "{[a b c] [2 6 2] 0}"},
		{"a phone may have no frame", "0 a 0.51 b 0.53 c 1", 10, false, "{[a b c] [5 0 5] 0}"},
		{"the clip has a frame more", "0 a 0.5 b 1", 11, false, "{[a b] [5 6] 0}"},
		{"two more", "0 a 0.5 b 1", 12, false, "{[a b] [5 7] 0}"},
		{"two less", "0 a 0.5 b 1", 8, false, "{[a b] [5 3] 0}"},
		{"silences are phones", "0 _ 0.2 a 0.5 sp 1", 10, false, "{[ a sp] [2 3 5] 0}"},
		{"silences at both ends left out", "0 _ 0.1 sil 0.2 a 0.5 sp 0.6 b 0.7 spn 1", 11, true, "{[a sp b] [3 1 1] 2}"},
		{"a difference goes to a silence that is left out", "0 a 0.5 sp 1", 12, true, "{[a] [5] 0}"},
	} {
		d, err := tierOf(tt.tier).Durations(Frames{Rate: 100, Hop: 10, Count: tt.frames, Trim: tt.trim}, 1)
		if got := fmt.Sprint(d); err != nil || got != tt.want {
			t.Errorf("%s: %s %v, want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestDurationsWithGaps: what no interval covers is a silence, unless it is less than
// half a frame; the end of a clip too, where the file does not say it.
func TestDurationsWithGaps(t *testing.T) {
	tier := &Tier{Intervals: []Interval{{0.2, 0.549, "a"}, {0.551, 0.8, "b"}, {0.98, 1.2, "c"}}}
	f := Frames{Rate: 100, Hop: 10, Count: 20}
	if d, err := tier.Durations(f, 0); err != nil || fmt.Sprint(d) != "{[ a b  c ] [2 3 3 2 2 8] 0}" {
		t.Errorf("%v %v", d, err)
	}
	var mismatch *MismatchError
	if d, err := tier.Durations(f, 1.2); !errors.As(err, &mismatch) || *mismatch != (MismatchError{12, 20}) {
		t.Errorf("a file that says where the clip ends: %v %v", d, err)
	}
}

// TestDurationsRefused: what is no alignment of the clip.
func TestDurationsRefused(t *testing.T) {
	for _, tt := range []struct {
		name, tier string
		frames     int
		trim       bool
		why        string
	}{
		{"three frames more", "0 a 0.5 b 1", 13, false, "ends at frame 10, the clip has 13"},
		{"three frames less", "0 a 0.5 b 1", 7, false, "ends at frame 10, the clip has 7"},
		{"less than the last phone has", "0 a 0.9 b 1", 8, false, "ends at frame 10, the clip has 8"},
		{"no intervals", "", 1, false, "no intervals"},
		{"nobody speaks", "0 sil 0.5 _ 1", 10, true, "silent from end to end"},
		{"a time without end", "0 a 1e300", 10, false, "1e+300 seconds"},
	} {
		if d, err := tierOf(tt.tier).Durations(Frames{Rate: 100, Hop: 10, Count: tt.frames, Trim: tt.trim}, 1); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v %v, want %q in it", tt.name, d, err, tt.why)
		}
	}
	over := &Tier{Intervals: []Interval{{0, 0.5, "a"}, {0.4, 1, "b"}}}
	if d, err := over.Durations(Frames{Rate: 100, Hop: 10, Count: 10}, 1); err == nil || !strings.Contains(err.Error(), `"b" begins at 0.4`) {
		t.Errorf("one over the other: %v %v", d, err)
	}
	if d, err := (&Tier{Points: true}).Durations(Frames{Rate: 100, Hop: 10}, 1); err == nil {
		t.Errorf("points: %v", d)
	}
}

// fuzzDurations: a sum is that of the clip, and no phone has less than nothing.
func fuzzDurations(t *testing.T, tier *Tier, end float64) {
	f := Frames{Rate: 22050, Hop: 256, Count: int(min(max(end, 0), 1e6) * 22050 / 256)}
	d, err := tier.Durations(f, end)
	if err != nil {
		return
	}
	sum := 0
	for _, n := range d.Frames {
		if sum += n; n < 0 {
			t.Fatalf("a phone of %d frames in %v", n, d)
		}
	}
	if sum != f.Count || len(d.Phones) != len(d.Frames) {
		t.Fatalf("%d frames of %d in %v", sum, f.Count, d)
	}
}

// TestCTM: recordings by name, their marks in the order of time.
func TestCTM(t *testing.T) {
	all, err := ReadCTM([]byte(";; a comment\nu1 1 0.50 0.25 b 0.9\nu2 A 0.0 1 w lex spk\n\nu1 1 0.00 0.50 a\n"))
	if err != nil || len(all) != 2 {
		t.Fatalf("%v %v", all, err)
	}
	if got := fmt.Sprint(all["u1"], all["u2"]); got != "&{0 [{ false [{0 0.5 a} {0.5 0.75 b}]}]} &{0 [{ false [{0 1 w}]}]}" {
		t.Errorf("%s", got)
	}
	for s, why := range map[string]string{
		"u 1 0.5 0.5": "line 1: it has 4 words", "u 1 0 1 a\nu 2 0 1 b": "line 2: u has channels 1 and 2", "u 1 * * <ALT_BEGIN>": "no start", "u 1 0 -1 a": "from 0 to -1", "u 1 NaN 1 a": "from NaN", "\xff": "UTF-8",
	} {
		if _, err := ReadCTM([]byte(s)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q in it", s, err, why)
		}
	}
}

// TestJSON: tiers by name and in a list.
func TestJSON(t *testing.T) {
	for s, want := range map[string]string{
		`{"start": 0, "end": 1.5, "tiers": {"words": {"type": "interval", "entries": [[0.0, 1.5, "a"]]}, "phones": {"type": "interval", "entries": []}}}`: "&{1.5 [{phones false []} {words false [{0 1.5 a}]}]}",
		`{"xmin": 0, "xmax": 2, "tiers": [{"class": "TextTier", "name": "p", "xmin": 0, "xmax": 2, "entries": [[1, "x"]]}]}`:                              "&{2 [{p true [{1 1 x}]}]}",
	} {
		if a, err := ReadJSON([]byte(s)); err != nil || fmt.Sprint(a) != want {
			t.Errorf("%s: %v %v, want %s", s, a, err, want)
		}
	}
	for _, s := range []string{`[]`, `{}`, `{"tiers": {}}`, `{"tiers": 3}`, `{"tiers": {"a": {"entries": [[1, 0, "x"]]}}}`, `{"tiers": {"a": {"entries": [[0, "x"]]}}}`, `{"tiers": {"a": {"entries": [[0, 1, 2]]}}}`} {
		if a, err := ReadJSON([]byte(s)); err == nil {
			t.Errorf("%s: %v", s, a)
		}
	}
}

// FuzzMarks: a file of time marks, and JSON.
func FuzzMarks(f *testing.F) {
	f.Add([]byte(";; a comment\nu1 1 0.50 0.25 b 0.9\nu1 1 0.00 0.50 a\n"))
	f.Add([]byte(`{"start": 0, "end": 1.5, "tiers": {"words": {"type": "interval", "entries": [[0.0, 1.5, "a"]]}}}`))
	f.Add([]byte(`{"xmin": 0, "xmax": 2, "tiers": [{"class": "TextTier", "name": "p", "entries": [[1, "x"]]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, _ := ReadCTM(b)
		for _, a := range all {
			fuzzDurations(t, &a.Tiers[0], 0)
		}
		if a, err := ReadJSON(b); err == nil {
			for i := range a.Tiers {
				fuzzDurations(t, &a.Tiers[i], a.End)
			}
		}
	})
}
