package clip

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestAListingFindsWhatAMapFinds: names of any form, stems with several files, and stems
// that no file has.
func TestAListingFindsWhatAMapFinds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var names []string
		want := map[string][]string{}
		for range random.IntN(200) {
			stem := []string{"a", "a.b", "", "گفتار", "x y"}[random.IntN(5)] + fmt.Sprint(random.IntN(120))
			name := stem + []string{".wav", ".flac", ".WAV"}[random.IntN(3)]
			if slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
			want[stem] = append(want[stem], "wavs/"+name)
		}
		l := newListing(strings.Join(append(names, ""), "/"))
		for n := range 130 {
			for _, begin := range []string{"a", "a.b", "", "گفتار", "x y", "b"} {
				stem := begin + fmt.Sprint(n)
				slices.Sort(want[stem])
				if got := l.appendTo(nil, "wavs", stem); !slices.Equal(got, want[stem]) {
					t.Fatalf("%q among %q: %q, want %q", stem, names, got, want[stem])
				}
			}
		}
		var all []string
		l.each(func(name string) { all = append(all, name) })
		if !slices.Equal(all, names) || l.empty() != (len(names) == 0) {
			t.Fatalf("the listing of %q has %q, empty: %v", names, all, l.empty())
		}
	}
	none := (*listing)(nil)
	if got := none.appendTo([]string{"b"}, ".", "a"); !none.empty() || !slices.Equal(got, []string{"b"}) {
		t.Errorf("a folder that is not there has %q", got)
	}
}

func TestStemsEndAtTheLastDot(t *testing.T) {
	for _, name := range []string{"a.wav", "a.b.wav", ".wav", "a", "a.", "..wav"} {
		if got, want := stemOf(name), strings.TrimSuffix(name, path.Ext(name)); got != want {
			t.Errorf("stemOf(%q) = %q, want %q", name, got, want)
		}
	}
}
