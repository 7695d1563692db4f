package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"voxpack/store"
)

func TestAHistogramCountsEveryValueOnce(t *testing.T) {
	for _, values := range [][]float64{{3}, {0, 0, 0}, {1, 2, 3, 4, 100}, {-5.5, 5.5}, {0.001, 0.0011}, {1e300, 2e300}, {1e17, 1e17 + 16}, {0.1, 0.2, 0.3},
		{0.3, math.Nextafter(0.3, 1)}, {1, math.Nextafter(1, 2)}, {0.1, math.Nextafter(0.1, 1)}, {7.3, math.Nextafter(7.3, 8)}, {-0.3, math.Nextafter(-0.3, 1)}, {0, 5e-324}} {
		d := distributionOf("x", "s", slices.Clone(values))
		sum := 0
		for _, n := range d.Counts {
			sum += n
		}
		if sum != len(values) || len(d.Counts) > mostBars+1 || d.From > slices.Min(values) || !(d.Width > 0) {
			t.Errorf("%v: %+v", values, d)
		}
	}
}

func TestQuantilesAreValuesOfRows(t *testing.T) {
	var values []float64
	for i := range 100 {
		values = append(values, float64(100-i))
	}
	d := distributionOf("x", "s", values)
	if d.Least != 1 || d.P5 != 5 || d.P50 != 50 || d.P95 != 95 || d.P99 != 99 || d.Most != 100 || math.Abs(d.Mean-50.5) > 1e-9 {
		t.Errorf("%+v", d)
	}
}

// Four rows of 10, 20, 30 and 40 steps in a shape of 50: 100 of 200 are used.
func TestPaddingOfOtherShapes(t *testing.T) {
	a := axisOf("max_mel_frames", 50, []int{40, 10, 30, 20})
	if a.Waste != 0.5 {
		t.Errorf("waste now %v, want 0.5", a.Waste)
	}
	last := a.Maxima[len(a.Maxima)-1]
	if last.Shapes[0] != 40 || last.Over != 0 || last.Waste != 1-100.0/160 || last.Steps != 160.0/200 || last.Share != 1 {
		t.Errorf("the longest row as maximum: %+v", last)
	}
	two := a.Buckets[0]
	if !slices.Equal(two.Shapes, []int{20, 40}) || math.Abs(two.Waste-1.0/6) > 1e-12 || two.Steps != 120.0/200 {
		t.Errorf("two buckets: %+v", two)
	}
	if four := a.Buckets[1]; four.Waste != 0 || len(four.Shapes) != 4 {
		t.Errorf("a bucket a row: %+v", four)
	}
}

// A row over the maximum was truncated: what is cut is not used.
func TestPaddingOfTruncatedRows(t *testing.T) {
	if a := axisOf("max_mel_frames", 10, []int{5, 100}); a.Waste != 0.25 {
		t.Errorf("waste %v, want 0.25", a.Waste)
	}
}

func TestOddPacesAreFarFromTheirLanguage(t *testing.T) {
	s := &set{}
	add := func(id, language string, letters int) {
		s.rows = append(s.rows, row{id: id, language: language, seconds: 10, letters: letters})
	}
	for i := range 30 {
		add(fmt.Sprint("en-", i), "en", 140+i)
		add(fmt.Sprint("de-", i), "de", 300+i) // usual for its language, far from the other
	}
	add("slow", "en", 20)
	add("fast", "en", 400)
	add("alone", "fr", 900) // nobody knows what is usual
	looked, found := s.oddPaces()
	if looked != 62 || len(found) != 2 || found[0].ID != "fast" || found[1].ID != "slow" || found[0].Number != 40 {
		t.Errorf("looked at %d, found %+v", looked, found)
	}
}

func TestRowsOfEqualPaceAreNotOdd(t *testing.T) {
	s := &set{}
	for i := range 40 {
		s.rows = append(s.rows, row{id: fmt.Sprint(i), seconds: 10, letters: 150})
	}
	s.rows = append(s.rows, row{id: "near", seconds: 10, letters: 160})
	if _, found := s.oddPaces(); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

func TestEqualRowsNameTheFirst(t *testing.T) {
	rows := []row{{id: "a", spoken: "x"}, {id: "b", spoken: "y"}, {id: "c", spoken: "x"}, {id: "d", spoken: "x"}}
	found := equals(rows, func(r *row) (string, bool) { return r.spoken, true })
	if len(found) != 2 || found[0].ID != "c" || found[0].Like != "a" || found[0].Number != 3 || found[1].ID != "d" {
		t.Errorf("%+v", found)
	}
	if found := equals(rows, func(*row) (string, bool) { return "", false }); len(found) != 0 {
		t.Errorf("rows without the key: %+v", found)
	}
}

func TestAlphabetCountsCharactersAndRows(t *testing.T) {
	a := alphabetOf([]row{{id: "1", spoken: "aab"}, {id: "2", spoken: "a"}, {id: "3", spoken: "سa"}})
	if a.Total != 3 || a.RareRows != 2 || a.Rare != 2 || a.Characters[0] != (Character{"a", 4, 3, "1", false}) {
		t.Errorf("%+v", a)
	}
	if i := slices.IndexFunc(a.Characters, func(c Character) bool { return c.Character == "س" }); i < 0 || !a.Characters[i].Rare || a.Characters[i].Example != "3" {
		t.Errorf("%+v", a)
	}
}

func TestClippingIsRunsAtFullScale(t *testing.T) {
	for _, c := range []struct {
		name string
		pcm  []float32
		want int
	}{
		{"single samples at full scale", []float32{1, 0, 1, 0, -1}, 0},
		{"a run above and one below", []float32{0, 1, 1, 1, 0.5, -1, -1, -1, -1, 0}, 7},
		{"a run that is not at full scale", []float32{0.5, 0.5, 0.5, 0.5}, 0},
		{"silence", []float32{0, 0, 0, 0}, 0},
		{"a run at the end", []float32{0, 0.99, 0.99, 0.99}, 3},
	} {
		if got := clippedOf(c.pcm); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestStillIsWhatLiesUnderTheVoice(t *testing.T) {
	pcm := make([]float32, 4*512)
	for i := range 512 {
		pcm[i], pcm[512+i] = 0.5, 0.5*0.02 // the second 34 dB lower
		pcm[1024+i] = 0.5 * 0.005          // 46 dB lower
	}
	if got := stillOf(pcm); got != 0.5 {
		t.Errorf("%v, want 0.5", got)
	}
	if got := stillOf(pcm[:100]); got != 0 {
		t.Errorf("too short to tell: %v, want 0", got)
	}
}

func TestReachIsTheHighestBinWithSound(t *testing.T) {
	magnitudes := make([]float32, 2*101)
	for i := range 51 {
		magnitudes[i], magnitudes[101+i] = 1, 0.1
	}
	magnitudes[80] = 1e-4 // 80 dB under the others
	if got := reachOf(magnitudes, 101); got != 0.5 {
		t.Errorf("%v, want 0.5", got)
	}
	if got := reachOf(make([]float32, 202), 101); got != 0 {
		t.Errorf("silence reaches %v", got)
	}
}

func TestLevelsOfSamples(t *testing.T) {
	var v sound
	v.takePCM([]float32{0.6, -0.4, 0.6, -0.4})
	if math.Abs(v.offset-0.1) > 1e-6 || math.Abs(v.loudness-10*math.Log10(0.26)) > 1e-5 {
		t.Errorf("%+v", v)
	}
	v = sound{}
	v.takePCM(make([]float32, 600))
	if v.loudness != silent || !v.hasPCM {
		t.Errorf("silence: %+v", v)
	}
	v.takeF0([]float32{0, 100, 300, 200, 0})
	if v.f0 != 200 {
		t.Errorf("f0 %v, want the median of voiced frames, 200", v.f0)
	}
}

// However large a column, what is read of it is bounded, and spread over the rows.
func TestLookedAtIsBounded(t *testing.T) {
	s := &set{rows: make([]row, 10_000)}
	c := store.Column{Name: "pcm", DType: store.Int16, Shape: []int{1 << 20}}
	list := s.lookedAt(c)
	if n := len(list) * c.SampleBytes(); n > lookBytes || n < lookBytes/2 || list[len(list)-1] < 9_900 {
		t.Errorf("%d rows of %d bytes, up to row %d", len(list), c.SampleBytes(), list[len(list)-1])
	}
	if all := s.lookedAt(store.Column{Name: "f0", DType: store.Float32, Shape: []int{800}}); len(all) != 10_000 {
		t.Errorf("of a small column %d rows are read, want all", len(all))
	}
}
