package compiler

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/column"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// gridOf is a TextGrid with a tier of phones: texts and the seconds at which they end.
func gridOf(phones ...any) []byte {
	end := phones[len(phones)-1]
	b := fmt.Appendf(nil, "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n%v\n<exists>\n1\n\"IntervalTier\"\n\"phones\"\n0\n%v\n%d\n", end, end, len(phones)/2)
	from := any(0)
	for pair := range slices.Chunk(phones, 2) {
		b = fmt.Appendf(b, "%v\n%v\n\"%v\"\n", from, pair[1], pair[0])
		from = pair[1]
	}
	return b
}

// marksOf are two phones of each row, with silences around them.
func marksOf(rows int) (s string) {
	for i := range rows {
		s += fmt.Sprintf("row-%03d 1 0.02 0.03 a\nrow-%03d 1 0.05 0.02 b\n", i, i)
	}
	return s
}

// alignedCorpus is a corpus with a TextGrid for each row and one file of marks for all,
// at 8 ms a frame.
func alignedCorpus(t *testing.T, rows int) (*corpus, Options) {
	c := newCorpus(filepath.Join(fastTemp(t), "data"), 3)
	for i := range rows {
		id, samples := fmt.Sprintf("row-%03d", i), 640+64*i
		text := "abc"
		c.rows = append(c.rows, line{id: id, text: text, given: text})
		c.wavs[id] = noiseWAV(uint64(i), 8000, samples)
		writeFile(t, filepath.Join(c.dir, "aligned", id+".TextGrid"), gridOf("", 0.02, "a", 0.05, "b", float64(samples)/8000))
	}
	c.write(t)
	writeFile(t, filepath.Join(c.dir, "all.ctm"), []byte(marksOf(rows)))
	cfg := smallConfig()
	own := column.Config{DType: store.Int32, Length: column.Own, Steps: 6}
	for _, add := range []struct {
		name, from string
		unit       column.Unit
		length     column.Length
	}{{"durations", "aligned/{id}.TextGrid", "", column.Tokens}, {"phones", "aligned/{id}.TextGrid", column.UnitSymbols, column.Own}, {"marks", "all.ctm", column.UnitFrames, column.Own}} {
		one := own
		one.Name, one.From, one.Unit, one.Length = add.name, add.from, add.unit, add.length
		if add.length == column.Tokens {
			one.Steps = 0
		}
		if add.unit == column.UnitSymbols {
			one.Symbols, one.Silence = []string{"@sp", "b", "@a", "a"}, "sp" // the phone a is no letter a
		}
		cfg.Columns = append(cfg.Columns, one)
	}
	return c, Options{Dataset: c.dir, Store: filepath.Join(filepath.Dir(c.dir), "store"), Config: cfg, Workers: 1}
}

// TestAlignmentsBecomeFramesAndSymbols: 0.02 s is 2.5 frames and goes to the even 2, 0.05 s
// is 6.25 frames; the rest is the last phone's, in a file of marks a silence's.
func TestAlignmentsBecomeFramesAndSymbols(t *testing.T) {
	t.Parallel()
	_, o := alignedCorpus(t, 9)
	if r := mustBuild(t, o); r.Rows.Kept != 9 {
		t.Fatalf("%+v %v", r.Rows, r.Rejections)
	}
	st, err := store.Open(o.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 9 {
		at, err := d.Find(fmt.Sprintf("row-%03d", i))
		if err != nil {
			t.Fatal(err)
		}
		frames := int32(10 + i)
		for name, want := range map[string][]int32{"durations": {2, 4, frames - 6}, "phones": {0, 2, 1}, "marks": {2, 4, 3, frames - 9}} {
			b, err := d.Value(at, name)
			if err != nil {
				t.Fatal(err)
			}
			if name == "marks" && frames-9 <= 2 { // so little goes to the last phone
				want = []int32{2, 4, frames - 6}
			}
			for j := range 6 {
				got, w := int32(binary.LittleEndian.Uint32(b[4*j:])), int32(0)
				if j < len(want) {
					w = want[j]
				}
				if got != w {
					t.Errorf("row %d: %s[%d] = %d, want %v", i, name, j, got, want)
				}
			}
		}
	}
}

// TestAnEditOfAnAlignmentCostsItsRow: of a TextGrid, of a line of marks, and of the sound,
// whose frames the durations add up to.
func TestAnEditOfAnAlignmentCostsItsRow(t *testing.T) {
	t.Parallel()
	c, o := alignedCorpus(t, 9)
	mustBuild(t, o)
	marks := marksOf(9)
	at := func(name string) string { return filepath.Join(c.dir, name) }
	for _, e := range []struct {
		name string
		edit func()
		want map[string]int
	}{
		{"nothing", func() {}, map[string]int{}},
		{"a boundary", func() { writeFile(t, at("aligned/row-003.TextGrid"), gridOf("", 0.02, "a", 0.06, "b", 832/8000.)) }, map[string]int{"durations": 1, "phones": 1}},
		{"a mark", func() { marks = strings.Replace(marks, "row-005 1 0.02 0.03 a", "row-005 1 0.02 0.02 a", 1) }, map[string]int{"marks": 1}},
		{"a comment", func() { marks = ";; made again\n" + marks }, map[string]int{}},
		{"a frame of sound", func() { c.wavs["row-004"] = noiseWAV(4, 8000, 640+64*5); c.write(t) }, map[string]int{"audio": 1, "mel": 1, "durations": 1, "phones": 1, "marks": 1}},
		{"another tier", func() { o.Config.Columns = slices.Clone(o.Config.Columns); o.Config.Columns[0].Tier = "words" }, nil},
	} {
		e.edit()
		writeFile(t, at("all.ctm"), []byte(marks))
		r := mustBuild(t, o)
		if e.want == nil {
			if r.Rows.Kept != 0 || !strings.Contains(r.Rejections[0].Reason, `it has no tier "words"; its tiers are "phones"`) {
				t.Errorf("%s: %+v %v", e.name, r.Rows, r.Rejections)
			}
			continue
		}
		for name := range r.Stages {
			if r.Stages[name].Run != e.want[name] {
				t.Errorf("%s: %s ran for %d rows, want %d", e.name, name, r.Stages[name].Run, e.want[name])
			}
		}
		wantRootOfAFreshBuild(t, o, r)
	}
}

// TestAnAlignmentOfAnotherClipIsRefused, with the row's file and what is wrong with it.
func TestAnAlignmentOfAnotherClipIsRefused(t *testing.T) {
	t.Parallel()
	c, o := alignedCorpus(t, 3)
	for _, e := range []struct {
		name   string
		grid   []byte
		kind   kind.Rejection
		reason string
	}{
		{"another end", gridOf("", 0.02, "a", 0.05, "b", 0.2), kind.ValueLength, "aligned/row-001.TextGrid: the alignment ends at frame 25, the clip has 11; a difference of up to 2 goes to the last phone"},
		{"another phone", gridOf("", 0.02, "a", 0.05, "x", 0.088), kind.BadValue, `interval 2 is "x", which is none of the symbols`},
		{"phones too few", gridOf("a", 0.05, "b", 0.088), kind.ValueLength, "it has 2 steps, the row has 3 tokens"},
		{"no TextGrid", []byte("hello"), kind.BadValue, "line 1: it is no text file of Praat"},
	} {
		writeFile(t, filepath.Join(c.dir, "aligned/row-001.TextGrid"), e.grid)
		r := mustBuild(t, o)
		if len(r.Rejections) != 1 || r.Rejections[0].ID != "row-001" || r.Rejections[0].Kind != string(e.kind) || !strings.Contains(r.Rejections[0].Reason, e.reason) {
			t.Errorf("%s: %v, want %s: %s", e.name, r.Rejections, e.kind, e.reason)
		}
	}
}
