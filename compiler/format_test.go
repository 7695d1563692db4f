package compiler

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"voxpack/audio"
	"voxpack/compiler/column"
	"voxpack/internal/corpustest"
	"voxpack/store"
)

// described is what testdata/format_reader.py prints: a store as somebody sees
// it who knows docs/format.md and nothing of this code.
type described struct {
	Snapshot   string            `json:"snapshot"`
	Root       string            `json:"root"`
	Parent     string            `json:"parent"`
	Time       int64             `json:"time"`
	Tool       string            `json:"tool"`
	Kept       int               `json:"kept"`
	Rejected   int               `json:"rejected"`
	Noted      int               `json:"noted"`
	Notes      []NoteCount       `json:"notes"`
	Rejections []RejectedRow     `json:"rejections"`
	Schema     []string          `json:"schema"`
	Stages     map[string]string `json:"stages"`
	Config     map[string]string `json:"config"`
	Symbols    int               `json:"symbols"`
	Speakers   []string          `json:"speakers"`
	Languages  string            `json:"languages"`
	PerShard   int               `json:"per_shard"`
	Leaves     []describedLeaf   `json:"leaves"`
	Rows       []describedRow    `json:"rows"`
	Entries    map[string]int    `json:"entries"`
}

type describedLeaf struct {
	Prefix string `json:"prefix"`
	Depth  int    `json:"depth"`
	Rows   int    `json:"rows"`
	Digest string `json:"digest"`
}

type describedRow struct {
	ID          string            `json:"id"`
	Text        string            `json:"text"`
	Given       string            `json:"given"`
	Language    string            `json:"language"`
	Speaker     string            `json:"speaker"`
	Spoken      string            `json:"spoken"`
	Rate        uint32            `json:"rate"`
	Channels    uint32            `json:"channels"`
	Bits        uint32            `json:"bits"`
	FileSamples uint64            `json:"file_samples"`
	Samples     uint64            `json:"samples"`
	Frames      uint32            `json:"frames"`
	Tokens      uint32            `json:"tokens"`
	Audio       string            `json:"audio"`
	Keys        []string          `json:"keys"`
	Scalars     map[string]int32  `json:"scalars"`
	Checksums   map[string]string `json:"checksums"`
}

// secondReader is the second reader; without Python there is none.
func secondReader(t *testing.T) (python, script string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: the format is not checked by a second reader")
	}
	return python, filepath.Join("..", "testdata", "format_reader.py")
}

// secondConfig makes samples of a few bytes: the reader hashes in plain Python.
func secondConfig() Config {
	return Config{Mel: audio.MelConfig{NMels: 8}, Shape: Shape{MaxTextLength: 40, MaxMelFrames: 64, Overlong: OverlongTruncate}, PerShard: 4}
}

// secondCorpus is a copy of a bundled corpus, in which a test may edit; "none"
// has no row.
func secondCorpus(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if name == "none" {
		err := os.Mkdir(dir, 0o777)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "metadata.csv"), nil, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	if err := os.CopyFS(dir, corpustest.Files(filepath.Join("..", "testdata", "corpus", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// secondAppend adds lines to a dataset's metadata.
func secondAppend(t *testing.T, dir, lines string) {
	t.Helper()
	path := filepath.Join(dir, "metadata.csv")
	src, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(src, lines...), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// secondDump writes all entries of a store as the appendix of the format says.
func secondDump(t *testing.T, st *store.Store, damage func(*store.Entry)) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "dump"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	field := func(b []byte) {
		w.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(b))))
		w.Write(b)
	}
	err = st.Entries(func(e store.Entry) bool {
		if damage != nil {
			e.Value = append([]byte(nil), e.Value...)
			damage(&e)
		}
		field(append([]byte{byte(e.Kind)}, e.Name[:]...))
		field(e.Value)
		return true
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// ownConfig has a column of each length, of which two are not padded with zeros. Rows
// without a value are left out.
func ownConfig() Config {
	c := secondConfig()
	c.Columns = []column.Config{
		{Name: "units", From: "own.jsonl", Field: "units", DType: store.Int16, Length: column.Own, Steps: 4, Shape: []int{2}, Pad: -1},
		{Name: "score", From: "own.jsonl", Field: "score", DType: store.Int32},
		{Name: "emb", From: "own.jsonl", Field: "emb", DType: store.BFloat16, Length: column.Own, Steps: 5, Pad: 1.5},
	}
	return c
}

// TestSecondReader compiles corpora, lets a reader that was written from the
// document read them, and compares what it found with what our own code says.
func TestSecondReader(t *testing.T) {
	t.Parallel()
	python, script := secondReader(t)
	wide := secondConfig()
	wide.PerShard, wide.MelDType, wide.Tokens.Unknown = 1, store.BFloat16, "reject"
	narrow := secondConfig()
	narrow.Shape.Overlong, narrow.Shape.MaxMelFrames = OverlongReject, 150
	tests := []struct {
		name   string
		corpus string
		config Config
		lines  string // of a second build, in a pack of its own
	}{
		{"three columns, truncated rows", "en", secondConfig(), ""},
		{"an append that is stored as extents", "en", secondConfig(), "en-0012|A text.|\nen-0013|Another one.|\n"},
		{"rejected rows and a second pack", "en", narrow, "en-0011|Nothing sounds here.|\nen-0003|Another text.|\n"},
		{"speaker and language, bf16, one row a shard", "fa", wide, "fa-0011|☃ سلام|☃ سلام|sara|fa\n"},
		{"columns of one's own", "en", ownConfig(), ""},
		{"no row at all", "none", secondConfig(), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := secondCorpus(t, tt.corpus)
			writeFile(t, filepath.Join(dir, "own.jsonl"), []byte(`{"id": "en-0001", "units": [[1, 2], [3, 4]], "score": 5, "emb": [1, 2.5]}`+"\n"+
				`{"id": "en-0004", "units": [[7, 8]], "score": -6, "emb": []}`+"\n"+`{"id": "en-0005", "units": [[7, 8]], "score": 0.5, "emb": [1]}`+"\n"))
			o := Options{Dataset: dir, Config: tt.config, Tool: "test 1"}
			mustBuild(t, o)
			for _, id := range []string{"en-0012", "en-0013"} { // of rows that one case appends
				clip := noiseWAV(uint64(len(id)), 22050, 9000)
				writeFile(t, filepath.Join(dir, "wavs", id+".wav"), clip)
			}
			if tt.lines != "" {
				secondAppend(t, dir, tt.lines)
				mustBuild(t, o)
			}
			st, err := store.Open(filepath.Join(dir, StoreName))
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			d, err := st.Dataset("main")
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(python, script, secondDump(t, st, nil), d.Digest.String()).Output()
			if err != nil {
				t.Fatalf("format_reader.py: %v\n%s", err, secondStderr(err))
			}
			var got described
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			want := secondView(t, st, d)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the second reader found\n%+v\nwant\n%+v", got, want)
			}
		})
	}
}

func secondStderr(err error) string {
	if e, ok := err.(*exec.ExitError); ok {
		return string(e.Stderr)
	}
	return ""
}

// secondView is what the second reader should find.
func secondView(t *testing.T, st *store.Store, d *store.Dataset) described {
	t.Helper()
	s, root := d.Snapshot, d.Root
	out := described{Snapshot: d.Digest.String(), Root: s.Root.String(), Parent: parentOf(s), Time: s.Time, Tool: s.Tool,
		Kept: s.Kept, Rejected: s.Rejected, Noted: s.Noted, Notes: append([]store.NoteCount{}, s.Notes...), Rejections: []RejectedRow{},
		Stages: secondNamed(root.Stages), Config: secondNamed(root.Config), Symbols: len(root.Symbols), Speakers: root.Speakers,
		Languages: root.Languages, PerShard: root.PerShard, Leaves: []describedLeaf{}, Rows: []describedRow{}, Entries: map[string]int{}}
	rejects, err := st.ReadRejections(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rejects {
		out.Rejections = append(out.Rejections, RejectedRowOf(&r))
	}
	for _, c := range root.Schema {
		out.Schema = append(out.Schema, c.String())
	}
	for i, l := range d.Shards {
		out.Leaves = append(out.Leaves, describedLeaf{fmt.Sprintf("%016x", l.Prefix), l.Depth, l.Rows, l.Digest.String()})
		out.Rows = append(out.Rows, secondLeaf(t, d, i)...)
	}
	if err := st.Entries(func(e store.Entry) bool { out.Entries[string(rune(e.Kind))]++; return true }); err != nil {
		t.Fatal(err)
	}
	return out
}

func secondLeaf(t *testing.T, d *store.Dataset, leaf int) []describedRow {
	t.Helper()
	origin, err := d.Origin(leaf)
	if err != nil {
		t.Fatal(err)
	}
	var rows []describedRow
	for i, o := range origin.Rows {
		at := store.At{Leaf: leaf, Row: i}
		row := describedRow{ID: o.ID, Text: o.Text, Given: o.Given, Language: o.Language, Speaker: o.Speaker, Spoken: o.Spoken,
			Rate: o.Rate, Channels: o.Channels, Bits: o.Bits, FileSamples: o.FileSamples, Samples: o.Samples,
			Frames: o.Frames, Tokens: o.Tokens, Audio: o.Audio.String(),
			Scalars: map[string]int32{}, Checksums: map[string]string{}}
		for _, k := range o.Keys {
			row.Keys = append(row.Keys, k.String())
		}
		for _, c := range d.Root.Schema.Inline() {
			if row.Scalars[c.Name], err = d.Scalar(at, c.Name); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range d.Root.Schema.Blocks() {
			value, err := d.Value(at, c.Name)
			if err != nil {
				t.Fatal(err)
			}
			row.Checksums[c.Name] = fmt.Sprintf("%016x", store.Checksum(value))
		}
		rows = append(rows, row)
	}
	return rows
}

func secondNamed(list []store.Named) map[string]string {
	m := map[string]string{}
	for _, n := range list {
		m[n.Name] = n.Value
	}
	return m
}

// TestSecondReaderRefuses shows that the reader looks: with one byte of one
// entry of any kind changed, or one entry missing, it must end with 1.
func TestSecondReaderRefuses(t *testing.T) {
	t.Parallel()
	python, script := secondReader(t)
	dir := secondCorpus(t, "en")
	secondAppend(t, dir, "en-0011|Nothing sounds here.|\n")
	mustBuild(t, Options{Dataset: dir, Config: secondConfig()})
	st, err := store.Open(filepath.Join(dir, StoreName))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(name, want string, damage func(*store.Entry)) {
		t.Run(name, func(t *testing.T) {
			_, err := exec.Command(python, script, secondDump(t, st, damage), d.Digest.String()).Output()
			if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 || !strings.Contains(secondStderr(err), want) {
				t.Errorf("the reader ended with %v, %q; want exit status 1 and %q", err, secondStderr(err), want)
			}
		})
	}
	kinds := map[string]store.Kind{"block": store.KindBlock, "shard": store.KindShard, "origin": store.KindOrigin, "page": store.KindPage,
		"root": store.KindRoot, "snapshot": store.KindSnapshot, "list": store.KindList, "trace": store.KindTrace}
	for name, kind := range maps.All(kinds) {
		done := false
		refuse("a flipped bit in a "+name, "does not fit its", func(e *store.Entry) {
			if !done && e.Kind == kind {
				done = true
				e.Value[len(e.Value)/2] ^= 1
			}
		})
	}
	// A renamed entry is sound by itself and missing where it is needed.
	refuse("a root that is not there", "not there", func(e *store.Entry) {
		if e.Kind == store.KindRoot {
			e.Value[0] ^= 1
			e.Name = store.Sum(e.Value)
		}
	})
}
