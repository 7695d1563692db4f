package compiler

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/column"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// npyOf is a version 1.0 npy file of float64 or int64 values, as numpy.save writes it.
func npyOf(descr string, shape []int, values ...float64) []byte {
	axes := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	if len(shape) == 1 {
		axes += ","
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, axes)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	b = append(b, head...)
	for _, v := range values {
		bits := math.Float64bits(v)
		if descr == "<i8" {
			bits = uint64(int64(v))
		}
		b = binary.LittleEndian.AppendUint64(b, bits)
	}
	return b
}

// npzOf is an npz file, its members in the order of their names.
func npzOf(t *testing.T, members map[string][]byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w, err := z.Create(name + ".npy")
		if err == nil {
			_, err = w.Write(members[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ownCorpus is a corpus with values of columns beside it: one column of each length.
type ownCorpus struct {
	*corpus
	files map[string][]byte // by path: npy files of rows
	emb   map[string][]byte // members of one file for all
}

func (c *ownCorpus) row(id, text string, samples int, seed uint64) {
	if i := c.find(id); i >= 0 {
		c.rows[i].text, c.rows[i].given = text, text
	} else {
		c.rows = append(c.rows, line{id: id, text: text, given: text})
	}
	c.wavs[id] = noiseWAV(seed, 8000, samples)
	c.values(id, text, samples, seed)
}

// values gives a row values that suit it.
func (c *ownCorpus) values(id, text string, samples int, seed uint64) {
	list := func(n int) (v []float64) {
		for i := range n {
			v = append(v, float64((seed*7+uint64(i)*3)%100))
		}
		return v
	}
	tokens, frames, own := len(text), samples/64, int(1+seed%6)
	c.files["durations/"+id+".npy"] = npyOf("<i8", []int{tokens}, list(tokens)...)
	c.files["pitch/"+id+".npy"] = npyOf("<f8", []int{frames}, list(frames)...)
	c.files["units/"+id+".npy"] = npyOf("<i8", []int{1, own, 2}, list(2*own)...)
	c.files["score/"+id+".npy"] = npyOf("<i8", nil, float64(seed))
	c.emb[id] = npyOf("<f8", []int{3}, list(3)...)
}

func (c *ownCorpus) drop(id string) {
	i := c.find(id)
	c.rows = slices.Delete(c.rows, i, i+1)
	delete(c.wavs, id)
}

func (c *ownCorpus) write(t *testing.T) {
	c.corpus.write(t)
	list := maps.Clone(c.files)
	list["emb.npz"] = npzOf(t, c.emb)
	for name, b := range list {
		if have, err := os.ReadFile(filepath.Join(c.dir, name)); err != nil || !bytes.Equal(have, b) {
			writeFile(t, filepath.Join(c.dir, name), b)
		}
	}
	for _, dir := range []string{"durations", "pitch", "units", "score"} {
		entries, _ := os.ReadDir(filepath.Join(c.dir, dir))
		for _, e := range entries {
			if name := dir + "/" + e.Name(); c.files[name] == nil {
				os.Remove(filepath.Join(c.dir, name))
			}
		}
	}
}

func newOwnCorpus(t *testing.T, rows int) (*ownCorpus, Options) {
	c := &ownCorpus{corpus: newCorpus(filepath.Join(fastTemp(t), "data"), 3), files: map[string][]byte{}, emb: map[string][]byte{}}
	for i := range rows {
		c.row(fmt.Sprintf("row-%03d", i), fmt.Sprint("a text of row ", i), 640+64*(i%9), uint64(i))
	}
	c.write(t)
	cfg := smallConfig()
	cfg.Columns = []column.Config{
		{Name: "durations", From: "durations/{id}.npy", DType: store.Int32, Length: column.Tokens},
		{Name: "pitch", From: "pitch/{name}.npy", DType: store.Float32, Length: column.Frames, Pad: -1},
		{Name: "units", From: "units/{id}.npy", DType: store.Int16, Length: column.Own, Steps: 6, Shape: []int{2}},
		{Name: "score", From: "score/{id}.npy", DType: store.Int32},
		{Name: "emb", From: "emb.npz", DType: store.Float16, Shape: []int{3}},
	}
	return c, Options{Dataset: c.dir, Store: filepath.Join(filepath.Dir(c.dir), "store"), Config: cfg}
}

// TestColumnsOfOnesOwnHaveTheValuesOfTheirFiles, padded, in the order of their names,
// and verify finds nothing wrong with them.
func TestColumnsOfOnesOwnHaveTheValuesOfTheirFiles(t *testing.T) {
	t.Parallel()
	_, o := newOwnCorpus(t, 10)
	r := mustBuild(t, o)
	if r.Rows.Kept != 10 {
		t.Fatalf("rows = %+v: %v", r.Rows, r.Rejections)
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
	var schema []string
	for _, column := range d.Root.Schema {
		schema = append(schema, column.String()+" "+column.Along)
	}
	if want := []string{"tokens i32[40] ", "mel f32[36,20] ", "text_len i32 ", "mel_len i32 ", "durations i32[40] text_len", "emb f16[3] ",
		"pitch f32[36] mel_len", "score i32 ", "units i16[6,2] units_len", "units_len i32 "}; !slices.Equal(schema, want) {
		t.Errorf("schema %q, want %q", schema, want)
	}
	for i := range 10 {
		id := fmt.Sprintf("row-%03d", i)
		at, err := d.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		value := func(name string) []byte {
			b, err := d.Value(at, name)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		scalar := func(name string) int32 {
			v, err := d.Scalar(at, name)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		number := func(j int) int { return (i*7 + j*3) % 100 }
		durations, pitch, units, emb := value("durations"), value("pitch"), value("units"), value("emb")
		tokens, frames, own := len(fmt.Sprint("a text of row ", i)), (640+64*(i%9))/64, 1+i%6
		if scalar("text_len") != int32(tokens) || scalar("mel_len") != int32(frames) || scalar("units_len") != int32(own) || scalar("score") != int32(i) {
			t.Errorf("%s: %d tokens, %d frames, %d units, score %d; want %d, %d, %d, %d", id, scalar("text_len"), scalar("mel_len"), scalar("units_len"), scalar("score"), tokens, frames, own, i)
		}
		for j := range 40 {
			want := 0
			if j < tokens {
				want = number(j)
			}
			if got := int32(binary.LittleEndian.Uint32(durations[4*j:])); got != int32(want) {
				t.Errorf("%s: durations[%d] = %d, want %d", id, j, got, want)
			}
		}
		for j := range 36 {
			want := -1
			if j < frames {
				want = number(j)
			}
			if got := math.Float32frombits(binary.LittleEndian.Uint32(pitch[4*j:])); got != float32(want) {
				t.Errorf("%s: pitch[%d] = %v, want %d", id, j, got, want)
			}
		}
		for j := range 12 {
			want := 0
			if j < 2*own {
				want = number(j)
			}
			if got := int16(binary.LittleEndian.Uint16(units[2*j:])); got != int16(want) {
				t.Errorf("%s: units[%d] = %d, want %d", id, j, got, want)
			}
		}
		halves := map[int]uint16{} // binary16 of the small integers that the test has
		for v := range 100 {
			bits := math.Float32bits(float32(v))
			halves[v] = uint16((bits>>23-112)<<10 | bits>>13&0x3ff)
		}
		halves[0] = 0
		for j := range 3 {
			if got, want := binary.LittleEndian.Uint16(emb[2*j:]), halves[number(j)]; got != want {
				t.Errorf("%s: emb[%d] = %#x, want %#x", id, j, got, want)
			}
		}
	}
	for _, full := range []bool{false, true} {
		if _, err := Verify(t.Context(), st, "main", full, func(f Finding) { t.Errorf("verify: %v", f) }); err != nil {
			t.Error(err)
		}
	}
	if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { t.Errorf("verify --sources: %v", f) }); err != nil {
		t.Error(err)
	}
}

// TestAnEditOfAValueCostsItsColumn: nothing of the mel or of another column is made, and
// --sources says what is not built yet.
func TestAnEditOfAValueCostsItsColumn(t *testing.T) {
	t.Parallel()
	c, o := newOwnCorpus(t, 12)
	mustBuild(t, o)
	makeOld(t, c.dir)
	mustBuild(t, o)
	for _, e := range []struct {
		name string
		edit func()
		want map[string]int
	}{
		{"nothing", func() {}, map[string]int{}},
		{"a value", func() { c.values("row-003", c.rows[3].text, 640+64*3, 50); restore(c, "row-003", "durations") }, map[string]int{"durations": 1}},
		{"a member", func() { c.emb["row-004"] = npyOf("<f8", []int{3}, 7, 8, 9) }, map[string]int{"emb": 1}},
		{"a number", func() { c.files["score/row-005.npy"] = npyOf("<i8", nil, -5) }, map[string]int{"score": 1}},
		{"steps of its own", func() { c.files["units/row-006.npy"] = npyOf("<i8", []int{2, 2}, 1, 2, 3, 4) }, map[string]int{"units": 1}},
		{"pad", func() { o.Config.Columns = slices.Clone(o.Config.Columns); o.Config.Columns[1].Pad = -2 }, map[string]int{"pitch": 12}},
		{"the other way round", func() { slices.Reverse(o.Config.Columns) }, map[string]int{}},
		{"without a column", func() { o.Config.Columns = o.Config.Columns[1:] }, map[string]int{}},
	} {
		e.edit()
		c.write(t)
		if e.name == "a value" {
			var found []string
			if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { found = append(found, f.String()) }); err != nil {
				t.Fatal(err)
			}
			if len(found) != 1 || !strings.Contains(found[0], "row-003: durations: its input or setting changed") {
				t.Errorf("verify --sources says %q, want that durations of row-003 changed", found)
			}
		}
		o.Workers = 1
		dry := o
		dry.DryRun = true
		d, r := mustBuild(t, dry), mustBuild(t, o)
		for name := range r.Stages {
			if r.Stages[name].Run != e.want[name] || d.Stages[name].Run != e.want[name] {
				t.Errorf("%s: %s ran for %d rows (a dry run says %d), want %d", e.name, name, r.Stages[name].Run, d.Stages[name].Run, e.want[name])
			}
		}
		if e.name == "nothing" && (!r.UpToDate || r.BytesWritten != 0) {
			t.Errorf("%s: %+v", e.name, r)
		}
		if most := max(1, len(e.want)) * 3; e.name != "pad" && r.Blocks.Written > most {
			t.Errorf("%s: %d blocks written", e.name, r.Blocks.Written)
		}
		wantRootOfAFreshBuild(t, o, r)
	}
}

// restore keeps of a row's new values those of one column.
func restore(c *ownCorpus, id, but string) {
	i := c.find(id)
	was := &ownCorpus{files: map[string][]byte{}, emb: map[string][]byte{}}
	was.values(id, c.rows[i].text, 640+64*i, uint64(i))
	for name, b := range was.files {
		if !strings.HasPrefix(name, but) {
			c.files[name] = b
		}
	}
	maps.Copy(c.emb, was.emb)
}

// TestARowWithoutAUsableValueIsLeftOut, with its kind, its file and a reason that says
// what the value is; what is mended comes back.
func TestARowWithoutAUsableValueIsLeftOut(t *testing.T) {
	t.Parallel()
	c, o := newOwnCorpus(t, 4)
	good := mustBuild(t, o)
	outside := filepath.Join(t.TempDir(), "v.npy")
	writeFile(t, outside, c.files["durations/row-001.npy"])
	at := func(name string) string { return filepath.Join(c.dir, name) }
	for _, e := range []struct {
		name   string
		path   string
		b      []byte
		kind   kind.Rejection
		reason string
	}{
		{"no file", "durations/row-001.npy", nil, kind.NoValue, "durations/row-001.npy is not there"},
		{"empty", "durations/row-001.npy", []byte{}, kind.NoValue, "is empty"},
		{"no npy", "durations/row-001.npy", []byte("hello"), kind.BadValue, "durations/row-001.npy: npy:"},
		{"cut off", "durations/row-001.npy", c.files["durations/row-001.npy"][:150], kind.BadValue, "npy:"},
		{"too short for the row", "durations/row-001.npy", npyOf("<i8", []int{2}, 1, 2), kind.ValueLength, "durations/row-001.npy: it has 2 steps, the row has 15 tokens"},
		{"two axes", "durations/row-001.npy", npyOf("<i8", []int{2, 2}, 1, 2, 3, 4), kind.BadValue, "it is i64[2,2]"},
		{"a fraction", "durations/row-001.npy", npyOf("<f8", []int{15}, append(make([]float64, 14), 0.5)...), kind.BadValue, "value 14 is 0.5, which is no integer"},
		{"over its type", "units/row-001.npy", npyOf("<i8", []int{1, 2}, 1, 40000), kind.BadValue, "value 1 is 40000"},
		{"NaN", "pitch/row-001.npy", npyOf("<f8", []int{11}, append(make([]float64, 10), math.NaN())...), kind.BadValue, "value 10 is NaN"},
		{"over f32", "pitch/row-001.npy", npyOf("<f8", []int{11}, append(make([]float64, 10), 1e300)...), kind.BadValue, "out of its range"},
		{"more frames", "pitch/row-001.npy", npyOf("<f8", []int{12}, make([]float64, 12)...), kind.ValueLength, "it has 12 steps, the row has 11 frames"},
		{"over max", "units/row-001.npy", npyOf("<i8", []int{7, 2}, make([]float64, 14)...), kind.Overlong, "7 steps, max of the column is 6"},
		{"another width", "units/row-001.npy", npyOf("<i8", []int{2, 3}, make([]float64, 6)...), kind.BadValue, "it is i64[2,3]; the column wants i16[steps 2]"},
		{"a list for a number", "score/row-001.npy", npyOf("<i8", []int{2}, 1, 2), kind.BadValue, "it is i64[2]"},
	} {
		t.Run(e.name, func(t *testing.T) {
			if e.b == nil {
				os.Remove(at(e.path))
			} else {
				writeFile(t, at(e.path), e.b)
			}
			for range 2 { // the second time it is remembered
				r := mustBuild(t, o)
				stage, _, _ := strings.Cut(e.path, "/")
				if len(r.Rejections) != 1 || r.Rejections[0].ID != "row-001" || r.Rejections[0].Kind != string(e.kind) || r.Rejections[0].Stage != stage || !strings.Contains(r.Rejections[0].Reason, e.reason) {
					t.Errorf("rejections %v, want row-001 of %s for %s: %s", r.Rejections, stage, e.kind, e.reason)
				}
			}
			writeFile(t, at(e.path), c.files[e.path])
			if r := mustBuild(t, o); r.Dataset != good.Dataset || r.Stages["mel"].Run != 0 {
				t.Errorf("mended, the root is %.12s with %d mels run; want %.12s and none", r.Dataset, r.Stages["mel"].Run, good.Dataset)
			}
		})
	}
	t.Run("a link out of the dataset", func(t *testing.T) {
		os.Remove(at("durations/row-001.npy"))
		if err := os.Symlink(outside, at("durations/row-001.npy")); err != nil {
			t.Fatal(err)
		}
		if r := mustBuild(t, o); len(r.Rejections) != 1 || !strings.Contains(r.Rejections[0].Reason, "link out of the dataset") {
			t.Errorf("rejections %v", r.Rejections)
		}
		o := o
		o.AudioRoots = []string{filepath.Dir(outside)}
		if r := mustBuild(t, o); r.Dataset != good.Dataset {
			t.Errorf("with the folder named, rejections %v", r.Rejections)
		}
	})
	t.Run("a folder that is a link", func(t *testing.T) {
		elsewhere := filepath.Join(filepath.Dir(c.dir), "pitch")
		for _, err := range []error{os.Rename(at("pitch"), elsewhere), os.Symlink(elsewhere, at("pitch"))} {
			if err != nil {
				t.Fatal(err)
			}
		}
		r := mustBuild(t, o)
		if len(r.Rejections) != 4 || !strings.Contains(r.Rejections[0].Reason, "pitch is a link out of the dataset") {
			t.Errorf("rejections %v", r.Rejections)
		}
	})
}

// TestColumnsOfSeveralCorporaAreTheirOwn: {id} is the id within the corpus.
func TestColumnsOfSeveralCorporaAreTheirOwn(t *testing.T) {
	t.Parallel()
	a, o := newOwnCorpus(t, 3)
	b, _ := newOwnCorpus(t, 4)
	o.Dataset, o.Corpora = "", []intake.Corpus{{Name: "a", Dir: a.dir}, {Name: "b", Dir: b.dir}}
	if r := mustBuild(t, o); r.Rows.Kept != 7 {
		t.Errorf("%+v %v", r.Rows, r.Rejections)
	}
}

// TestTheInputsOfABuildAreThoseOfItsColumnsToo: make begins a build when a value changes.
func TestTheInputsOfABuildAreThoseOfItsColumnsToo(t *testing.T) {
	t.Parallel()
	c, o := newOwnCorpus(t, 2)
	os.Remove(filepath.Join(c.dir, "pitch/row-001.npy"))
	got, err := Inputs(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"durations/row-000.npy", "durations/row-001.npy", "pitch/row-000.npy", "pitch", "emb.npz", "wavs/row-000.wav"} {
		if !slices.Contains(got, filepath.Join(c.dir, want)) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
}

// TestPropertyOwnColumnsEndInTheRootOfACleanBuild: over random histories with any number
// of workers; what a build runs of a column is at most what changed in it, and a build
// after it runs nothing.
func TestPropertyOwnColumnsEndInTheRootOfACleanBuild(t *testing.T) {
	t.Parallel()
	seeds := 4
	if testing.Short() {
		seeds = 1
	}
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 18))
		c, o := newOwnCorpus(t, 14)
		rejected, next := mustBuild(t, o).Rows.Rejected, 14
		for step := range 14 {
			id := c.rows[r.IntN(len(c.rows))].id
			i := c.find(id)
			mel := 0
			edits := []func() string{
				func() string {
					c.values(id, c.rows[i].text, (len(c.wavs[id])-44)/2, uint64(100+r.IntN(5)))
					return "values"
				},
				func() string { c.emb[id] = npyOf("<f8", []int{1, 3}, float64(r.IntN(4)), 2, 3); return "a member" },
				func() string { delete(c.files, "pitch/"+id+".npy"); return "no pitch" },
				func() string { delete(c.emb, id); return "no member" },
				func() string {
					c.row(fmt.Sprintf("row-%03d", next), "some new text", 700, uint64(r.IntN(20)))
					next, mel = next+1, 1
					return "a row"
				},
				func() string { c.row(id, "another text", (len(c.wavs[id])-44)/2, uint64(i)); mel = 1; return "a text" },
				func() string {
					c.row(id, c.rows[i].text, 640+64*r.IntN(9), uint64(r.IntN(30)))
					mel = 1
					return "audio"
				},
				func() string { c.drop(id); return "a row less" },
				func() string {
					o.Config.Columns = slices.Clone(o.Config.Columns)
					o.Config.Columns[1].Pad = float64(r.IntN(3))
					return "pad"
				},
				func() string {
					o.Config.Columns = slices.Clone(o.Config.Columns)
					o.Config.Columns[2].Steps = 4 + r.IntN(4)
					return "max"
				},
				func() string {
					o.Config.Shape.Overlong = []Overlong{OverlongReject, OverlongTruncate}[r.IntN(2)]
					return "overlong"
				},
				func() string {
					o.Config.Shape.MaxMelFrames, o.Config.Shape.MaxTextLength = 14+r.IntN(12), 12+r.IntN(20)
					mel = len(c.rows)
					return "shape"
				},
				func() string { os.RemoveAll(filepath.Join(o.Store, "cache")); return "no cache" },
			}
			name := edits[r.IntN(len(edits))]()
			c.write(t)
			o.Workers = 1 + r.IntN(2)
			o.Rehash = r.IntN(5) == 0
			got := mustBuild(t, o)
			if name != "no cache" && got.Stages["mel"].Run > mel+rejected { // rows that were left out may come back
				t.Errorf("seed %d step %d, %s: %d mels ran, want at most %d", seed, step, name, got.Stages["mel"].Run, mel+rejected)
			}
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
			rejected = got.Rows.Rejected
			again := mustBuild(t, o)
			for stage, n := range again.Stages {
				if n.Run > 0 && !o.Rehash {
					t.Errorf("seed %d step %d, %s: a build after it ran %s for %d rows", seed, step, name, stage, n.Run)
				}
			}
			if !again.UpToDate || again.BytesWritten != 0 {
				t.Errorf("seed %d step %d, %s: a build after it wrote %d bytes", seed, step, name, again.BytesWritten)
			}
		}
		if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { t.Errorf("seed %d: verify --sources: %v", seed, f) }); err != nil {
			t.Error(err)
		}
	}
}
