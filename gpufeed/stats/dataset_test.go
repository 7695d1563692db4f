package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"voxpack/audio"
	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

// root has a column of each kind: the program's own along the frames, one that has its
// own number of steps, one along the tokens, a vector, a number, and one that has no
// statistics.
var root = store.Root{
	PerShard: 4,
	Schema: store.Schema{
		{Name: "tokens", DType: store.Int32, Shape: []int{5}},
		{Name: "mel", DType: store.Float32, Shape: []int{8, 3}},
		{Name: "text_len", DType: store.Int32},
		{Name: "mel_len", DType: store.Int32},
		{Name: "speaker", DType: store.Int32},
		{Name: "f0", DType: store.Float32, Shape: []int{8}},
		{Name: "codes", DType: store.Int16, Shape: []int{6, 2}},
		{Name: "codes_len", DType: store.Int32},
		{Name: "durations", DType: store.Int32, Shape: []int{5}},
		{Name: "mos", DType: store.Int32},
		{Name: "vector", DType: store.Float16, Shape: []int{4}},
	},
	Config: []store.Named{
		{Name: "column_codes", Value: "length own, pad 7"}, {Name: "column_durations", Value: "length text_len"},
		{Name: "column_mos", Value: "length fixed"}, {Name: "column_vector", Value: "length fixed"},
	},
	Speakers: []string{"anna", "ben", "cleo"},
}

// utterance is a clip whose values are numbers: padding is 99 everywhere, as the user's may be.
type utterance struct{ datatest.Clip }

func utterances(r *rand.Rand, n int) []utterance {
	var list []utterance
	for _, c := range datatest.SomeClips(r, n, root.Schema) {
		c.Scalars["speaker"] = int32(r.IntN(3))
		c.Scalars["codes_len"] = int32(r.IntN(7))
		list = append(list, utterance{c})
	}
	return list
}

// steps is how many steps of a column are in use.
func (u utterance) steps(c store.Column) int {
	switch c.Name {
	case "mel", "f0":
		return int(u.Scalars["mel_len"])
	case "codes":
		return int(u.Scalars["codes_len"])
	case "tokens", "durations":
		return int(u.Scalars["text_len"])
	}
	return c.Shape[0]
}

// values are the numbers of a column that are in use, step by step.
func (u utterance) values(c store.Column) []float64 {
	if c.Inline() {
		return []float64{float64(u.Scalars[c.Name])}
	}
	r := rand.New(rand.NewPCG(u.Content, store.Checksum([]byte(c.Name))))
	list := make([]float64, u.steps(c)*c.RowBytes()/c.DType.Size())
	for i := range list {
		switch {
		case c.Name == "f0" && r.IntN(3) == 0:
		case c.DType == store.Float32:
			list[i] = float64(float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(9)-4))))
		case c.DType == store.Float16:
			list[i] = float64(r.IntN(1000)) / 8
		default:
			list[i] = float64(r.IntN(60000) - 30000)
		}
	}
	return list
}

// Bytes is the value of a column with its padding.
func (u utterance) Bytes(c store.Column) []byte {
	values := u.values(c)
	for len(values) < c.SampleBytes()/c.DType.Size() {
		values = append(values, 99)
	}
	b := make([]byte, c.SampleBytes())
	for i, v := range values {
		at := b[i*c.DType.Size():]
		switch c.DType {
		case store.Float32:
			audio.PutFloat32(at, []float32{float32(v)})
		case store.Float16:
			audio.PutFloat16(at, []float32{float32(v)})
		case store.Int16:
			at[0], at[1] = byte(int16(v)), byte(int16(v)>>8)
		case store.Int32:
			for k := range 4 {
				at[k] = byte(int32(v) >> (8 * k))
			}
		}
	}
	return b
}

// naive is the statistics of rows in two passes.
func naive(values []float64) Value {
	v := Value{Count: uint64(len(values))}
	if len(values) == 0 {
		return v
	}
	for _, x := range values {
		v.Mean += x / float64(len(values))
	}
	for _, x := range values {
		v.Std += (x - v.Mean) * (x - v.Mean)
	}
	v.Std = math.Sqrt(v.Std / float64(len(values)))
	v.Min, v.Max = slices.Min(values), slices.Max(values)
	return v
}

func near(a, b Value) bool {
	bound := 1e-12 * max(1, math.Abs(b.Min), math.Abs(b.Max))
	return a.Count == b.Count && a.Min == b.Min && a.Max == b.Max && math.Abs(a.Mean-b.Mean) <= bound && math.Abs(a.Std-b.Std) <= bound
}

// compute is Of, which must succeed.
func compute(t testing.TB, d *store.Dataset, dir string) (*Stats, Work) {
	t.Helper()
	s, work, err := Of(t.Context(), d, dir)
	if err != nil || work.Unkept != nil {
		t.Fatal(err, work.Unkept)
	}
	return s, work
}

func TestStatisticsAreThoseOfTheValuesInUse(t *testing.T) {
	rows := utterances(rand.New(rand.NewPCG(1, 1)), 60)
	got, _ := compute(t, datatest.Of(t, root, rows), "")
	names := []string{}
	for _, c := range got.Columns {
		names = append(names, c.Name)
		column := root.Schema[root.Schema.Index(c.Name)]
		width := 1
		if len(column.Shape) > 0 {
			width = column.RowBytes() / column.DType.Size()
		}
		if c.Name == "vector" {
			width = 4
		}
		var all []float64
		bands, speakers := make([][]float64, width), make([][]float64, 3)
		for _, row := range rows {
			for i, v := range row.values(column) {
				if c.Name == "f0" && v == 0 {
					continue // without a voice
				}
				all = append(all, v)
				bands[i%width] = append(bands[i%width], v)
				speakers[row.Scalars["speaker"]] = append(speakers[row.Scalars["speaker"]], v)
			}
		}
		if want := naive(all); !near(c.Value, want) {
			t.Errorf("%s: %+v, want %+v", c.Name, c.Value, want)
		}
		for i, s := range c.Speakers {
			if want := naive(speakers[i]); !near(s.Value, want) || s.Speaker != root.Speakers[i] {
				t.Errorf("%s of %s: %+v, want %+v of %s", c.Name, s.Speaker, s.Value, want, root.Speakers[i])
			}
		}
		if width == 1 {
			width = 0
		}
		if len(c.Bands) != width || len(c.Speakers) != 3 {
			t.Fatalf("%s: %d bands, %d speakers", c.Name, len(c.Bands), len(c.Speakers))
		}
		for i, b := range c.Bands {
			if want := naive(bands[i]); !near(b, want) {
				t.Errorf("%s, band %d: %+v, want %+v", c.Name, i, b, want)
			}
		}
	}
	if want := []string{"mel", "f0", "codes", "durations", "mos", "vector"}; !slices.Equal(names, want) {
		t.Errorf("columns %v, want %v", names, want)
	}
}

// edit changes, adds and removes some rows.
func edit(r *rand.Rand, rows []utterance) []utterance {
	rows = slices.Clone(rows)
	for range 1 + r.IntN(3) {
		at := r.IntN(len(rows))
		switch r.IntN(3) {
		case 0:
			rows[at].Content = r.Uint64()
		case 1:
			if len(rows) > 1 {
				rows = slices.Delete(rows, at, at+1)
			}
		case 2:
			more := utterances(r, 1)
			more[0].ID = fmt.Sprint("new", r.Uint64())
			rows = append(rows, more[0])
		}
	}
	return rows
}

func TestAfterEditsStatisticsAreThoseOfAFreshBuild(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	rows, dir := utterances(r, 150), t.TempDir()
	for round := range 12 {
		d := datatest.Of(t, root, rows)
		fresh, work := compute(t, d, "")
		if work.Computed != len(d.Shards) {
			t.Fatalf("%d of %d shards were read without a memo", work.Computed, len(d.Shards))
		}
		kept, work := compute(t, d, dir)
		if !reflect.DeepEqual(kept, fresh) {
			t.Fatalf("round %d: after edits %+v, fresh %+v", round, kept, fresh)
		}
		if round > 0 && work.Computed > 6 { // three edits touch three leaves, and where one splits or merges two for one
			t.Errorf("round %d: an edit of up to 3 rows read %d of %d shards", round, work.Computed, len(d.Shards))
		}
		if _, work = compute(t, d, dir); work.Computed != 0 {
			t.Errorf("round %d: nothing was edited, and %d shards were read", round, work.Computed)
		}
		files, _ := os.ReadDir(dir)
		if len(files) != work.Groups {
			t.Errorf("%d memos for %d groups", len(files), work.Groups)
		}
		rows = edit(r, rows)
	}
}

func TestShardsOfAnotherSizeGiveTheSameStatistics(t *testing.T) {
	rows := utterances(rand.New(rand.NewPCG(3, 3)), 80)
	var first *Stats
	for _, k := range []int{1, 4, 64} {
		other := root
		other.PerShard = k
		got, _ := compute(t, datatest.Of(t, other, rows), "")
		got.Dataset = ""
		if first == nil {
			first = got
		}
		if !reflect.DeepEqual(got, first) {
			t.Errorf("with %d rows in a shard: %+v, with 1: %+v", k, got, first)
		}
	}
}

// Whatever is done to memos, the statistics stay.
func TestADamagedMemoIsMadeAnew(t *testing.T) {
	dir, d := t.TempDir(), datatest.Of(t, root, utterances(rand.New(rand.NewPCG(4, 4)), 100))
	want, _ := compute(t, d, dir)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) < 2 {
		t.Fatalf("%d memos", len(files))
	}
	for i, damage := range [][]byte{nil, []byte("x"), []byte(memoMagic), make([]byte, 200)} {
		if err := os.WriteFile(files[i%2], damage, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, work := compute(t, d, dir); work.Computed == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("damage %d: %d computed, %+v", i, work.Computed, got)
		}
	}
	b, _ := os.ReadFile(files[0])
	b[len(b)/2] ^= 1
	if err := os.WriteFile(files[0], b, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, work := compute(t, d, dir); work.Computed == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("a flipped bit: %d computed", work.Computed)
	}
}

func TestAMemoOfAnotherSchemaIsNotTaken(t *testing.T) {
	dir, rows := t.TempDir(), utterances(rand.New(rand.NewPCG(5, 5)), 20)
	compute(t, datatest.Of(t, root, rows), dir)
	other := root
	other.Config = slices.Clone(root.Config)
	other.Config[0].Value = "length fixed" // all steps of codes count, in blocks of the same bytes
	d := datatest.Of(t, other, rows)
	got, work := compute(t, d, dir)
	want, _ := compute(t, d, "")
	if work.Computed == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("codes %+v, want %+v", got.Column("codes").Value, want.Column("codes").Value)
	}
}

func TestDamagedSamplesAreAnErrorAndNoStatistics(t *testing.T) {
	d := datatest.Dataset(t, []datatest.Sample{{ID: "a", MelLen: 3}, {ID: "b", MelLen: 3, Spoilt: "mel"}})
	if s, _, err := Of(t.Context(), d, ""); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%+v, %v, want ErrDamaged", s, err)
	}
}

// Many that ask at the same time all get the statistics, and leave sound memos alone.
func TestManyWritersOfMemos(t *testing.T) {
	dir, d := t.TempDir(), datatest.Of(t, root, utterances(rand.New(rand.NewPCG(8, 8)), 100))
	want, _ := compute(t, d, "")
	for _, name := range []string{groupsOf(d.Shards)[0].name(), group{depth: 48}.name()} {
		if err := os.WriteFile(filepath.Join(dir, temporaryPrefix+name), []byte("left by a kill"), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got, work, err := Of(t.Context(), d, dir); err != nil || work.Unkept != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %v", err, work.Unkept)
			}
		})
	}
	wait.Wait()
	if got, _ := compute(t, d, dir); !reflect.DeepEqual(got, want) {
		t.Error("memos of many writers give other statistics")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Users of a group share what one of them has computed: a memo has the rights that the
// umask leaves, as every other file of a store.
func TestAMemoIsForAGroupToRead(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	compute(t, datatest.Of(t, root, utterances(rand.New(rand.NewPCG(7, 7)), 3)), dir)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	want, _ := os.Stat(plain)
	if got, err := os.Stat(files[0]); err != nil || got.Mode() != want.Mode() {
		t.Errorf("%v, %v, want %v", got.Mode(), err, want.Mode())
	}
}

func TestAFolderThatCannotBeWrittenIsNoError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	d := datatest.Of(t, root, utterances(rand.New(rand.NewPCG(6, 6)), 10))
	s, work, err := Of(t.Context(), d, filepath.Join(file, "stats"))
	if err != nil || work.Unkept == nil || s.Column("mel").Count == 0 {
		t.Errorf("%v, %v", work, err)
	}
}

func FuzzMemo(f *testing.F) {
	columns := columnsOf(&root)
	p := newPart(columns)
	p[0].bands[1] = sumOf(1, 2, -3e30)
	p[0].of(2).Add(&p[0].bands[1])
	m := memo{recipe: recipe(columns), whole: p.encode(), leaves: map[store.Digest][]byte{{1}: p.encode()}}
	f.Add(m.encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		read := decodeMemo(b, m.recipe)
		into := newPart(columns)
		if !into.addCoded(b, columns) && !reflect.DeepEqual(into, newPart(columns)) {
			t.Error("bytes that are no part changed the sums")
		}
		into.addCoded(read.whole, columns)
	})
}
