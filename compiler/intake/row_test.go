package intake

import (
	"strings"
	"testing"
)

func TestRowsSayEachThingOnce(t *testing.T) {
	var s rowStrings
	src := "a|said|said|anna|wavs/long.wav\nb|other|said|anna|wavs/long.wav\nc|x||berta|"
	var rows []Row
	for line := range strings.Lines(src) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		r := Row{ID: c[0], Text: c[1], Given: c[2], Speaker: c[3], Audio: &Audio{Path: c[4]}, Pos: Position{File: "m.csv"}}
		want, path := r, *r.Audio
		s.own(&r)
		if !r.SameContent(&want) || *r.Audio != path || r.Pos != want.Pos {
			t.Errorf("own(%+v) = %+v", want, r)
		}
		rows = append(rows, r)
	}
	if got, want := s.block.String(), "asaidannam.csvwavs/long.wavbothersaidcxberta"; got != want {
		t.Errorf("%d rows are held as %q, want %q", len(rows), got, want)
	}
}

func TestStringsStayWhenABlockIsFull(t *testing.T) {
	var s rowStrings
	var rows []Row
	text := func(i int) string { return strings.Repeat(string(rune('a'+i%26)), 1000+i) }
	for i := range 300 {
		r := Row{Text: text(i)}
		s.own(&r)
		rows = append(rows, r)
	}
	long := Row{Text: strings.Repeat("long", stringsBlock)}
	s.own(&long)
	for i, r := range rows {
		if r.Text != text(i) {
			t.Fatalf("text %d is another after more came", i)
		}
	}
	if long.Text != strings.Repeat("long", stringsBlock) {
		t.Error("a text longer than a block is cut")
	}
}
