package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A second writer: the records of a dataset as docs/format.md has them, made
// without anything of this package but its digests and checksums.

// byHand appends fields: numbers by their type, texts with their length, bytes as they are.
func byHand(fields ...any) (b []byte) {
	for _, f := range fields {
		switch f := f.(type) {
		case string:
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(f))), f...)
		case []byte:
			b = append(b, f...)
		case Digest:
			b = append(b, f[:]...)
		case int: // the counts of the format
			b = binary.LittleEndian.AppendUint32(b, uint32(f))
		default:
			b, _ = binary.Append(b, binary.LittleEndian, f)
		}
	}
	return b
}

// handRow is one row: an id, text_len, and the samples of two block columns.
type handRow struct {
	id           string
	length       int32
	tokens, mels []byte
}

// handMade is a dataset of K = 2, of which a test changes some part before it is stored.
type handMade struct {
	rows    []handRow
	entries map[string]*Entry // of shard n: "shard n", "origin n", "tokens n", "mel n"
	shards  []Leaf
	origins []Leaf
}

const (
	handTokens = 3 * 4     // tokens i32[3]
	handMel    = 5 * 2 * 4 // mel f32[5,2]
)

func makeByHand(n int) *handMade {
	h := &handMade{entries: map[string]*Entry{}}
	for i := range n {
		h.rows = append(h.rows, handRow{fmt.Sprintf("row/%d", i), int32(i), noise(uint64(i), handTokens), noise(uint64(100+i), handMel)})
	}
	slices.SortFunc(h.rows, func(a, b handRow) int {
		if pa, pb := Checksum([]byte(a.id)), Checksum([]byte(b.id)); pa != pb {
			return map[bool]int{true: -1, false: 1}[pa < pb]
		}
		return strings.Compare(a.id, b.id)
	})
	h.cut(h.rows, 0, 0)
	return h
}

// cut makes the leaves of some rows: at most two rows, else one half for each value of the next bit.
func (h *handMade) cut(rows []handRow, prefix uint64, depth int) {
	if len(rows) == 0 {
		return
	}
	if len(rows) > 2 {
		bit := uint64(1) << (63 - depth)
		one := slices.IndexFunc(rows, func(r handRow) bool { return Checksum([]byte(r.id))&bit != 0 })
		if one < 0 {
			one = len(rows)
		}
		h.cut(rows[:one], prefix, depth+1)
		h.cut(rows[one:], prefix|bit, depth+1)
		return
	}
	var tokens, mels, ids, lengths, tokenSums, melSums, origins []byte
	for _, r := range rows {
		tokens, mels = append(tokens, r.tokens...), append(mels, r.mels...)
		ids, lengths = append(ids, byHand(r.id)...), append(lengths, byHand(r.length)...)
		tokenSums, melSums = append(tokenSums, byHand(Checksum(r.tokens))...), append(melSums, byHand(Checksum(r.mels))...)
		origins = append(origins, byHand(r.id, "text of "+r.id, "", "en", "", "spoken", uint8(0), Digest(filled(7)),
			22050, 1, 16, uint64(900), uint64(900), 4, 3, uint8(1), Digest(filled(8)), 0)...)
	}
	n := len(h.shards)
	keep := func(what string, kind Kind, b []byte) Digest {
		e := entry(kind, b)
		h.entries[fmt.Sprint(what, " ", n)] = &e
		return e.Name
	}
	shard := byHand([]byte("VXS1"), len(rows), uint8(1), uint8(2), ids, lengths,
		keep("tokens", KindBlock, tokens), tokenSums, keep("mel", KindBlock, mels), melSums)
	origin := byHand([]byte("VXO1"), len(rows), uint8(2), Digest(filled(1)), Digest(filled(2)), origins)
	h.shards = append(h.shards, Leaf{prefix, depth, len(rows), keep("shard", KindShard, shard)})
	h.origins = append(h.origins, Leaf{prefix, depth, len(rows), keep("origin", KindOrigin, origin)})
}

// store puts the dataset and returns it opened again.
func (h *handMade) store(t *testing.T) (*Dataset, error) {
	t.Helper()
	var list []Entry
	for _, e := range h.entries {
		list = append(list, *e)
	}
	page := func(leaves []Leaf) Digest {
		b := byHand([]byte("VXP1"), uint8(0), len(leaves))
		for _, l := range leaves {
			b = append(b, byHand(uint8(0), uint8(l.Depth), l.Prefix, l.Rows, l.Digest)...)
		}
		list = append(list, entry(KindPage, b))
		return Sum(b)
	}
	root := byHand([]byte("VXR1"), uint8(3), "tokens", uint8(1), uint8(1), 3, "mel", uint8(2), uint8(2), 5, 2, "text_len", uint8(1), uint8(0),
		0, 0, 0, 0, "languages/1", 2, uint64(len(h.rows)), uint64(len(h.shards)), page(h.shards))
	snapshot := byHand([]byte("VXN2"), Sum(root), page(h.origins), Digest{}, uint64(len(h.rows)), uint64(0), uint64(0), 0,
		Digest{}, int64(1), "by hand", 0, 0)
	dir := memoryDir(t)
	commit(t, dir, testOptions(), append(list, entry(KindRoot, root), entry(KindSnapshot, snapshot)))
	return open(t, dir).Dataset("main")
}

// TestADatasetOfAnotherWriterIsRead: the format is what the document says, not
// what this package writes.
func TestADatasetOfAnotherWriterIsRead(t *testing.T) {
	h := makeByHand(9)
	d, err := h.store(t)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	err = d.IDs(func(at At, id string) bool {
		row := h.rows[n]
		n++
		if found, err := d.Find(row.id); id != row.id || found != at || err != nil {
			t.Errorf("row %d is %q at %v, Find(%q) = %v, %v", n, id, at, row.id, found, err)
		}
		if v, err := d.Scalar(at, "text_len"); v != row.length || err != nil {
			t.Errorf("%s: text_len = %d, %v, want %d", id, v, err, row.length)
		}
		for column, want := range map[string][]byte{"tokens": row.tokens, "mel": row.mels} {
			if v, err := d.Value(at, column); !bytes.Equal(v, want) || err != nil {
				t.Errorf("%s: %s = %x, %v, want %x", id, column, v, err, want)
			}
		}
		o, err := d.Origin(at.Leaf)
		if err != nil || o.Rows[at.Row].ID != id || o.Rows[at.Row].Text != "text of "+id || o.Rows[at.Row].Frames != 4 {
			t.Errorf("%s: the origin is %+v, %v", id, o, err)
		}
		return true
	})
	if err != nil || n != len(h.rows) {
		t.Errorf("IDs gave %d rows of %d, %v", n, len(h.rows), err)
	}
	n = 0
	if err := d.IDs(func(At, string) bool { n++; return n < 4 }); n != 4 || err != nil {
		t.Errorf("IDs went on for %d rows, %v; it was told to stop at 4", n, err)
	}
}

// TestWhatADatasetLacksIsNotFound: a name that is nowhere is no damage.
func TestWhatADatasetLacksIsNotFound(t *testing.T) {
	d, err := makeByHand(3).store(t)
	if err != nil {
		t.Fatal(err)
	}
	for what, ask := range map[string]func() error{
		"an id":                          func() error { _, err := d.Find("row/77"); return err },
		"a column":                       func() error { _, err := d.Value(At{}, "pitch"); return err },
		"an inline column among blocks":  func() error { _, err := d.Value(At{}, "text_len"); return err },
		"a block column among the short": func() error { _, err := d.Scalar(At{}, "mel"); return err },
		"a ref":                          func() error { _, err := d.Store.Dataset("heads/other"); return err },
		"a snapshot":                     func() error { _, err := d.Store.DatasetOf(Sum([]byte("x"))); return err },
	} {
		if err := ask(); !errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want ErrNotFound", what, err)
		}
	}
	if err := d.Store.Close(); err != nil {
		t.Error(err)
	}
	empty := memoryDir(t)
	put(t, empty, testOptions())
	if err := writeRef(empty, "tags/paper", Sum([]byte("x"))); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, empty).Dataset("v1"); err == nil || !strings.Contains(err.Error(), "heads/main, tags/paper") {
		t.Errorf("an unknown ref: %v, want those that there are", err)
	}
}

// TestRecordsThatDisagreeAreDamage: each record is sound by itself, and one does
// not fit the other. No byte of such a sample is given out.
func TestRecordsThatDisagreeAreDamage(t *testing.T) {
	first := func(d *Dataset) error { _, err := d.Value(At{0, 0}, "mel"); return err }
	for rule, c := range map[string]struct {
		change func(h *handMade)
		ask    func(d *Dataset) error // nil: the dataset does not open
	}{
		"the tries have other numbers of leaves": {func(h *handMade) { h.origins = h.origins[:len(h.origins)-1] }, nil},
		"the tries are cut at other places":      {func(h *handMade) { h.origins[0].Depth++ }, nil},
		"a leaf has other rows in each trie":     {func(h *handMade) { h.origins[0].Rows++ }, nil},
		"a shard has more rows than its page says": {func(h *handMade) { h.shards[0].Rows--; h.origins[0].Rows-- },
			func(d *Dataset) error { _, err := d.Shard(0); return err }},
		"an origin has more rows than its page says": {func(h *handMade) { h.shards[0].Rows--; h.origins[0].Rows-- },
			func(d *Dataset) error { _, err := d.Origin(0); return err }},
		"a page names a record of another kind": {func(h *handMade) {
			h.shards[0].Digest = h.origins[0].Digest
			e := *h.entries["origin 0"]
			e.Kind = KindShard
			h.entries["impostor"] = &e
		}, first},
		"a block is a sample short":    {func(h *handMade) { h.block(t, func(b []byte) []byte { return b[handMel:] }) }, first},
		"a block is a sample too long": {func(h *handMade) { h.block(t, func(b []byte) []byte { return append(b, b[:handMel]...) }) }, first},
		"a sample has other bytes":     {func(h *handMade) { h.block(t, func(b []byte) []byte { b[3] ^= 1; return b }) }, first},
	} {
		h := makeByHand(9)
		c.change(h)
		d, err := h.store(t)
		if c.ask == nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: Dataset = %v, want ErrDamaged", rule, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: Dataset = %v", rule, err)
			continue
		}
		if err := c.ask(d); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error = %v, want ErrDamaged", rule, err)
		}
	}
}

// block puts another mel block in the place of the first: the shard's record names it and keeps its sums.
func (h *handMade) block(t *testing.T, change func([]byte) []byte) {
	t.Helper()
	was := h.entries["mel 0"]
	now := entry(KindBlock, change(bytes.Clone(was.Value)))
	record := bytes.Replace(h.entries["shard 0"].Value, was.Name[:], now.Name[:], 1)
	shard := entry(KindShard, record)
	h.entries["mel 0"], h.entries["shard 0"], h.shards[0].Digest = &now, &shard, shard.Name
}

// TestARecordIsReadFromAnySoundCopy: a damaged copy in the newest pack hides
// none of the older ones, whatever the kind.
func TestARecordIsReadFromAnySoundCopy(t *testing.T) {
	h := makeByHand(9)
	d, err := h.store(t)
	if err != nil {
		t.Fatal(err)
	}
	dir, snapshot := d.Store.Dir(), d.Digest
	var all []Entry
	if err := d.Store.Entries(func(e Entry) bool { e.Value = bytes.Clone(e.Value); all = append(all, e); return true }); err != nil {
		t.Fatal(err)
	}
	d.Store.Close()
	for i := range all {
		all[i].Value = bytes.Clone(all[i].Value)
		all[i].Value[len(all[i].Value)/2] ^= 1
	}
	put(t, dir, testOptions(), all...) // a later pack, in which every value is damaged
	if d, err = open(t, dir).DatasetOf(snapshot); err != nil {
		t.Fatal(err)
	}
	for leaf := range d.Shards {
		if _, err := d.Shard(leaf); err != nil {
			t.Error(err)
		}
		if _, err := d.Origin(leaf); err != nil {
			t.Error(err)
		}
	}
}
