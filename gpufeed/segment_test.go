package gpufeed

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// formedSets are sets of several shapes of dataset, with references: with and
// without speakers, blocks in the tree of keys and in the value log, splits,
// filters, weights and buckets.
func formedSets(t *testing.T) []*plan.Set {
	t.Helper()
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, datatest.Samples(61))
	small := l.Open(1)[0]
	l = datatest.NewLab(t)
	wideRows := datatest.Samples(61)
	for i := range wideRows {
		wideRows[i].MelLen = int32(1 + i*79/60) // 1 to 80
	}
	l.Write(16, datatest.WideSchema, wideRows)
	wide := l.Open(1)[0]
	var sets []*plan.Set
	for _, c := range []struct {
		d *store.Dataset
		s plan.Selection
	}{
		{small, plan.Selection{}},
		{small, plan.Selection{Split: plan.Train, Val: 0.3, Buckets: []int{3, 6}}},
		{small, plan.Selection{Speakers: []int32{0, 2}, Weights: []plan.Weight{{Column: "language", Value: 1, Times: 2}}}},
		{wide, plan.Selection{}},
		{wide, plan.Selection{Split: plan.Val, Val: 0.5, Buckets: []int{20, 50}}},
	} {
		set, err := choose(t, c.d, c.s).WithReferences()
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
	}
	return sets
}

// TestAFormedSlotHoldsEveryByte: for any segment, with references or without,
// any seed, epoch, bucket and choice of rows, the slot has what a reader of
// single values finds, and what is skipped stays.
func TestAFormedSlotHoldsEveryByte(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for n, set := range formedSets(t) {
		reader := reader(t, set, []Checks{ChecksFirst, ChecksAlways, ChecksOff}[n%3])
		for range 60 {
			bucket := r.IntN(len(set.Buckets()))
			form := Form{Frames: set.Buckets()[bucket], Reference: r.IntN(2) == 0}
			if r.IntN(3) > 0 {
				form.Segment = 1 + r.IntN(form.Frames)
			}
			l := formed(t, set.Dataset().Root.Schema, 1+r.IntN(9), form)
			d := Delivery{Seed: r.Uint64(), Epoch: uint64(r.IntN(4)), Rows: make([]uint32, r.IntN(l.Samples+1))}
			for i := range d.Rows {
				d.Rows[i] = set.BucketRows(bucket)[r.IntN(len(set.BucketRows(bucket)))]
			}
			if r.IntN(3) == 0 {
				d.Skip = make([]bool, len(d.Rows))
				for i := range d.Skip {
					d.Skip[i] = r.IntN(2) == 0
				}
			}
			slot := bytes.Repeat([]byte{0xA5}, l.Bytes)
			if err := reader.Fill(l, d, slot); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(slot, naively(t, set, l, d, 0xA5)) {
				t.Fatalf("set %d, %+v, %d of %d rows: the slot is not what the store has", n, form, len(d.Rows), l.Samples)
			}
		}
	}
}

// valuesOf reads a 4-byte field of a filled slot.
func valuesOf(t testing.TB, l *Layout, column string, slot []byte) []int {
	t.Helper()
	f, ok := l.Field(column)
	if !ok {
		t.Fatalf("no field %s", column)
	}
	var list []int
	for i := range l.Samples {
		list = append(list, int(int32(binary.LittleEndian.Uint32(f.at(slot, i)))))
	}
	return list
}

// TestDrawsKnowNoBatch: a row has the same crop and the same reference in any
// batch, at any position, of any rank.
func TestDrawsKnowNoBatch(t *testing.T) {
	set := formedSets(t)[0]
	form := Form{Frames: datatest.Frames, Segment: 2, Reference: true}
	reader := reader(t, set, ChecksFirst)
	starts, references := map[uint32]int{}, map[uint32]string{}
	for _, p := range []plan.Options{{Batch: 1}, {Batch: 7, Tail: plan.Pad}, {Batch: 12, Tail: plan.Pad, World: 3}, {Batch: 12, Tail: plan.Wrap, World: 2}} {
		l := formed(t, datatest.Schema, p.Share(), form)
		slot, rows := make([]byte, l.Bytes), make([]uint32, p.Share())
		mel, _ := l.Field("reference_mel")
		for p.Rank = range max(1, p.World) {
			b := walk(t, set, plan.Global, 3, 4, p)
			for {
				share, ok := b.Next(rows)
				if !ok {
					break
				}
				if err := reader.Fill(l, Delivery{Seed: 3, Epoch: 4, Rows: share.Rows}, slot); err != nil {
					t.Fatal(err)
				}
				for i, row := range share.Rows {
					start, reference := valuesOf(t, l, "mel_start", slot)[i], string(mel.at(slot, i))
					if p.Batch == 1 {
						starts[row], references[row] = start, reference
					} else if starts[row] != start || references[row] != reference {
						t.Errorf("%+v: row %d has another crop or reference than alone", p, row)
					}
				}
			}
		}
	}
	if len(starts) != set.Len() {
		t.Errorf("%d rows came, want %d", len(starts), set.Len())
	}
}

// TestAColumnAlongTheFramesIsCroppedWithThem, whatever its name and type.
func TestAColumnAlongTheFramesIsCroppedWithThem(t *testing.T) {
	schema := append(slices.Clone(datatest.Schema), store.Column{Name: "energy", DType: store.Float16, Shape: []int{datatest.Frames}})
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, schema, datatest.Samples(40))
	set := choose(t, l.Open(1)[0], plan.Selection{Buckets: []int{6}})
	shape := formed(t, schema, 4, Form{Frames: 6, Segment: 3})
	if f, _ := shape.Field("energy"); !slices.Equal(f.Column.Shape, []int{3}) || f.Size != 6 {
		t.Errorf("energy = %+v, want 3 frames", f)
	}
	r, moved := reader(t, set, ChecksFirst), 0
	for epoch := range uint64(5) {
		for i := 0; i+4 <= len(set.BucketRows(0)); i += 4 {
			d := Delivery{Seed: 1, Epoch: epoch, Rows: set.BucketRows(0)[i : i+4]}
			slot := make([]byte, shape.Bytes)
			if err := r.Fill(shape, d, slot); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(slot, naively(t, set, shape, d, 0)) {
				t.Fatal("the slot is not what the store has")
			}
			for _, start := range valuesOf(t, shape, "mel_start", slot) {
				moved += start
			}
		}
	}
	if moved == 0 {
		t.Error("no crop began after the first frame")
	}
}

// TestSamplesAreCroppedWithTheMel: sample n of a crop is sample start × hop + n of the row, and what
// the row has no sample for is padding.
func TestSamplesAreCroppedWithTheMel(t *testing.T) {
	const hop, segment = 5, 3
	schema := append(slices.Clone(datatest.Schema), store.Column{Name: "pcm", DType: store.Int16, Shape: []int{datatest.Frames * hop}},
		store.Column{Name: "pcm_len", DType: store.Int32})
	r := rand.New(rand.NewPCG(7, 8))
	clips := datatest.SomeClips(r, 40, schema)
	for i := range clips { // a mel has as many frames as whole hops, or one more
		clips[i].Scalars["pcm_len"] = max(0, clips[i].Scalars["mel_len"]*hop+int32(r.IntN(2*hop)-hop))
	}
	l := datatest.NewLab(t)
	set := choose(t, l.Clips(datatest.PerShard, schema, clips)[0], plan.Selection{})
	shape := formed(t, schema, 1, Form{Segment: segment})
	pcm, _ := shape.Field("pcm")
	if !slices.Equal(pcm.Column.Shape, []int{segment * hop}) || pcm.Along != "pcm_len" {
		t.Fatalf("pcm = %+v, want %d samples", pcm, segment*hop)
	}
	reader, moved, padded := reader(t, set, ChecksFirst), 0, 0
	slot := make([]byte, shape.Bytes)
	for row := range uint32(set.Len()) {
		if err := reader.Fill(shape, Delivery{Seed: 1, Rows: []uint32{row}}, slot); err != nil {
			t.Fatal(err)
		}
		whole, err := set.Dataset().Value(set.At(row), "pcm")
		if err != nil {
			t.Fatal(err)
		}
		start, length := valuesOf(t, shape, "mel_start", slot)[0], valuesOf(t, shape, "pcm_len", slot)[0]
		if want := min(segment*hop, max(0, int(scalarOf(t, set, row, "pcm_len"))-start*hop)); length != want {
			t.Errorf("row %d: %d samples from frame %d, want %d", row, length, start, want)
		}
		if got := pcm.at(slot, 0); !bytes.Equal(got, whole[start*hop*2:][:segment*hop*2]) {
			t.Errorf("row %d: the samples of frame %d and on are not those of the clip", row, start)
		}
		moved += start
		if length < segment*hop {
			padded++
		}
	}
	if moved == 0 || padded == 0 {
		t.Errorf("crops began at %d frames in all, %d had padding: the test sees nothing", moved, padded)
	}
}

func TestAFormThatDoesNotFitIsRefused(t *testing.T) {
	taken := append(slices.Clone(datatest.Schema), store.Column{Name: "mel_start", DType: store.Int32})
	for want, c := range map[string]struct {
		schema store.Schema
		form   Form
	}{
		"a segment of -1 frames":                    {datatest.Schema, Form{Segment: -1}},
		"a segment of 9 frames: the slot has 8":     {datatest.Schema, Form{Segment: 9}},
		"a segment of 6 frames: the slot has 5":     {datatest.Schema, Form{Frames: 5, Segment: 6}},
		"a slot of 9 frames: the dataset has 1 to ": {datatest.Schema, Form{Frames: 9}},
		"has no columns mel and mel_len":            {datatest.Schema[:2], Form{Segment: 2}},
		"references: the dataset has no columns":    {datatest.Schema[2:], Form{Reference: true}},
		"the name mel_start":                        {taken, Form{Segment: 2}},
	} {
		if _, err := NewLayout(c.schema, 1, c.form); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NewLayout(%+v) = %v, want %q in it", c.form, err, want)
		}
	}
	set := choose(t, datatest.Dataset(t, datatest.Samples(9)), plan.Selection{})
	l := formed(t, datatest.Schema, 1, Form{Reference: true})
	if err := reader(t, set, ChecksOff).Fill(l, Delivery{Rows: []uint32{0}}, make([]byte, l.Bytes)); err == nil || !strings.Contains(err.Error(), "WithReferences") {
		t.Errorf("Fill of a set without references = %v, want where they come from", err)
	}
}

func TestAFormNamesItsFields(t *testing.T) {
	l := formed(t, datatest.Schema, 3, Form{Frames: 6, Segment: 2, Reference: true})
	got := ""
	for _, f := range l.Fields {
		got += f.Column.String() + ":" + f.Along + " "
	}
	want := "tokens i32[5]:text_len mel f32[2,3]:mel_len text_len i32: mel_len i32: speaker i32: language i32: mel_start i32: reference_mel f32[6,3]:reference_mel_len reference_mel_len i32: "
	if got != want {
		t.Errorf("fields = %s\nwant %s", got, want)
	}
	if !l.Form.Drawn() || (Form{Frames: 6}).Drawn() {
		t.Error("Drawn is wrong")
	}
}

func TestFormsCostNoAllocation(t *testing.T) {
	for _, set := range formedSets(t) {
		l := formed(t, set.Dataset().Root.Schema, 16, Form{Segment: 2, Reference: true})
		r, b := reader(t, set, ChecksAlways), walk(t, set, plan.Global, 1, 0, plan.Options{Batch: 16, Tail: plan.Wrap})
		slot, rows := make([]byte, l.Bytes), make([]uint32, 16)
		share, _ := b.Next(rows)
		fill := func(epoch uint64) {
			if err := r.Fill(l, Delivery{Seed: 1, Epoch: epoch, Rows: share.Rows}, slot); err != nil {
				t.Fatal(err)
			}
		}
		all, l1 := set.Len(), formed(t, set.Dataset().Root.Schema, set.Len(), Form{})
		every := make([]uint32, all)
		for i := range every {
			every[i] = uint32(i)
		}
		if err := r.Fill(l1, Delivery{Rows: every}, make([]byte, l1.Bytes)); err != nil { // every shard is known
			t.Fatal(err)
		}
		epoch := uint64(0)
		if n := testing.AllocsPerRun(50, func() { fill(epoch); epoch++ }); n != 0 {
			t.Errorf("%v allocations a batch, want 0", n)
		}
	}
}
