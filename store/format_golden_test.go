package store

import (
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
)

// field is one field of a record, as a table of docs/format.md has it.
type field struct{ name, hex string }

// filled is a name of 32 equal bytes.
func filled(b byte) (name [32]byte) {
	for i := range name {
		name[i] = b
	}
	return name
}

// goldenShard has two rows, two inline columns and two blocks, so that every
// loop of the format turns more than once.
var goldenShard = Shard{
	IDs:     []string{"a", "ب"},
	Scalars: [][]int32{{3, 4}, {-1, 256}},
	Blocks:  []Block{{filled(0x11), []uint64{1, 2}}, {filled(0x22), []uint64{3, 0xfedcba9876543210}}},
}

var goldenSchema = Schema{{Name: "tokens", DType: Int32, Shape: []int{4}}, {Name: "mel", DType: BFloat16, Shape: []int{800, 80}},
	{Name: "text_len", DType: Int32}, {Name: "mel_len", DType: Int32}}

// TestGoldenRecords holds the bytes of records against the document. A red test
// here means that every store out there has become unreadable: raise the
// version in the magic instead of changing a table.
func TestGoldenRecords(t *testing.T) {
	name := func(b string) string { return strings.Repeat(b, 32) }
	leaves := []Leaf{{Prefix: 0, Depth: 1, Rows: 2, Digest: filled(0x33)}, {Prefix: 1 << 63, Depth: 1, Rows: 16, Digest: filled(0x44)}}
	var page []byte
	if _, err := WriteTrie(leaves, func(p []byte) (Digest, error) { page = p; return Sum(p), nil }); err != nil {
		t.Fatal(err)
	}
	root := Root{Schema: goldenSchema[2:3], Stages: []Named{{"mel", "mel/1"}}, Config: []Named{{"k", "v"}}, Symbols: []string{"_", "é"},
		Speakers: nil, Languages: "languages/1", PerShard: 16, Rows: 18, Shards: 2, Trie: filled(0x55)}
	records := []struct {
		name   string
		bytes  []byte
		fields []field
	}{
		{"shard record", goldenShard.Encode(), []field{
			{"magic", "56585331"},
			{"n", "02000000"},
			{"inline columns", "02"},
			{"block columns", "02"},
			{"id 0", "01000000" + "61"},
			{"id 1", "02000000" + "d8a8"},
			{"scalars of the first inline column", "03000000" + "04000000"},
			{"scalars of the second", "ffffffff" + "00010000"},
			{"digest of the first block", name("11")},
			{"its checksums", "0100000000000000" + "0200000000000000"},
			{"digest of the second block", name("22")},
			{"its checksums", "0300000000000000" + "1032547698badcfe"},
		}},
		{"trie page", page, []field{
			{"magic", "56585031"},
			{"depth", "00"},
			{"count", "02000000"},
			{"a leaf", "00" + "01" + "0000000000000000" + "02000000" + name("33")},
			{"a leaf", "00" + "01" + "0000000000000080" + "10000000" + name("44")},
		}},
		{"root", root.Encode(), []field{
			{"magic", "56585231"},
			{"columns", "01"},
			{"column", "08000000" + hex.EncodeToString([]byte("text_len")) + "01" + "00"},
			{"stages", "01000000" + "03000000" + "6d656c" + "05000000" + "6d656c2f31"},
			{"config", "01000000" + "01000000" + "6b" + "01000000" + "76"},
			{"symbols", "02000000" + "01000000" + "5f" + "02000000" + "c3a9"},
			{"speakers", "00000000"},
			{"languages", "0b000000" + hex.EncodeToString([]byte("languages/1"))},
			{"K", "10000000"},
			{"rows", "1200000000000000"},
			{"shards", "0200000000000000"},
			{"trie", name("55")},
		}},
	}
	for _, r := range records {
		t.Run(r.name, func(t *testing.T) {
			at := 0
			for _, f := range r.fields {
				got := hex.EncodeToString(r.bytes[at:min(len(r.bytes), at+len(f.hex)/2)])
				if got != f.hex {
					t.Fatalf("byte %d, %s = %s, want %s", at, f.name, got, f.hex)
				}
				at += len(f.hex) / 2
			}
			if at != len(r.bytes) {
				t.Errorf("the record has %d bytes, the document's fields %d", len(r.bytes), at)
			}
		})
	}
}

func TestGoldenShardIsReadBack(t *testing.T) {
	got, err := DecodeShard(goldenShard.Encode(), goldenSchema)
	if err != nil || !reflect.DeepEqual(*got, goldenShard) {
		t.Errorf("DecodeShard = %+v, %v; want %+v", got, err, goldenShard)
	}
}

func TestEntriesYieldsEachKeyOnce(t *testing.T) {
	dir := memoryDir(t)
	block, other := entry(KindBlock, noise(1, 5000)), entry(KindBlock, noise(2, 40))
	trace := Entry{KindTrace, filled(7), block.Name[:]}
	first := put(t, dir, testOptions(), block, trace)
	second := put(t, dir, testOptions(), block, other)
	want := map[string]string{}
	for _, e := range []Entry{block, other, first, second, {KindTrace, trace.Name, addTrailer(trace.Value)}} {
		want[string(rune(e.Kind))+string(e.Name[:])] = string(e.Value)
	}
	got, times := map[string]string{}, 0
	err := open(t, dir).Entries(func(e Entry) bool {
		got[string(rune(e.Kind))+string(e.Name[:])] = string(e.Value)
		times++
		return true
	})
	if err != nil || !reflect.DeepEqual(got, want) || times != len(want) {
		t.Errorf("Entries gave %d entries, %d different, %v; want the %d that were put, each once", times, len(got), err, len(want))
	}
	times = 0
	if err := open(t, dir).Entries(func(Entry) bool { times++; return times < 2 }); err != nil || times != 2 {
		t.Errorf("Entries went on for %d entries, %v; want it to stop at 2", times, err)
	}
}
