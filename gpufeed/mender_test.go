package gpufeed

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// blocksOf are copies of all blocks of a dataset, by shard.
func blocksOf(t *testing.T, d *store.Dataset) (all [][][]byte) {
	t.Helper()
	for i := range d.Shards {
		s, err := d.Shard(i)
		if err != nil {
			t.Fatal(err)
		}
		var blocks [][]byte
		for _, b := range s.Blocks {
			v, err := d.Store.Get(store.KindBlock, b.Digest)
			if err != nil {
				t.Fatal(err)
			}
			blocks = append(blocks, v)
		}
		all = append(all, blocks)
	}
	return all
}

// flipped is a dataset of 64 rows of which a bit of a block lies otherwise on the disk, and its sound blocks.
func flipped(t *testing.T) (set *plan.Set, sound [][][]byte) {
	t.Helper()
	l := datatest.NewLab(t)
	l.Write(16, datatest.WideSchema, datatest.Samples(64))
	sound = blocksOf(t, l.Open(1)[0])
	flips := 0
	for _, path := range packFiles(t, l.Dir) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		longest := slices.MaxFunc(sound[1], func(a, b []byte) int { return len(a) - len(b) })
		if at := bytes.Index(b, longest); at >= 0 {
			flips++
			b[at+len(longest)/2] ^= 4
			if err := errors.Join(os.Chmod(path, 0o666), os.WriteFile(path, b, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if flips != 1 {
		t.Fatalf("the block was found %d times", flips)
	}
	return choose(t, l.Open(1)[0], plan.Selection{}), sound
}

func packFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "packs", "*", "*.vlog"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	return files
}

// epochOf is every batch of an epoch, and the error that ended it, nil at its end.
func epochOf(t *testing.T, set *plan.Set, c Config) (batches [][]byte, end error) {
	t.Helper()
	c.Plan = plan.Options{Batch: 4, Epochs: 2, Seed: 7}
	f, err := Open(t.Context(), set, c)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for {
		b, err := f.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return batches, nil
		}
		if err != nil {
			return batches, err
		}
		batches = append(batches, bytes.Clone(b.Host[:b.Layout.Bytes]))
		b.Release()
	}
}

// TestAMendedShardIsDelivered: the same batches with the same bytes in the same order as
// of the sound dataset, and the shard is made once.
func TestAMendedShardIsDelivered(t *testing.T) {
	want, end := epochOf(t, choose(t, func() *store.Dataset {
		l := datatest.NewLab(t)
		l.Write(16, datatest.WideSchema, datatest.Samples(64))
		return l.Open(1)[0]
	}(), plan.Selection{}), Config{})
	if end != nil || len(want) != 32 {
		t.Fatalf("%d batches, %v", len(want), end)
	}
	for _, checks := range []Checks{ChecksFirst, ChecksAlways} {
		set, sound := flipped(t)
		made := []int{}
		m := NewMender(func(leaf int) ([][]byte, error) { made = append(made, leaf); return sound[leaf], nil })
		got, end := epochOf(t, set, Config{Checks: checks, Mender: m, Fillers: 3})
		if end != nil || !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("checks %s: %d batches, %v; want the %d of the sound dataset", checks, len(got), end, len(want))
		}
		if !slices.Equal(made, []int{1}) || m.Count() != 1 {
			t.Errorf("checks %s: made %v, %d; want shard 1 once", checks, made, m.Count())
		}
	}
}

// TestWhatCannotBeMendedEndsAsBefore, with the reason; nothing that is not what was
// stored is delivered.
func TestWhatCannotBeMendedEndsAsBefore(t *testing.T) {
	for name, test := range map[string]struct {
		make func(sound [][]byte) ([][]byte, error)
		says string
	}{
		"it says why": {func([][]byte) ([][]byte, error) { return nil, errors.New("its source is gone") }, "its source is gone"},
		"other bytes": {func(s [][]byte) ([][]byte, error) {
			s = slices.Clone(s)
			s[0] = append(bytes.Clone(s[0][:len(s[0])-1]), s[0][len(s[0])-1]^1)
			return s, nil
		}, "its bytes are others than were stored"},
		"other columns": {func(s [][]byte) ([][]byte, error) { return s[1:], nil }, "it has other columns now"},
	} {
		t.Run(name, func(t *testing.T) {
			set, sound := flipped(t)
			m := NewMender(func(leaf int) ([][]byte, error) { return test.make(sound[leaf]) })
			_, end := epochOf(t, set, Config{Mender: m})
			if !errors.Is(end, plan.ErrCorrupt) || !strings.Contains(end.Error(), "it cannot be made anew: "+test.says) || m.Count() != 0 {
				t.Errorf("ended with %v, %d made; want ErrCorrupt and %q", end, m.Count(), test.says)
			}
			batches, end := epochOf(t, set, Config{Mender: m, SkipCorrupt: true})
			if end != nil || len(batches) != 32 {
				t.Errorf("with skip: %d batches, %v", len(batches), end)
			}
		})
	}
}

// TestAPackCutShortIsMended: what lies after its end would fault.
func TestAPackCutShortIsMended(t *testing.T) {
	l := datatest.NewLab(t)
	l.Write(16, datatest.WideSchema, datatest.Samples(40))
	set := choose(t, l.Open(1)[0], plan.Selection{})
	sound := blocksOf(t, set.Dataset())
	shape := layout(t, datatest.WideSchema, 4, 0)
	r, want, got := reader(t, set, ChecksFirst), make([]byte, shape.Bytes), make([]byte, shape.Bytes)
	rows := []uint32{9, 10, 11, 38}
	if err := r.Fill(shape, Delivery{Rows: rows}, want); err != nil {
		t.Fatal(err)
	}
	l.Truncate("*.vlog")
	r.Mender = NewMender(func(leaf int) ([][]byte, error) { return sound[leaf], nil })
	if err := r.Fill(shape, Delivery{Rows: rows}, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("after the cut: %v, equal = %v", err, bytes.Equal(got, want))
	}
}

// TestMendedShardsAreBounded: memory for them does not grow with the damage.
func TestMendedShardsAreBounded(t *testing.T) {
	m := NewMender(func(int) ([][]byte, error) { return [][]byte{{1}}, nil })
	record := &store.Shard{Blocks: []store.Block{{Digest: store.Sum([]byte{1})}}}
	m.bytes = mostMended - 1
	if _, err := m.blocks(0, record); err != nil {
		t.Error(err)
	}
	if _, err := m.blocks(1, record); err == nil || !strings.Contains(err.Error(), "256 MiB") {
		t.Errorf("over the bound: %v", err)
	}
	if _, err := m.blocks(0, record); err != nil {
		t.Errorf("one that is there: %v", err)
	}
}
