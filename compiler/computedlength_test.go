package compiler

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/column"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// unitsCorpus has a computed column whose values have as many steps as the text has words, five as a rule.
func unitsCorpus(t *testing.T, rows, most int) (c *corpus, o Options, log string) {
	c, o, log = computedCorpus(t, rows)
	run := &column.Run{Command: o.Config.Columns[0].Run.Command, Dir: c.dir, Version: "v1", Text: true, Batch: 3}
	o.Config.Columns = append(o.Config.Columns[:1:1], column.Config{Name: "units", DType: store.Int32, Length: column.Own, Steps: most, Pad: -1, Run: run})
	return c, o, log
}

// inlineOf are the numbers of all rows in an inline column, by id.
func inlineOf(t *testing.T, dir, name string) map[string]int32 {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]int32{}
	for leaf := range d.Shards {
		s, err := d.Shard(leaf)
		if err != nil {
			t.Fatal(err)
		}
		for row, id := range s.IDs {
			values[id] = s.Scalars[d.Root.Schema.Inline().Index(name)][row]
		}
	}
	return values
}

// wantUnits holds the values of units, their lengths and the padding against the texts.
func wantUnits(t *testing.T, name string, c *corpus, o Options) {
	t.Helper()
	units, steps := columnOf(t, o.Store, "units"), inlineOf(t, o.Store, "units_len")
	most := o.Config.Columns[1].Steps
	for _, l := range c.rows {
		b, kept := units[l.id]
		words := strings.Fields(l.given)
		if over := len(words) > most && o.Config.Shape.Overlong != OverlongTruncate; over == kept {
			t.Errorf("%s: %s has %d words of %d, and kept is %v", name, l.id, len(words), most, kept)
		}
		if !kept {
			continue
		}
		var got, want []int32
		for i := range most {
			got = append(got, int32(binary.LittleEndian.Uint32(b[4*i:])))
			if want = append(want, int32(o.Config.Columns[1].Pad)); i < len(words) {
				want[i] = int32(len(words[i]))
			}
		}
		if n := int(steps[l.id]); !slices.Equal(got, want) || n != min(len(words), most) {
			t.Errorf("%s: %s: %v of %d, want %v of %q", name, l.id, got, n, want, l.given)
		}
	}
}

// TestAComputedValueHasALengthOfItsOwn: it is stored with its steps, too long ones are left out or cut as of imported columns, and
// another max asks the program for what it cannot know alone: nothing where values were too long, those that were cut where
// they are not whole any more.
func TestAComputedValueHasALengthOfItsOwn(t *testing.T) {
	t.Parallel()
	c, o, log := unitsCorpus(t, 9, 6)
	c.rows[4].given, c.rows[6].given = "one two three four five six seven eight", "one"
	only := func(ids ...string) (list []string) {
		for _, id := range ids {
			list = append(list, "units:"+id)
		}
		return list
	}
	var all []string
	for _, l := range c.rows {
		all = append(all, "units:"+l.id)
	}
	set := func(most int, over Overlong) func() {
		return func() {
			o.Config.Columns = slices.Clone(o.Config.Columns)
			o.Config.Columns[1].Steps, o.Config.Shape.Overlong = most, over
		}
	}
	for step, e := range []struct {
		name string
		edit func()
		want []string
		kept int
	}{
		{"the first build", func() {}, all, 8},
		{"nothing", func() {}, nil, 8},
		{"a max of 8: the one row was asked, and was not kept", set(8, OverlongReject), only("row-004"), 9},
		{"a max of 4: what is too long is known", set(4, OverlongReject), nil, 1},
		{"cut to 4", set(4, OverlongTruncate), all[:6:6], 9},
		{"a max of 7: those that were cut", set(7, OverlongTruncate), all, 9},
		{"another text", func() { c.rows[2].given = "a b c d e f g h i" }, only("row-002"), 9},
		{"left out again", set(7, OverlongReject), nil, 7},
		{"without what was remembered", func() { os.RemoveAll(filepath.Join(o.Store, "cache")) }, only("row-002", "row-004"), 7},
	} {
		e.edit()
		c.write(t)
		o.Workers = 1 + step%2
		r := mustBuild(t, o)
		got := slices.DeleteFunc(calls(t, log), func(s string) bool { return strings.HasPrefix(s, "level:") })
		if e.name != "cut to 4" && e.name != "a max of 7: those that were cut" && !slices.Equal(got, e.want) {
			t.Errorf("%s: asked %v, want %v", e.name, got, e.want)
		}
		if r.Rows.Kept != e.kept {
			t.Errorf("%s: %d kept, want %d: %v", e.name, r.Rows.Kept, e.kept, r.Rejections)
		}
		for _, j := range r.Rejections {
			if j.Kind != string(kind.Overlong) || j.Stage != "units" || !strings.Contains(j.Reason, " steps, max of the column is ") {
				t.Errorf("%s: %+v", e.name, j)
			}
		}
		wantUnits(t, e.name, c, o)
		again := mustBuild(t, o)
		if n := calls(t, log); !again.UpToDate || again.BytesWritten != 0 || len(n) > 0 {
			t.Errorf("%s: a build after it wrote %d bytes and asked %v", e.name, again.BytesWritten, n)
		}
		wantRootOfAFreshBuild(t, o, r)
		calls(t, log)
	}
	if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { t.Errorf("verify --sources: %v", f) }); err != nil {
		t.Error(err)
	}
}

// TestPropertyLengthsOfComputedValuesEndInTheRootOfACleanBuild: over random histories; a build after each runs and writes nothing.
func TestPropertyLengthsOfComputedValuesEndInTheRootOfACleanBuild(t *testing.T) {
	t.Parallel()
	seeds := 4
	if testing.Short() {
		seeds = 1
	}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 19))
		c, o, log := unitsCorpus(t, 10, 6)
		mustBuild(t, o)
		for step := range 14 {
			o.Config.Columns = slices.Clone(o.Config.Columns)
			units := &o.Config.Columns[1]
			i := r.IntN(len(c.rows))
			edits := []func() string{
				func() string { c.rows[i].given = strings.Repeat("word ", 1+r.IntN(7)) + "end"; return "a text" },
				func() string {
					c.wavs[c.rows[i].id] = noiseWAV(uint64(100+step), 8000, 640+64*r.IntN(9))
					return "audio"
				},
				func() string { units.Steps = 1 + r.IntN(9); return "max" },
				func() string {
					o.Config.Shape.Overlong = []Overlong{OverlongReject, OverlongTruncate}[r.IntN(2)]
					return "overlong"
				},
				func() string { units.Pad = float64(r.IntN(3)); return "pad" },
				func() string {
					run := *units.Run
					run.Version, units.Run = fmt.Sprint("v", r.IntN(3)), &run
					return "version"
				},
				func() string { os.RemoveAll(filepath.Join(o.Store, "cache")); return "no cache" },
				func() string { c.rows = slices.Delete(c.rows, i, i+1); return "a row less" },
				func() string {
					id := fmt.Sprintf("new-%02d", step)
					c.rows = append(c.rows, line{id: id, text: "a new row", given: "a new row"})
					c.wavs[id] = noiseWAV(uint64(step), 8000, 900)
					return "a row"
				},
			}
			name := edits[r.IntN(len(edits))]()
			if i = r.IntN(len(c.rows)); r.IntN(3) == 0 {
				name += " and " + edits[r.IntN(7)]()
			}
			c.write(t)
			o.Workers, o.Rehash = 1+r.IntN(2), r.IntN(5) == 0
			got := mustBuild(t, o)
			calls(t, log)
			fresh := o
			fresh.Store, fresh.Workers, fresh.Rehash = filepath.Join(filepath.Dir(o.Store), "fresh"), 3-o.Workers, false
			want, err := Build(context.Background(), fresh)
			if err != nil {
				t.Fatal(err)
			}
			os.RemoveAll(fresh.Store)
			if got.Dataset != want.Dataset || fmt.Sprint(got.Rejections) != fmt.Sprint(want.Rejections) {
				t.Fatalf("seed %d step %d, %s: root %.12s, a clean build's is %.12s\n%v\n%v", seed, step, name, got.Dataset, want.Dataset, got.Rejections, want.Rejections)
			}
			wantUnits(t, fmt.Sprintf("seed %d step %d, %s", seed, step, name), c, o)
			calls(t, log)
			again := mustBuild(t, o)
			if n := calls(t, log); !again.UpToDate || again.BytesWritten != 0 || len(n) > 0 {
				t.Errorf("seed %d step %d, %s: a build after it wrote %d bytes and asked %v", seed, step, name, again.BytesWritten, n)
			}
		}
		if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { t.Errorf("seed %d: verify --sources: %v", seed, f) }); err != nil {
			t.Error(err)
		}
	}
}

// TestLengthsOfComputedValuesOverMachines: parts that leave out and cut values of a length of their own join into the root of one
// build, and a damaged block is made anew.
func TestLengthsOfComputedValuesOverMachines(t *testing.T) {
	t.Parallel()
	for _, over := range []Overlong{OverlongReject, OverlongTruncate} {
		c, o, log := unitsCorpus(t, 60, 6)
		for i := range c.rows {
			if c.rows[i].given = strings.Repeat("word ", i%8) + "end"; i%8 == 7 {
				c.rows[i].given += " and more"
			}
		}
		c.write(t)
		makeOld(t, c.dir)
		o.Config.Shape.Overlong = over
		one := mustBuild(t, o)
		if over == OverlongReject && one.Rows.Rejected == 0 || over == OverlongTruncate && one.Rows.Noted == 0 {
			t.Fatalf("%s: %+v", over, one.Rows)
		}
		joined := o
		joined.Store = filepath.Join(fastTemp(t), "joined")
		r := joinAll(t, joined, parts(t, o, 3, rand.New(rand.NewPCG(1, 23))))
		wantJoined(t, joined, one, o.Store, r)
		wantUnits(t, string(over)+", joined", c, joined)
		flipInRecord(t, o.Store, store.KindBlock)
		damagedLeaf(t, o.Store)
		if _, blocks, lost := mended(t, o); blocks != 1 || len(lost) > 0 {
			t.Errorf("%s: mended %d blocks and lost %v, want the one", over, blocks, lost)
		}
		wantUnits(t, string(over)+", mended", c, o)
		calls(t, log)
	}
}
