package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"voxpack/bench/program"
	"voxpack/gpufeed"
	"voxpack/store"
)

// asProgram is set in the environment of processes in which the test's binary is
// the program: it need not be built a second time.
const asProgram = "VOXPACK_BENCH_FEED"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestBenchOverASmallStore is the whole bench over a store that is too small to
// say anything, and what its checks find.
func TestBenchOverASmallStore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds voxpack and the generator of corpora")
	}
	t.Setenv("VOXPACK_CORPORA", "")
	dir := t.TempDir()
	var log bytes.Buffer
	o := options{store: filepath.Join(dir, "store"), ref: "main", batch: 4, n: 40, voxpack: filepath.Join(t.TempDir(), "voxpack")}
	if err := program.Go(t.Context(), &log, "build", "-o", o.voxpack, "voxpack/cmd/voxpack"); err != nil {
		t.Fatalf("%v\n%s", err, log.Bytes())
	}
	if err := makeStore(t.Context(), o, o.store, &log); err != nil {
		t.Fatalf("makeStore: %v\n%s", err, log.Bytes())
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || !slices.Equal(left, []string{o.store}) {
		t.Errorf("beside the store: %v (%v)", left, err)
	}
	if err := makeStore(t.Context(), o, o.store, &log); err == nil {
		t.Error("a store was made where there is one")
	}
	t.Setenv(asProgram, "yes")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("every table is complete", func(t *testing.T) { wholeBench(t, program, o) })
	t.Run("laps answer what stdin asks", func(t *testing.T) { lapsAnswer(t, o) })
	t.Run("an exported row is the feed's", func(t *testing.T) { exportedRows(t, o) })
	t.Run("a wrong byte ends the bench", func(t *testing.T) { wrongByte(t, o) })
	t.Run("peers have the same bytes", func(t *testing.T) { peersRun(t, program, o) })
}

func wholeBench(t *testing.T, program string, o options) {
	args := []string{"-voxpack", o.voxpack, "-store", o.store, "-batch", "4", "-rounds", "2", "-starts", "3"}
	var log bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("feed: %v\n%s", err, log.Bytes())
	}
	want := []string{`40 rows, batches of 4 \(1\.0 MB\)`, `\| copy, one goroutine \| \d`, `\| feed, one filler \| \d.*\| 0\.85 of the copy \| (met|\*\*missed\*\*) \|`,
		`\| feed, two fillers \| \d.*\| 0\.85 of the copy \| (met|\*\*missed\*\*) \|`, `\| feed, two fillers, absolute \| \d.*100000 samples/s`,
		`\| first epoch of a process.*\| 40000 samples/s \|`, `10 batches of each feed were compared`, `to first batch, 3 processes`,
		`\| start the process \| \d`, `\| open the store \| \d`, `\| dataset \| \d`, `\| select \| \d`, `\| order, open the feed \| \d`, `\| first batch \| \d`,
		`\| all \| \d.*\| 50 \| (met|\*\*missed\*\*) \|`, `\| voxpack feed, by its own account \| \d.*\| 50 \|`, `first touch of memory, GB/s \| \d`, `plain write of 8 MiB, GB/s \| \d`}
	if canDrop {
		want = append(want, `\| the kernel's own \| \d`, `\| WILLNEED.* \| \d`, `\| RANDOM.* \| \d`)
	}
	for _, line := range want {
		if !regexp.MustCompile(line).Match(out) {
			t.Errorf("no line %s in\n%s", line, out)
		}
	}
	out, err = exec.CommandContext(t.Context(), program, append(args, "-json", "-no-cold")...).Output()
	var r results
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil || len(r.First) != 2 || len(r.Start) != 3 || len(r.Steady.Feed[1]) != 2 || r.Steady.Feed[1][0].Samples != 40 {
		t.Errorf("-json: %v\n%s", err, out)
	}
}

func lapsAnswer(t *testing.T, o options) {
	o.piece, o.fillers = "laps", 1
	var out bytes.Buffer
	if err := runPiece(t.Context(), o, strings.NewReader("lap\ncheck\nlap\n"), &out); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&out)
	var l lap
	var c digests
	for _, into := range []any{&l, &c, &l} {
		if err := d.Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	if l.Samples != 40 || l.Bytes != 40*(800+4*800*80+4+4) || l.Seconds <= 0 {
		t.Errorf("lap = %+v, want 40 samples of 200 tokens, 800 frames of 80 and two lengths", l)
	}
	if len(c.Rows) != 4 || len(c.SHA256) != 4 {
		t.Errorf("check = %+v, want 4 rows and the digests of 4 columns", c)
	}
	if err := runPiece(t.Context(), o, strings.NewReader("what\n"), io.Discard); err == nil {
		t.Error("what was answered")
	}
}

// exportedRows reads the .npy files as NumPy does: the header's length is at 8,
// the data after it.
func exportedRows(t *testing.T, o options) {
	o.export = t.TempDir()
	quiet := func(string, ...any) {}
	if err := export(t.Context(), o, quiet); err != nil {
		t.Fatal(err)
	}
	d, f := openFeed(t, o)
	files := map[string][]byte{}
	for _, field := range d.layout.Fields {
		b, err := os.ReadFile(filepath.Join(o.export, field.Column.Name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		files[field.Column.Name] = b[10+int(binary.LittleEndian.Uint16(b[8:])):]
	}
	for range d.batches() {
		b, err := f.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range d.layout.Fields {
			for i, row := range b.Rows {
				got := files[field.Column.Name][int(row)*field.Size:][:field.Size]
				if !bytes.Equal(got, b.Host[field.Offset+i*field.Size:][:field.Size]) {
					t.Fatalf("%s.npy has other bytes for row %d than the feed", field.Column.Name, row)
				}
			}
		}
		b.Release()
	}
	before, _ := os.Stat(filepath.Join(o.export, "mel.npy"))
	if err := export(t.Context(), o, quiet); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(filepath.Join(o.export, "mel.npy")); !after.ModTime().Equal(before.ModTime()) {
		t.Error("samples that were there were written again")
	}
}

// openFeed is an endless feed, closed with the test.
func openFeed(t *testing.T, o options) (*dataset, *gpufeed.Feed) {
	t.Helper()
	d, err := openDataset(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := gpufeed.Open(t.Context(), d.set, config(o, 2))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(f.Close(), d.store.Close()); err != nil {
			t.Error(err)
		}
	})
	return d, f
}

func wrongByte(t *testing.T, o options) {
	for _, column := range []string{"", "tokens", "mel", "mel_len"} {
		d, f := openFeed(t, o)
		source, err := epochSource(t.Context(), o, d)
		if err != nil {
			t.Fatal(err)
		}
		if field, ok := d.layout.Field(column); ok {
			source[3*d.layout.Bytes+field.Offset+2*field.Size+1] ^= 1
		}
		err = compareEpoch(t.Context(), f, d, source)
		if right := err == nil; right != (column == "") || !right && !strings.Contains(err.Error(), "batch 3: its column "+column) {
			t.Errorf("wrong byte in %q: compareEpoch() = %v", column, err)
		}
	}
}

// peersRun needs a Python with NumPy: that of the environment that the Makefile
// makes, or the system's.
func peersRun(t *testing.T, program string, o options) {
	python := ""
	for _, p := range []string{"../../bin/venv/bin/python", "python3"} {
		if python == "" && exec.CommandContext(t.Context(), p, "-c", "import numpy").Run() == nil {
			python = p
		}
	}
	if python == "" {
		t.Skip("NOTICE: no Python with NumPy")
	}
	peers := func(work string) ([]byte, error) {
		return exec.CommandContext(t.Context(), python, "../peers/peers.py", "--feed", program, "--store", o.store, "--work", work, "--batch", "4", "--rounds", "2").CombinedOutput()
	}
	work := t.TempDir()
	out, err := peers(work)
	if err != nil {
		t.Fatalf("peers.py: %v\n%s", err, out)
	}
	for _, line := range []string{`Epochs of 40 samples in batches of 4`, `\| the feed, one filler \| \d+ \| \d`, `\| NumPy take\(out=\) \| 3 \| \d.*\| 1\.4 \| (met|missed) \|`,
		`\| the feed, two fillers \| \d+ \| \d`, `first touch of memory, GB/s \| \d`} {
		if !regexp.MustCompile(line).Match(out) {
			t.Errorf("no line %s in\n%s", line, out)
		}
	}
	mel := filepath.Join(work, "npy", "mel.npy")
	b, err := os.ReadFile(mel)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b[4096:] { // every row
		b[4096+i] ^= 1
	}
	if err := os.WriteFile(mel, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := peers(work); err == nil || !strings.Contains(string(out), "not the same bytes") {
		t.Errorf("peers.py over other samples: %v, want its refusal\n%s", err, out)
	}
}

func TestNumPyHasNoBfloat16(t *testing.T) {
	c := store.Column{Name: "mel", DType: store.BFloat16, Shape: []int{2}}
	if err := exportColumn(t.Context(), nil, c, filepath.Join(t.TempDir(), "mel.npy")); err == nil || !strings.Contains(err.Error(), "NumPy has no such type") {
		t.Errorf("exportColumn = %v, want that NumPy has no such type", err)
	}
}

// TestCopiesBringEveryBatch: as many copies as batches, each whole, with one
// goroutine and with two.
func TestCopiesBringEveryBatch(t *testing.T) {
	const batch, batches = 5000, 7
	for _, goroutines := range []int{1, 2} {
		source := make([]byte, batches*batch)
		for i := range source {
			source[i] = byte(1 + i/batch)
		}
		c, err := newCopies(source, &gpufeed.Layout{Bytes: batch})
		if err != nil {
			t.Fatal(err)
		}
		clear(c.slots)
		c.run(batches, goroutines)
		brought := map[byte]bool{}
		for i := range copySlots {
			slot := c.slots[i*batch : (i+1)*batch]
			if bytes.Count(slot, slot[:1]) != batch {
				t.Errorf("%d goroutines: slot %d is mixed", goroutines, i)
			}
			brought[slot[0]] = true
		}
		if goroutines == 1 && (brought[0] || !brought[batches] || brought[batches-copySlots]) {
			t.Errorf("one goroutine: the slots hold %v, want the last %d of %d batches", brought, copySlots, batches)
		}
	}
}

func TestRatiosAreTakenWithinARound(t *testing.T) {
	got := ratios([]lap{{Seconds: 1}, {Seconds: 9}}, []lap{{Seconds: 2}, {Seconds: 3}}, func(l lap) float64 { return l.Seconds })
	if !slices.Equal(got, []float64{0.5, 3}) {
		t.Errorf("ratios() = %v, want [0.5 3]", got)
	}
}

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, args := range [][]string{{"-rounds", "0"}, {"-n", "3"}, {"-batch", "0"}, {"extra"}, {"-what"}, {"-export", "x"}, {"-piece", "first"}, {"-advice", "9"}} {
		if _, err := parse(args, new(bytes.Buffer)); !errors.Is(err, program.ErrUsage) {
			t.Errorf("parse(%q) = %v, want a usage error", args, err)
		}
	}
	o := options{piece: "what", store: "x"}
	if err := runPiece(t.Context(), o, strings.NewReader(""), io.Discard); !errors.Is(err, program.ErrUsage) {
		t.Errorf("-piece what: %v, want a usage error", err)
	}
}
