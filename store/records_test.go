package store

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var someNotes = []Note{{"text", "control-character", "U+0007", 1}, {"audio", "resampled", "48000 Hz → 22050 Hz", math.MaxUint32}}

var someRow = OriginRow{ID: "a/ب", Text: "raw", Given: "given", HasGiven: true, Language: "fa", Speaker: "mina", Audio: filled(1),
	Rate: 48000, Channels: 2, Bits: 24, FileSamples: 1 << 40, Samples: 77, Frames: 12, Spoken: "spoken", Tokens: 9,
	Keys: []Key{filled(2), {}, filled(3)}, Notes: someNotes}

var someRoot = Root{Schema: goldenSchema, Stages: []Named{{"audio", "1"}, {"mel", "mel/1"}}, Config: []Named{{"fmax", "8000"}}, Symbols: []string{"_", "آ"},
	Speakers: []string{"mina"}, Languages: "languages/1", PerShard: 16, Rows: 1 << 40, Shards: 3, Trie: filled(5)}

var someSnapshot = Snapshot{Root: filled(1), Origins: filled(2), Rejections: filled(3), Kept: 10, Rejected: 2, Noted: 1,
	Notes: []NoteCount{{"text", "kind", "detail", 5, 3, []string{"a", "b"}}}, Parent: filled(4), Time: -5, Tool: "voxpack 1",
	Ran: []StageCount{{"mel", 3, 7}}, Read: []Source{{"en", "csv", []string{"metadata.csv"}, 2, []SourceColumn{{"text", "sentence"}}, 12}}}

var someRejections = []Rejection{{File: "metadata.csv", Line: 7, ID: "x", Stage: "mel", Kind: "overlong", Reason: "831 frames", Row: someRow,
	Refusals: []Refusal{{"audio", filled(6), "no sound"}}}, {File: "m", Line: 8, Stage: "metadata", Reason: "the id is empty", Row: OriginRow{Keys: []Key{}}}}

// TestASnapshotOfAnOlderVersionIsRead: it has no sources, and says the same.
func TestASnapshotOfAnOlderVersionIsRead(t *testing.T) {
	want := someSnapshot
	want.Read = nil
	b := want.Encode()
	old := append([]byte("VXN1"), b[4:len(b)-4]...) // without the number of sources
	got, err := DecodeSnapshot(old)
	if err != nil || !reflect.DeepEqual(got, &want) || got.Content() != someSnapshot.Content() {
		t.Errorf("decoded = %+v, %v\nwant %+v", got, err, want)
	}
	if _, err := DecodeSnapshot(append(old, 0, 0, 0, 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("sources behind an old snapshot: error = %v, want ErrDamaged", err)
	}
}

// TestRejectionsOfAnOlderVersionAreRead: their pages have no kinds, and say the same.
func TestRejectionsOfAnOlderVersionAreRead(t *testing.T) {
	want := slices.Clone(someRejections)
	page := newEncoder("VXJ1")
	for i := range want {
		r := &want[i]
		r.Kind = ""
		page.str(r.File)
		page.u32(uint32(r.Line))
		page.str(r.ID)
		page.str(r.Stage)
		page.str(r.Reason)
		r.Row.encode(page)
		page.u32(uint32(len(r.Refusals)))
		for _, f := range r.Refusals {
			page.str(f.Stage)
			page.name(f.Action)
			page.str(f.Reason)
		}
	}
	got, err := decodePageOf(len(want), page.buf)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("decoded = %+v, %v\nwant %+v", got, err, want)
	}
}

// TestRecordsComeBackAsTheyWere encodes and decodes one record of each kind.
func TestRecordsComeBackAsTheyWere(t *testing.T) {
	origin := Origin{Rows: []OriginRow{someRow, {ID: "b", Keys: []Key{}}}, Blocks: []Key{filled(8), filled(9)}}
	for _, c := range []struct {
		name   string
		bytes  []byte
		want   any
		decode func([]byte) (any, error)
	}{
		{"shard", goldenShard.Encode(), &goldenShard, func(b []byte) (any, error) { return DecodeShard(b, goldenSchema) }},
		{"origin", origin.Encode(), &origin, func(b []byte) (any, error) { return DecodeOrigin(b) }},
		{"root", someRoot.Encode(), &someRoot, func(b []byte) (any, error) { return DecodeRoot(b) }},
		{"snapshot", someSnapshot.Encode(), &someSnapshot, func(b []byte) (any, error) { return DecodeSnapshot(b) }},
		{"rejections page", onePage(someRejections), someRejections, func(b []byte) (any, error) { return decodePageOf(len(someRejections), b) }},
		{"rejections list", onlyList(someRejections), someRejections, func(b []byte) (any, error) {
			return DecodeRejections(b, func(Digest) ([]byte, error) { return onePage(someRejections), nil })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.decode(c.bytes)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("decoded = %+v, %v\nwant %+v", got, err, c.want)
			}
			for n := range len(c.bytes) {
				if _, err := c.decode(c.bytes[:n]); !errors.Is(err, ErrDamaged) {
					t.Fatalf("%d of %d bytes: error = %v, want ErrDamaged", n, len(c.bytes), err)
				}
			}
			if _, err := c.decode(append(c.bytes[:len(c.bytes):len(c.bytes)], 0)); !errors.Is(err, ErrDamaged) {
				t.Errorf("a byte too many: error = %v, want ErrDamaged", err)
			}
			other := append([]byte("VXZ1"), c.bytes[4:]...)
			if _, err := c.decode(other); err == nil || !strings.Contains(err.Error(), "rebuild with voxpack build") {
				t.Errorf("another magic: error = %v, want a hint", err)
			}
		})
	}
}

// TestContentLeavesTheBuildOut: two builds with the same result have the same
// content and different snapshots.
func TestContentLeavesTheBuildOut(t *testing.T) {
	other := someSnapshot
	other.Time, other.Tool, other.Parent, other.Ran = 9, "voxpack 2", filled(7), nil
	if other.Content() != someSnapshot.Content() || Sum(other.Encode()) == Sum(someSnapshot.Encode()) {
		t.Error("time, tool, parent or counts are part of the content, or not of the snapshot")
	}
	for name, change := range map[string]func(*Snapshot){
		"root": func(s *Snapshot) { s.Root = filled(9) }, "origins": func(s *Snapshot) { s.Origins = filled(9) },
		"rejections": func(s *Snapshot) { s.Rejections = filled(9) }, "kept": func(s *Snapshot) { s.Kept++ }, "rejected": func(s *Snapshot) { s.Rejected++ },
		"notes": func(s *Snapshot) { s.Notes = nil },
	} {
		if other = someSnapshot; true {
			change(&other)
		}
		if other.Content() == someSnapshot.Content() {
			t.Errorf("%s is no part of the content", name)
		}
	}
}

// TestARootIsItsEveryField: each field moves the identity.
func TestARootIsItsEveryField(t *testing.T) {
	seen := map[Digest]string{Sum(someRoot.Encode()): "nothing"}
	for name, change := range map[string]func(*Root){
		"schema": func(r *Root) { r.Schema = goldenSchema[:2] }, "stage version": func(r *Root) { r.Stages = []Named{{"audio", "1"}, {"mel", "mel/2"}} },
		"config": func(r *Root) { r.Config = []Named{{"fmax", "8001"}} }, "symbols": func(r *Root) { r.Symbols = []string{"_"} },
		"speakers": func(r *Root) { r.Speakers = nil }, "languages": func(r *Root) { r.Languages = "languages/2" },
		"K": func(r *Root) { r.PerShard++ }, "rows": func(r *Root) { r.Rows++ }, "shards": func(r *Root) { r.Shards++ }, "trie": func(r *Root) { r.Trie = filled(6) },
		"a name moved into its value": func(r *Root) { r.Config = []Named{{"fma", "x8000"}} },
	} {
		r := someRoot
		change(&r)
		d := Sum(r.Encode())
		if other, again := seen[d]; again {
			t.Errorf("changing %s gives the digest of changing %s", name, other)
		}
		seen[d] = name
	}
}

func TestASchemaThatCannotBeIsRefused(t *testing.T) {
	for name, s := range map[string]Schema{
		"unknown type":     {{Name: "x", DType: 99, Shape: []int{1}}},
		"an empty axis":    {{Name: "x", DType: Int32, Shape: []int{4, 0}}},
		"absurdly large":   {{Name: "x", DType: Float32, Shape: []int{1 << 20, 1 << 20}}},
		"wraps 64 bits":    {{Name: "x", DType: Float32, Shape: []int{1 << 31, 1 << 31, 1 << 31}}},
		"large in one go":  {{Name: "x", DType: Float32, Shape: []int{maxSampleBytes/4 + 1}}},
		"no type, no axis": {{Name: "x"}},
	} {
		r := someRoot
		r.Schema = s
		if got, err := DecodeRoot(r.Encode()); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %+v, %v; want ErrDamaged", name, got.Schema, err)
		}
	}
}

func TestAShardOfAnotherSchemaIsRefused(t *testing.T) {
	for name, s := range map[string]Schema{"no columns": nil, "a column less": goldenSchema[:3], "a block less": goldenSchema[1:]} {
		if _, err := DecodeShard(goldenShard.Encode(), s); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error = %v, want ErrDamaged", name, err)
		}
	}
}

// FuzzDecodeRecords feeds all decoders: an error or a value, never a panic, and
// no more memory than a multiple of the bytes; a value is encoded as it is read.
func FuzzDecodeRecords(f *testing.F) {
	f.Add(goldenShard.Encode())
	f.Add((&Origin{Rows: []OriginRow{someRow}, Blocks: []Key{filled(8)}}).Encode())
	f.Add(someRoot.Encode())
	f.Add(someSnapshot.Encode())
	f.Add(onePage(someRejections))
	f.Add([]byte(shardMagic + "\xff\xff\xff\xff\x02\x02"))
	f.Add([]byte(originMagic + "\xff\xff\xff\x7f\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		shard, err1 := DecodeShard(b, goldenSchema)
		origin, err2 := DecodeOrigin(b)
		root, err3 := DecodeRoot(b)
		snap, err4 := DecodeSnapshot(b)
		list, err5 := decodePageOf(len(someRejections), b)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(200*len(b)+1<<20) {
			t.Errorf("decoding %d bytes took %d of memory", len(b), took)
		}
		same := func(what string, err error, got any, again func() (any, error)) {
			if err != nil {
				if !errors.Is(err, ErrDamaged) {
					t.Errorf("%s: error %v is not ErrDamaged", what, err)
				}
				return
			}
			if x, err := again(); err != nil || !reflect.DeepEqual(x, got) {
				t.Errorf("%s read again = %+v, %v; want %+v", what, x, err, got)
			}
		}
		same("shard", err1, shard, func() (any, error) { return DecodeShard(shard.Encode(), goldenSchema) })
		same("origin", err2, origin, func() (any, error) { return DecodeOrigin(origin.Encode()) })
		same("root", err3, root, func() (any, error) { return DecodeRoot(root.Encode()) })
		same("snapshot", err4, snap, func() (any, error) { return DecodeSnapshot(snap.Encode()) })
		same("rejections", err5, list, func() (any, error) { return decodePageOf(len(list), onePage(list)) })
	})
}

// onePage is the one page that a short list of rejections has.
func onePage(list []Rejection) []byte {
	_, pages, _ := EncodeRejections(context.Background(), list)
	return pages[0]
}

func onlyList(list []Rejection) []byte {
	b, _, _ := EncodeRejections(context.Background(), list)
	return b
}

// decodePageOf decodes a page through a list that says how many it holds.
func decodePageOf(n int, page []byte) ([]Rejection, error) {
	e := newEncoder(listMagic)
	e.u64(uint64(n))
	e.u32(uint32(n))
	e.name(Sum(page))
	return DecodeRejections(e.buf, func(Digest) ([]byte, error) { return page, nil })
}

func TestALongListOfRejectionsIsCutIntoPages(t *testing.T) {
	long := make([]Rejection, 3000)
	for i := range long {
		long[i] = Rejection{File: "metadata.csv", Line: i + 1, ID: "x", Stage: "audio", Reason: strings.Repeat("no audio ", 100)}
	}
	list, pages, _ := EncodeRejections(context.Background(), long)
	byName := map[Digest][]byte{}
	for _, p := range pages {
		byName[Sum(p)] = p
		if len(p) > 2*rejectionPage {
			t.Errorf("a page has %d bytes, want at most about %d", len(p), rejectionPage)
		}
	}
	if len(pages) < 2 {
		t.Errorf("%d pages, want several", len(pages))
	}
	got, err := DecodeRejections(list, func(d Digest) ([]byte, error) { return byName[d], nil })
	if err != nil || len(got) != len(long) || got[2999].Line != 3000 {
		t.Errorf("decoded %d rejections, %v; want %d", len(got), err, len(long))
	}
}

// TestACountIsHeldToItsBytes: a list that claims more elements than its bytes can
// hold is refused before memory is taken for them.
func TestACountIsHeldToItsBytes(t *testing.T) {
	record := append([]byte("VXT1"), 2, 0, 0, 0, 1, 2, 3, 4) // two elements, four bytes
	for size, want := range map[int]int{2: 2, 3: 0, 32: 0} {
		d := newDecoder("test", "VXT1", record)
		if got := d.count(size); got != want || (d.err == nil) != (want > 0) {
			t.Errorf("count(%d) = %d, %v; want %d", size, got, d.err, want)
		}
	}
}
