package compiler

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/compiler/column"
	"voxpack/compiler/column/worker"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// TestColumnProgram is not a test: it is the program of computed columns of other tests, which does as the text of a
// row says. Of a column with samples the value is f32 [samples, the sum of their sizes], of one with tokens each token plus one, of units the length of each word.
func TestColumnProgram(t *testing.T) {
	if os.Getenv(worker.EnvWorker) == "" {
		t.Skip("runs as a program of other tests only")
	}
	dir := os.Args[len(os.Args)-1]
	in := bufio.NewReader(os.Stdin)
	next := func() []byte {
		var head [16]byte
		if _, err := io.ReadFull(in, head[:]); err != nil {
			os.Exit(0)
		}
		payload := make([]byte, binary.LittleEndian.Uint64(head[8:]))
		io.ReadFull(in, payload)
		return payload
	}
	send := func(kind uint32, payload []byte) {
		b := binary.LittleEndian.AppendUint32([]byte("VXW1"), kind)
		os.Stdout.Write(append(binary.LittleEndian.AppendUint64(b, uint64(len(payload))), payload...))
	}
	var hello struct{ Column string }
	json.Unmarshal(next(), &hello)
	if _, err := os.Stat(filepath.Join(dir, "broken")); err == nil {
		fmt.Fprintln(os.Stderr, "no model")
		os.Exit(1)
	}
	send(2, []byte(`{"protocol":1}`))
	for {
		programBatch(dir, hello.Column, next(), send)
	}
}

func programBatch(dir, name string, b []byte, send func(uint32, []byte)) {
	at := 8
	word := func() uint32 { at += 4; return binary.LittleEndian.Uint32(b[at-4:]) }
	for i := range binary.LittleEndian.Uint32(b[4:]) {
		nID, nText, nTokens, nSamples, size := int(word()), int(word()), word(), word(), word()
		id, text := string(b[at:at+nID]), string(b[at+nID:at+nID+nText])
		at = (at + nID + nText + 3) &^ 3
		f, _ := os.OpenFile(filepath.Join(dir, "calls"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		fmt.Fprintln(f, name+":"+id)
		f.Close()
		head := binary.LittleEndian.AppendUint32(slices.Clone(b[:4]), i)
		var values []uint32
		for range nTokens {
			values = append(values, word()+1)
		}
		dtype, sum := "i32\x00", float32(0)
		for range nSamples {
			if size == 2 {
				at += 2
				sum += float32(math.Abs(float64(int16(binary.LittleEndian.Uint16(b[at-2:]))))) / 32768
				continue
			}
			sum += float32(math.Abs(float64(math.Float32frombits(word()))))
		}
		at = (at + 3) &^ 3
		if name == "level" {
			dtype, values = "f32\x00", []uint32{math.Float32bits(float32(nSamples)), math.Float32bits(sum)}
		}
		if name == "units" {
			values = nil
			for _, w := range strings.Fields(text) {
				values = append(values, uint32(len(w)))
			}
		}
		switch {
		case strings.Contains(text, "die"):
			os.Exit(9)
		case strings.Contains(text, "fail"):
			send(4, append(binary.LittleEndian.AppendUint32(head, 1), "ValueError: no voice"...))
			continue
		case strings.Contains(text, "short"):
			values = values[1:]
		}
		head = binary.LittleEndian.AppendUint32(append(binary.LittleEndian.AppendUint32(head, 0), dtype...), 1)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(values)))
		for _, v := range values {
			head = binary.LittleEndian.AppendUint32(head, v)
		}
		send(4, head)
	}
}

// computedCorpus has two computed columns; log is the folder in which their program notes its calls.
func computedCorpus(t *testing.T, rows int) (c *corpus, o Options, log string) {
	dir := fastTemp(t)
	c, log = newCorpus(filepath.Join(dir, "data"), 3), filepath.Join(dir, "log")
	for i := range rows {
		c.rows = append(c.rows, line{id: fmt.Sprintf("row-%03d", i), text: fmt.Sprint("a text of row ", i), given: fmt.Sprint("a text of row ", i)})
		c.wavs[c.rows[i].id] = noiseWAV(uint64(i), 8000, 640+64*(i%9))
	}
	c.write(t)
	writeFile(t, filepath.Join(c.dir, "level.py"), []byte("one"))
	writeFile(t, filepath.Join(log, "here"), nil)
	command := []string{os.Args[0], "-test.run=^TestColumnProgram$", "--", log}
	cfg := smallConfig()
	cfg.Columns = []column.Config{
		{Name: "level", DType: store.Float32, Shape: []int{2}, Run: &column.Run{Command: command, Dir: c.dir, Version: "v1", Files: []string{"level.py"}, Rate: 4000, Workers: 2, Batch: 3}},
		{Name: "words", DType: store.Int32, Length: column.Tokens, Run: &column.Run{Command: command, Dir: c.dir, Version: "v1", Text: true, Tokens: true}},
	}
	return c, Options{Dataset: c.dir, Store: filepath.Join(dir, "store"), Config: cfg}, log
}

// calls lists what programs were asked since the last call of it, sorted.
func calls(t *testing.T, log string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(log, "calls"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(log, "calls"))
	list := strings.Fields(string(b))
	slices.Sort(list)
	return list
}

// columnOf is a column's values of all rows, by id.
func columnOf(t *testing.T, dir, name string) map[string][]byte {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]byte{}
	if err := d.IDs(func(at store.At, id string) bool {
		v, err := d.Value(at, name)
		if err != nil {
			t.Fatal(err)
		}
		values[id] = slices.Clone(v)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return values
}

// TestAComputedColumnRunsForWhatChanged: each row once in a first build, then the rows whose sound, or text, the program is told
// and is another; a new version and a changed file run all rows of the column and nothing else. Each root is that of a build
// without history, by other numbers of workers.
func TestAComputedColumnRunsForWhatChanged(t *testing.T) {
	t.Parallel()
	c, o, log := computedCorpus(t, 14)
	all := func(names ...string) (list []string) {
		for _, name := range names {
			for _, l := range c.rows {
				list = append(list, name+":"+l.id)
			}
		}
		slices.Sort(list)
		return list
	}
	edit := func(i int, change func(r *column.Run)) func() {
		return func() {
			o.Config.Columns = slices.Clone(o.Config.Columns)
			run := *o.Config.Columns[i].Run
			change(&run)
			o.Config.Columns[i].Run = &run
		}
	}
	for step, e := range []struct {
		name string
		edit func()
		want func() []string
	}{
		{"the first build", func() {}, func() []string { return all("level", "words") }},
		{"nothing", func() {}, func() []string { return nil }},
		{"one recording", func() { c.wavs["row-003"] = noiseWAV(99, 8000, 700) }, func() []string { return []string{"level:row-003"} }},
		{"one text", func() { c.rows[5].given = "another text" }, func() []string { return []string{"words:row-005"} }},
		{"a row more", func() {
			c.rows = append(c.rows, line{id: "row-x", text: "x y", given: "x y"})
			c.wavs["row-x"] = noiseWAV(77, 8000, 800)
		}, func() []string { return []string{"level:row-x", "words:row-x"} }},
		{"a row less", func() { c.rows = c.rows[1:]; delete(c.wavs, "row-000") }, func() []string { return nil }},
		{"a version", edit(0, func(r *column.Run) { r.Version = "v2" }), func() []string { return all("level") }},
		{"a version back", edit(0, func(r *column.Run) { r.Version = "v1" }), func() []string { return nil }}, // its blocks are known by their traces
		{"a file of the program", func() { writeFile(t, filepath.Join(c.dir, "level.py"), []byte("two")) }, func() []string { return all("level") }},
		{"the rate", edit(0, func(r *column.Run) { r.Rate = 8000 }), func() []string { return all("level") }},
		{"how many at once", edit(1, func(r *column.Run) { r.Workers, r.Batch, r.Timeout = 3, 1, time.Hour }), func() []string { return nil }},
	} {
		e.edit()
		c.write(t)
		o.Workers = 1 + step%2
		dry := o
		dry.DryRun = true
		if step > 0 {
			if d := mustBuild(t, dry); d.Stages["level"].Run+d.Stages["words"].Run != len(e.want()) {
				t.Errorf("%s: a dry run says %v, want %d rows", e.name, d.Stages, len(e.want()))
			}
		}
		r := mustBuild(t, o)
		if got, want := calls(t, log), e.want(); !slices.Equal(got, want) {
			t.Errorf("%s: asked %v, want %v", e.name, got, want)
		}
		if mels := r.Stages["mel"].Run; step > 0 && mels != 0 && e.name != "one recording" && e.name != "a row more" {
			t.Errorf("%s: %d mels run", e.name, mels)
		}
		if r.Rows.Rejected > 0 || e.name == "nothing" && (!r.UpToDate || r.BytesWritten != 0) {
			t.Errorf("%s: %+v", e.name, r)
		}
		o.Workers = 2
		wantRootOfAFreshBuild(t, o, r)
		calls(t, log)
	}
	levels, words := columnOf(t, o.Store, "level"), columnOf(t, o.Store, "words")
	for i, l := range c.rows {
		samples := (len(c.wavs[l.id]) - 44) / 2
		sum := 0.0
		for k := range samples {
			sum += math.Abs(float64(int16(binary.LittleEndian.Uint16(c.wavs[l.id][44+2*k:]))) / 32768)
		}
		if n, got := math.Float32frombits(binary.LittleEndian.Uint32(levels[l.id])), math.Float32frombits(binary.LittleEndian.Uint32(levels[l.id][4:])); int(n) != samples || math.Abs(float64(got)-sum) > 1e-3*sum {
			t.Errorf("%s: level %v %v, want %d %v", l.id, n, got, samples, sum)
		}
		tokens := columnOf(t, o.Store, "tokens")[l.id]
		for k := range 40 {
			want := binary.LittleEndian.Uint32(tokens[4*k:]) + 1
			if k >= len(c.rows[i].given) {
				want = 0
			}
			if got := binary.LittleEndian.Uint32(words[l.id][4*k:]); got != want {
				t.Fatalf("%s: words[%d] = %d, want %d", l.id, k, got, want)
			}
		}
	}
	if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { t.Errorf("verify --sources: %v", f) }); err != nil {
		t.Error(err)
	}
	if got := calls(t, log); !slices.Equal(got, all("level", "words")) {
		t.Errorf("verify --sources asked %v", got)
	}
}

// TestARowThatItsProgramCannotDoIsLeftOut, with its kind and what it did; its neighbours are computed once. What the program
// says of a row is remembered, what ended it is not.
func TestARowThatItsProgramCannotDoIsLeftOut(t *testing.T) {
	t.Parallel()
	c, o, log := computedCorpus(t, 12)
	for i, text := range map[int]string{2: "we fail", 3: "too short", 5: "we die"} {
		c.rows[i].given = text
	}
	c.write(t)
	r := mustBuild(t, o)
	want := map[string]struct {
		kind   kind.Rejection
		reason string
	}{
		"row-002": {kind.NoValue, "ValueError: no voice"},
		"row-003": {kind.ValueLength, "it has 8 steps, the row has 9 tokens"},
		"row-005": {kind.NoValue, "over this row alone the program ended with exit status 9, twice"},
	}
	for _, j := range r.Rejections {
		w, ok := want[j.ID]
		if delete(want, j.ID); !ok || j.Kind != string(w.kind) || !strings.Contains(j.Reason, w.reason) || j.Stage != "words" {
			t.Errorf("%s: %s %s: %s; want %+v", j.ID, j.Stage, j.Kind, j.Reason, w)
		}
	}
	if len(want) > 0 {
		t.Errorf("not rejected: %v", want)
	}
	asked := map[string]int{}
	for _, call := range calls(t, log) {
		asked[call]++
	}
	for i, l := range c.rows {
		if n := asked["level:"+l.id]; n != 1 {
			t.Errorf("level was asked %d times of %s", n, l.id)
		}
		if n := asked["words:"+l.id]; n != 1 && i != 5 && n > 2 {
			t.Errorf("words was asked %d times of %s", n, l.id)
		}
	}
	if _, err := VerifySources(t.Context(), o, "main", func(f Finding) { t.Errorf("verify --sources: %v", f) }); err != nil {
		t.Error(err)
	}
	calls(t, log)
	again := mustBuild(t, o)
	for _, call := range calls(t, log) {
		if !strings.HasSuffix(call, ":row-005") {
			t.Errorf("a second build asks %s", call)
		}
	}
	if again.Dataset != r.Dataset || len(again.Rejections) != len(r.Rejections) {
		t.Errorf("a second build has %.12s and %v, want %.12s and %v", again.Dataset, again.Rejections, r.Dataset, r.Rejections)
	}
	wantRootOfAFreshBuild(t, o, again)
}

// TestAProgramThatCannotWorkEndsTheBuild, and blames no row; what was computed stands when it works again. So it does when a build
// is interrupted.
func TestAProgramThatCannotWorkEndsTheBuild(t *testing.T) {
	t.Parallel()
	c, o, log := computedCorpus(t, 40)
	writeFile(t, filepath.Join(log, "broken"), nil)
	var fault *worker.Fault
	if _, err := Build(t.Context(), o); !errors.As(err, &fault) || !strings.Contains(err.Error(), "no model") {
		t.Fatalf("got %v", err)
	}
	os.Remove(filepath.Join(log, "broken"))
	calls(t, log)
	ctx, cancel := context.WithCancel(t.Context())
	o.Workers = 1
	o.Progress = func(p Progress) {
		if p.Phase == "computing" && p.Done >= 20 {
			cancel()
		}
	}
	if _, err := Build(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	before := calls(t, log)
	o.Progress = nil
	r := mustBuild(t, o)
	after := calls(t, log)
	if r.Rows.Kept != 40 {
		t.Errorf("rows %+v", r.Rows)
	}
	twice := 0
	for _, call := range after {
		if slices.Contains(before, call) {
			twice++
		}
	}
	if done := 2*len(c.rows) - len(after); done < 2*20 {
		t.Errorf("%d values of 80 were kept of the build that was interrupted after 20 rows, %d were computed twice", done, twice)
	}
	missing := o
	missing.Config.Columns = slices.Clone(o.Config.Columns)
	run := *o.Config.Columns[0].Run
	run.Files = []string{"none.py"}
	missing.Config.Columns[0].Run = &run
	if _, err := Build(t.Context(), missing); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "columns: level: files: ") {
		t.Errorf("a file that is not there: %v", err)
	}
}
