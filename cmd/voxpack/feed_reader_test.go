package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"voxpack/gpufeed/plan"
	"voxpack/internal/corpustest"
	"voxpack/store"
	"voxpack/textnorm"
)

// readerRun is a run of testdata/feed_reader.py: its terms, not the command's.
type readerRun struct {
	Selection plan.Selection  `json:"selection"`
	Seed      uint64          `json:"seed"`
	Shuffle   string          `json:"shuffle"`
	Tail      string          `json:"tail"`
	Batch     int             `json:"batch"`
	Epochs    int             `json:"epochs"`
	Steps     int             `json:"steps"`
	Rank      int             `json:"rank"`
	World     int             `json:"world"`
	Segment   int             `json:"segment"`
	Reference bool            `json:"reference"`
	Resume    json.RawMessage `json:"resume"`

	flags []string // the command's for the selection
}

// readerFound is what both say of a run.
type readerFound struct {
	Digests []string    `json:"digests"`
	IDs     []string    `json:"ids"`
	Cursor  plan.Cursor `json:"cursor"` // without the selection, which went in
}

// readerConfig makes samples of about 1 kB: the reader hashes in plain Python.
const readerConfig = "data:\n  n_mels: 1\n  max_mel_frames: 230\n  max_text_length: 30\n  overlong: truncate\n  rows_per_shard: 4\n"

// readerStore compiles a bundled corpus.
func readerStore(t *testing.T, name string) (dataset string) {
	t.Helper()
	dataset = filepath.Join(t.TempDir(), name)
	err := os.CopyFS(dataset, corpustest.Files(filepath.Join("..", "..", "testdata", "corpus", name)))
	if err == nil {
		err = os.WriteFile(filepath.Join(dataset, "voxpack.yaml"), []byte(readerConfig), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	voxpack(t, "build", "-q", dataset)
	return dataset
}

// voxpack runs the program and returns its stdout.
func voxpack(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := exec.Command("voxpack", args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		t.Fatalf("voxpack %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// readerDump writes a store's entries as the format's appendix says, and
// returns the digest of its snapshot.
func readerDump(t *testing.T, dataset, file string) (ref string) {
	t.Helper()
	st, err := store.Open(filepath.Join(dataset, ".voxpack"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(file)
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
		field(append([]byte{byte(e.Kind)}, e.Name[:]...))
		field(e.Value)
		return true
	})
	if err := errors.Join(err, w.Flush()); err != nil {
		t.Fatal(err)
	}
	return d.Digest.String()
}

// feed has the command do the run.
func (r readerRun) feed(t *testing.T, dataset, dir, device string) (found readerFound, cursor json.RawMessage) {
	t.Helper()
	ids := filepath.Join(dir, "ids")
	args := append([]string{"feed", dataset, "-q", "--json", "--digest", "--record", "none", "--ids", ids, "--device", device,
		"--seed", fmt.Sprint(r.Seed), "--shuffle", r.Shuffle, "--tail", r.Tail, "--batch-size", fmt.Sprint(r.Batch),
		"--rank", fmt.Sprint(r.Rank), "--world", fmt.Sprint(max(1, r.World))}, r.flags...)
	if r.Steps > 0 {
		args = append(args, "--steps", fmt.Sprint(r.Steps))
	} else {
		args = append(args, "--epochs", fmt.Sprint(r.Epochs))
	}
	if r.Segment > 0 {
		args = append(args, "--segment", fmt.Sprint(r.Segment))
	}
	if r.Reference {
		args = append(args, "--reference", "same-speaker")
	}
	if r.Resume != nil {
		file := filepath.Join(dir, "cursor.json")
		if err := os.WriteFile(file, r.Resume, 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--resume", file)
	}
	var report struct {
		Digests []string        `json:"epoch_digests"`
		Cursor  json.RawMessage `json:"cursor"`
	}
	if err := json.Unmarshal(voxpack(t, args...), &report); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(ids)
	if err != nil {
		t.Fatal(err)
	}
	found = readerFound{Digests: report.Digests, IDs: strings.Fields(string(text))}
	if err := json.Unmarshal(report.Cursor, &found.Cursor); err != nil {
		t.Fatal(err)
	}
	found.Cursor.Selection = plan.Selection{}
	return found, report.Cursor
}

// readerRuns are runs over a corpus of ten rows.
func readerRuns(corpus string) map[string]readerRun {
	const global = "global"
	runs := map[string]readerRun{
		"two epochs, the rest dropped":   {Seed: 1, Shuffle: global, Tail: "drop", Batch: 4, Epochs: 2},
		"a padded tail":                  {Seed: 1<<64 - 1, Shuffle: global, Tail: "pad", Batch: 4, Epochs: 1},
		"a wrapped tail, rank 2 of 3":    {Seed: 2, Shuffle: global, Tail: "wrap", Batch: 12, Epochs: 1, World: 3, Rank: 2},
		"the order of the trie":          {Shuffle: "none", Tail: "pad", Batch: 3, Epochs: 1},
		"steps over the end of an epoch": {Seed: 3, Shuffle: global, Tail: "drop", Batch: 4, Epochs: 9, Steps: 3},
		"one side of the split": {Selection: plan.Selection{Split: plan.Train, Val: 0.4}, flags: []string{"--split", "train", "--val-split", "0.4"},
			Seed: 4, Shuffle: global, Tail: "pad", Batch: 2, Epochs: 1},
		"buckets": {Selection: plan.Selection{Buckets: []int{170, 200}}, flags: []string{"--buckets", "200,170"},
			Seed: 5, Shuffle: global, Tail: "pad", Batch: 2, Epochs: 1},
		"a segment and a reference": {Seed: 6, Shuffle: global, Tail: "pad", Batch: 5, Epochs: 2, Segment: 100, Reference: true},
		"references cut to buckets": {Selection: plan.Selection{Buckets: []int{180}}, flags: []string{"--buckets", "180"},
			Seed: 8, Shuffle: global, Tail: "wrap", Batch: 4, Epochs: 1, Reference: true},
	}
	if corpus == "fa" {
		fa, _ := textnorm.LanguageIndex("fa")
		runs["weights and a filter"] = readerRun{
			Selection: plan.Selection{Languages: []int32{fa}, Weights: []plan.Weight{{Column: "speaker", Value: 0, Times: 1.5}, {Column: "speaker", Value: 1, Times: 0.5}}},
			flags:     []string{"--language", "fa", "--weight", "speaker:omid=1.5", "--weight", "speaker:sara=0.5"},
			Seed:      7, Shuffle: global, Tail: "pad", Batch: 4, Epochs: 2,
		}
	}
	return runs
}

// TestASecondFeedDeliversTheSame: a program in another language, written from
// docs/format.md, has the digests, ids and cursors of voxpack feed; also when
// that was stopped within an epoch and goes on with another batch, over GPUs.
func TestASecondFeedDeliversTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all batches with another program, twice")
	}
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: the order of an epoch is not checked by a second reader")
	}
	for _, corpus := range []string{"en", "fa"} {
		t.Run(corpus, func(t *testing.T) {
			dataset, dir := readerStore(t, corpus), t.TempDir()
			var runs []readerRun
			var names []string
			var got []readerFound
			for name, run := range readerRuns(corpus) {
				found, _ := run.feed(t, dataset, dir, "host")
				names, runs, got = append(names, name), append(runs, run), append(got, found)
				first := run
				first.Steps = 1
				_, cursor := first.feed(t, dataset, dir, "host")
				run.Resume, run.Batch, run.World, run.Rank = cursor, 2, 2, 1
				found, _ = run.feed(t, dataset, dir, "sim")
				names, runs, got = append(names, name+", resumed"), append(runs, run), append(got, found)
			}
			for i, want := range readerFinds(t, python, dataset, runs) {
				if !reflect.DeepEqual(got[i], want) {
					t.Errorf("%s: voxpack has\n%+v\nthe second reader\n%+v", names[i], got[i], want)
				}
			}
		})
	}
}

// readerFinds has the second reader do the runs.
func readerFinds(t *testing.T, python, dataset string, runs []readerRun) (found []readerFound) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "runs")
	dump := file + ".dump"
	ref := readerDump(t, dataset, dump)
	list, err := json.Marshal(runs)
	if err == nil {
		err = os.WriteFile(file, list, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-B", filepath.Join("..", "..", "testdata", "feed_reader.py"), dump, ref, file).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		t.Fatalf("feed_reader.py: %v", err)
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	return found
}
