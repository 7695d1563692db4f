package gpufeed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

func reader(t testing.TB, set *plan.Set, checks Checks) *Reader {
	t.Helper()
	r, err := NewReader(set, checks)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func layout(t testing.TB, schema store.Schema, samples, frames int) *Layout {
	t.Helper()
	return formed(t, schema, samples, Form{Frames: frames})
}

func formed(t testing.TB, schema store.Schema, samples int, form Form) *Layout {
	t.Helper()
	l, err := NewLayout(schema, samples, form)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// naive is what a slot must hold, read value by value, over a background that
// shows what nobody writes.
func naive(t testing.TB, set *plan.Set, l *Layout, rows []uint32, background byte) []byte {
	t.Helper()
	return naively(t, set, l, Delivery{Rows: rows}, background)
}

func naively(t testing.TB, set *plan.Set, l *Layout, d Delivery, background byte) []byte {
	t.Helper()
	slot := bytes.Repeat([]byte{background}, l.Bytes)
	for _, f := range l.Fields {
		clear(slot[f.Offset+len(d.Rows)*f.Size : f.Offset+l.Samples*f.Size])
		for i, row := range d.Rows {
			if d.Skip == nil || !d.Skip[i] {
				naiveField(t, set, l, f.Column, d, row, slot[f.Offset+i*f.Size:f.Offset+(i+1)*f.Size])
			}
		}
	}
	return slot
}

// naiveField writes one value of one row.
func naiveField(t testing.TB, set *plan.Set, l *Layout, c store.Column, d Delivery, row uint32, dst []byte) {
	t.Helper()
	name, isReference := strings.CutPrefix(c.Name, "reference_")
	if isReference {
		row = set.Reference(d.Seed, d.Epoch, row)
	}
	start, length := 0, int(scalarOf(t, set, row, "mel_len"))
	if l.Form.Segment > 0 && !isReference {
		start = naiveStart(t, set, d, row, length, l.Form.Segment)
		length = min(length, l.Form.Segment)
	}
	clear(dst)
	switch {
	case name == "mel_start":
		binary.LittleEndian.PutUint32(dst, uint32(start))
	case name == "mel_len" && isReference && l.Form.Frames < length:
		binary.LittleEndian.PutUint32(dst, uint32(l.Form.Frames))
	case name == "mel_len":
		binary.LittleEndian.PutUint32(dst, uint32(length))
	case c.Inline():
		binary.LittleEndian.PutUint32(dst, uint32(scalarOf(t, set, row, name)))
	default:
		v, err := set.Dataset().Value(set.At(row), name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "mel" || name == "energy" {
			v = v[start*c.RowBytes():]
		}
		copy(dst, v)
	}
}

func scalarOf(t testing.TB, set *plan.Set, row uint32, column string) int32 {
	t.Helper()
	if set.Dataset().Root.Schema.Index(column) < 0 {
		return 0
	}
	v, err := set.Dataset().Scalar(set.At(row), column)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// naiveStart is floor(H × choices / 2^64), in numbers of any size.
func naiveStart(t testing.TB, set *plan.Set, d Delivery, row uint32, length, segment int) int {
	t.Helper()
	id, err := set.ID(row)
	if err != nil {
		t.Fatal(err)
	}
	return naiveChoice(naiveDraw('c', d.Seed, d.Epoch, id, 0), max(0, length-segment)+1)
}

// TestASlotHoldsEveryByte: whatever the rows, their number, the shape and what
// stood in the slot, each field has the samples' values, zeros where there is
// no sample, and the gaps between fields are left alone.
func TestASlotHoldsEveryByte(t *testing.T) {
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, datatest.Samples(61))
	small := l.Open(1)[0]
	l = datatest.NewLab(t)
	l.Write(16, datatest.WideSchema, datatest.Samples(61))
	wide := l.Open(1)[0]
	r := rand.New(rand.NewPCG(3, 3))
	for _, d := range []*store.Dataset{small, wide} {
		schema := d.Root.Schema
		set := choose(t, d, plan.Selection{})
		for _, checks := range []Checks{ChecksFirst, ChecksAlways, ChecksOff} {
			reader := reader(t, set, checks)
			for range 40 {
				samples := 1 + r.IntN(9)
				layout := layout(t, schema, samples, r.IntN(schema[1].Shape[0]+1))
				rows := make([]uint32, r.IntN(samples+1))
				for i := range rows {
					rows[i] = uint32(r.IntN(set.Len()))
				}
				slot := bytes.Repeat([]byte{0xA5}, layout.Bytes)
				if err := reader.Fill(layout, Delivery{Rows: rows}, slot); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(slot, naive(t, set, layout, rows, 0xA5)) {
					t.Fatalf("checks %s: %d of %d rows with mel %v: the slot is not what the store has", checks, len(rows), samples, layout.Fields[1].Column)
				}
			}
		}
	}
}

func TestALayout(t *testing.T) {
	l := layout(t, datatest.Schema, 10, 5)
	end := 0
	for i, f := range l.Fields {
		if f.Offset%fieldAlign != 0 || f.Offset < end || f.Column.Name != datatest.Schema[i].Name {
			t.Errorf("field %d = %+v, want %s at a multiple of %d from %d on", i, f, datatest.Schema[i].Name, fieldAlign, end)
		}
		end = f.Offset + 10*f.Size
	}
	if l.Bytes < end || l.Bytes%fieldAlign != 0 {
		t.Errorf("%d bytes, want a multiple of %d from %d on", l.Bytes, fieldAlign, end)
	}
	if f, ok := l.Field("mel"); !ok || !slices.Equal(f.Column.Shape, []int{5, datatest.Mels}) || f.Size != 5*datatest.Mels*4 {
		t.Errorf("mel = %+v, want it cut to 5 frames", f)
	}
	if datatest.Schema[1].Shape[0] != datatest.Frames {
		t.Error("the schema was changed")
	}
	if _, ok := l.Field("pitch"); ok {
		t.Error("there is a field pitch")
	}
	for _, bad := range [][2]int{{0, 0}, {-1, 0}, {1, -1}, {1, datatest.Frames + 1}} {
		if _, err := NewLayout(datatest.Schema, bad[0], Form{Frames: bad[1]}); err == nil {
			t.Errorf("NewLayout(%d samples, %d frames) was accepted", bad[0], bad[1])
		}
	}
	if _, err := NewLayout(store.Schema{{Name: "x", DType: store.Int16}}, 1, Form{}); err == nil {
		t.Error("a scalar of 2 bytes was accepted")
	}
}

// TestADamagedSampleIsFoundBeforeItIsGivenOut, with its id and column, and only
// that sample.
func TestADamagedSampleIsFoundBeforeItIsGivenOut(t *testing.T) {
	for _, column := range []string{"tokens", "mel"} {
		samples := datatest.Samples(30)
		samples[17].Spoilt = column
		set := choose(t, datatest.Dataset(t, samples), plan.Selection{})
		l := layout(t, datatest.Schema, 1, 0)
		slot := make([]byte, l.Bytes)
		for _, checks := range []Checks{ChecksFirst, ChecksAlways, ChecksOff} {
			r := reader(t, set, checks)
			for range 2 {
				for row := range uint32(30) {
					err := r.Fill(l, Delivery{Rows: []uint32{row}}, slot)
					id, _ := set.ID(row)
					bad := id == samples[17].ID && checks != ChecksOff
					var corrupt *plan.CorruptError
					switch {
					case errors.Is(err, plan.ErrCorrupt) != bad || !bad && err != nil:
						t.Errorf("checks %s, %s: error = %v, want corrupt = %v", checks, id, err, bad)
					case bad && (!errors.As(err, &corrupt) || corrupt.ID != id || corrupt.Column != column || corrupt.Row != row):
						t.Errorf("checks %s: error = %#v, want %s, %s", checks, err, id, column)
					case bad && !strings.Contains(err.Error(), id+", column "+column):
						t.Errorf("error = %v, want id and column in it", err)
					}
				}
			}
		}
	}
}

// TestWhenChecksumsAreCompared: damage that comes after the first look is found
// by always alone.
func TestWhenChecksumsAreCompared(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(9)), plan.Selection{})
	l := layout(t, datatest.Schema, 1, 0)
	slot := make([]byte, l.Bytes)
	for checks, want := range map[Checks]bool{ChecksFirst: false, ChecksAlways: true, ChecksOff: false} {
		r := reader(t, set, checks)
		if err := r.Fill(l, Delivery{Rows: []uint32{4}}, slot); err != nil {
			t.Fatal(err)
		}
		at := set.At(4)
		tokens := r.leaves[at.Leaf].Load().blocks[0].Row(at.Row) // of less than 1 KiB: a copy that we may write
		tokens[0] ^= 1
		if err := r.Fill(l, Delivery{Rows: []uint32{4}}, slot); errors.Is(err, plan.ErrCorrupt) != want {
			t.Errorf("checks %s: error = %v, want corrupt = %v", checks, err, want)
		}
	}
	if _, err := NewReader(set, "sometimes"); err == nil {
		t.Error("checksums sometimes was accepted")
	}
}

// TestChecksumsAreForgottenWhenAllAreChecked, not before.
func TestChecksumsAreForgottenWhenAllAreChecked(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{})
	l := layout(t, datatest.Schema, 1, 0)
	r, slot := reader(t, set, ChecksFirst), make([]byte, l.Bytes)
	for row := range uint32(40) {
		if err := r.Fill(l, Delivery{Rows: []uint32{row}}, slot); err != nil {
			t.Fatal(err)
		}
		at := set.At(row)
		last := at.Row == set.Dataset().Shards[at.Leaf].Rows-1
		if gone := r.leaves[at.Leaf].Load().sums == nil; gone != last {
			t.Errorf("row %d of a shard of %d: sums forgotten = %v", at.Row, set.Dataset().Shards[at.Leaf].Rows, gone)
		}
	}
}

// TestOnlyWhatIsWantedIsTouched: a row resolves its own shard.
func TestOnlyWhatIsWantedIsTouched(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{})
	l := layout(t, datatest.Schema, 2, 0)
	r := reader(t, set, ChecksFirst)
	if err := r.Fill(l, Delivery{Rows: []uint32{7}}, make([]byte, l.Bytes)); err != nil {
		t.Fatal(err)
	}
	for i := range r.leaves {
		if known, want := r.leaves[i].Load() != nil, i == set.At(7).Leaf; known != want {
			t.Errorf("shard %d is known = %v, want %v", i, known, want)
		}
	}
}

func TestWhatDoesNotFitIntoASlotIsRefused(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(9)), plan.Selection{})
	l := layout(t, datatest.Schema, 2, 0)
	r := reader(t, set, ChecksFirst)
	if err := r.Fill(l, Delivery{Rows: []uint32{1, 2, 3}}, make([]byte, l.Bytes)); err == nil {
		t.Error("3 rows were taken for 2")
	}
	if err := r.Fill(l, Delivery{Rows: []uint32{1}}, make([]byte, l.Bytes-1)); err == nil {
		t.Error("a slot that is too short was taken")
	}
}

// TestAPackCutShortUnderTheReaderIsAnError, not the end of the process.
func TestAPackCutShortUnderTheReaderIsAnError(t *testing.T) {
	for _, known := range []bool{true, false} {
		l := datatest.NewLab(t)
		l.Write(16, datatest.WideSchema, datatest.Samples(40))
		set := choose(t, l.Open(1)[0], plan.Selection{})
		shape := layout(t, datatest.WideSchema, 4, 0)
		r, slot := reader(t, set, ChecksOff), make([]byte, shape.Bytes)
		rows := []uint32{9, 10, 11, 12}
		if known {
			if err := r.Fill(shape, Delivery{Rows: rows}, slot); err != nil {
				t.Fatal(err)
			}
		}
		l.Truncate("*.vlog")
		if err := r.Fill(shape, Delivery{Rows: rows}, slot); !errors.Is(err, plan.ErrCorrupt) {
			t.Errorf("shards known = %v: error = %v, want ErrCorrupt", known, err)
		}
	}
}

// TestFillersShareAReader: two at a time over the same rows, from the first
// look on, get every byte.
func TestFillersShareAReader(t *testing.T) {
	l := datatest.NewLab(t)
	l.Write(16, datatest.WideSchema, datatest.Samples(64))
	set := choose(t, l.Open(1)[0], plan.Selection{})
	shape := layout(t, datatest.WideSchema, 8, 0)
	for try := range uint64(10) {
		r := reader(t, set, ChecksFirst)
		var wg sync.WaitGroup
		for filler := range uint64(2) {
			wg.Go(func() {
				random := rand.New(rand.NewPCG(try, filler))
				rows, slot := make([]uint32, 8), make([]byte, shape.Bytes)
				for range 12 {
					for i := range rows {
						rows[i] = uint32(random.IntN(64))
					}
					if err := r.Fill(shape, Delivery{Rows: rows}, slot); err != nil {
						t.Error(err)
						return
					}
					if !bytes.Equal(slot, naive(t, set, shape, rows, 0)) {
						t.Error("the slot is not what the store has")
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestFillingCostsNoAllocation(t *testing.T) {
	l := datatest.NewLab(t)
	l.Write(16, datatest.WideSchema, datatest.Samples(64))
	set := choose(t, l.Open(1)[0], plan.Selection{})
	shape := layout(t, datatest.WideSchema, 16, 0)
	slot, rows := make([]byte, shape.Bytes), make([]uint32, 16)
	for _, checks := range []Checks{ChecksFirst, ChecksAlways, ChecksOff} {
		r, b := reader(t, set, checks), walk(t, set, plan.Global, 1, 0, plan.Options{Batch: 16})
		for range 4 {
			share, _ := b.Next(rows)
			if err := r.Fill(shape, Delivery{Rows: share.Rows}, slot); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(50, func() {
			if r.Fill(shape, Delivery{Rows: rows}, slot) != nil {
				t.Fatal("a fill failed")
			}
		}); n != 0 {
			t.Errorf("checks %s: %v allocations a batch, want 0", checks, n)
		}
	}
}

// BenchmarkFill fills slots with batches of 32 of LJSpeech's shape (800 B of
// tokens, 256 kB of mel) in shuffled order from the page cache, and copies as
// many bytes from ordinary memory in turn with it. copy-ratio is the time of
// the copies over that of the fills, by the median batch.
func BenchmarkFill(b *testing.B) {
	const batch, rows = 32, 384
	schema := slices.Clone(datatest.WideSchema)
	schema[1].Shape = []int{800, 80}
	l := datatest.NewLab(b)
	samples := datatest.Samples(rows)
	for i := range samples {
		samples[i].MelLen = int32(300 + i) // real frames; the rest of the 800 is zero
	}
	l.Write(16, schema, samples)
	set := choose(b, l.Open(1)[0], plan.Selection{})
	shape := layout(b, schema, batch, 0)
	source := bytes.Repeat([]byte{7}, rows/batch*shape.Bytes)
	slots := [3][]byte{}
	for i := range slots {
		slots[i] = bytes.Repeat([]byte{1}, shape.Bytes)
	}
	for _, checks := range []Checks{ChecksFirst, ChecksAlways, ChecksOff} {
		b.Run(string(checks), func(b *testing.B) {
			r := reader(b, set, checks)
			w := walk(b, set, plan.Global, 1, 0, plan.Options{Batch: batch})
			var fills, copies []time.Duration
			dst, n := make([]uint32, batch), 0
			b.SetBytes(int64(shape.Bytes))
			turn := func() {
				share, ok := w.Next(dst)
				if !ok {
					w = walk(b, set, plan.Global, 1, uint64(n), plan.Options{Batch: batch})
					share, _ = w.Next(dst)
				}
				start := time.Now()
				if err := r.Fill(shape, Delivery{Rows: share.Rows}, slots[n%3]); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				copy(slots[(n+1)%3], source[n%(rows/batch)*shape.Bytes:][:shape.Bytes])
				fills, copies = append(fills, middle.Sub(start)), append(copies, time.Since(middle))
				n++
			}
			for range rows / batch { // every sample once: what follows is the steady state
				turn()
			}
			fills, copies = fills[:0], copies[:0]
			for b.Loop() {
				turn()
			}
			slices.Sort(fills)
			slices.Sort(copies)
			fill, plain := fills[len(fills)/2], copies[len(copies)/2]
			b.ReportMetric(float64(plain)/float64(fill), "copy-ratio")
			b.ReportMetric(batch/fill.Seconds(), "samples/s")
			b.ReportMetric(float64(shape.Bytes)/fill.Seconds()/1e9, "fill-GB/s")
			b.ReportMetric(float64(shape.Bytes)/plain.Seconds()/1e9, "copy-GB/s")
		})
	}
}
