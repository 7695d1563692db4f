package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/stats"
	"voxpack/store"
)

// letters is a front-end of bytes; cmd/voxpack tests the real one. A text "wait"
// takes until the channel is closed.
func letters(wait chan struct{}) Words {
	return Words{
		FrontEnd: func() (*FrontEnd, error) {
			return &FrontEnd{
				Encode: func(ctx context.Context, text, language string) (Line, error) {
					if language != "" && language != "en" {
						return Line{}, fmt.Errorf("no language %s", language)
					}
					if text == "wait" {
						select {
						case <-wait:
						case <-ctx.Done():
							return Line{}, ctx.Err()
						}
					}
					line := Line{IDs: []int32{}, Spoken: text, Language: "en", Notes: []LineNote{}}
					for _, b := range []byte(text) {
						line.IDs = append(line.IDs, int32(b))
					}
					return line, nil
				},
				Decode: func(ids []int32) string {
					var b strings.Builder
					for _, id := range ids {
						b.WriteByte(byte(id))
					}
					return strings.ToValidUTF8(b.String(), "?")
				},
			}, nil
		},
		Missing: func(id string) (string, error) { return "no row " + id + "; near it: é0001", nil },
		Place:   func(id string) string { return "metadata.csv:1" },
		Page:    func() (any, error) { return map[string]int{"rows": 3}, nil },
	}
}

// ask says a question and hears the answer.
func (x *client) ask(into any, question map[string]any) (files []int, err error) {
	if err := x.say(question); err != nil {
		return nil, err
	}
	return x.hear(into)
}

// file is what a descriptor holds.
func file(t *testing.T, files []int) []byte {
	t.Helper()
	if len(files) != 1 {
		t.Fatalf("%d descriptors, want 1", len(files))
	}
	f := os.NewFile(uintptr(files[0]), "answer")
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEncodeAndDecode(t *testing.T) {
	s := serving(t, dataset(t, 8), func(o *Options) { o.Words = letters(nil) })
	x := connect(t, s, map[string]any{})
	var e Encoded
	if _, err := x.ask(&e, map[string]any{"type": "encode", "texts": []string{"ab", "", "é"}, "language": "en"}); err != nil {
		t.Fatal(err)
	}
	if len(e.Lines) != 3 || !slices.Equal(e.Lines[0].IDs, []int32{97, 98}) || len(e.Lines[1].IDs) != 0 || e.Lines[2].Spoken != "é" || e.Lines[2].Language != "en" {
		t.Errorf("encoded = %+v", e)
	}
	var d Decoded
	if _, err := x.ask(&d, map[string]any{"type": "decode", "ids": [][]int{{97, 98}, {}, {99}}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Texts, []string{"ab", "", "c"}) {
		t.Errorf("decoded = %q", d.Texts)
	}
}

// TestRefusedQuestionsLeaveTheBatches: the session that asked goes on with its
// batches, and what it is told names what was wrong.
func TestRefusedQuestionsLeaveTheBatches(t *testing.T) {
	s := serving(t, dataset(t, 12), func(o *Options) { o.Words = letters(nil) })
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	if _, err := x.ask(&Batch{}, map[string]any{"type": "batch"}); err == nil || !strings.Contains(err.Error(), "start comes first") {
		t.Errorf("batch before start = %v", err)
	}
	if err := x.start(map[string]any{"epochs": 1}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		question map[string]any
		want     string
	}{
		{map[string]any{"type": "encode", "texts": []string{"a"}, "language": "xx"}, "request: encode: text 0: no language xx"},
		{map[string]any{"type": "encode"}, "texts: want a list"},
		{map[string]any{"type": "encode", "texts": []any{"a", 1}}, "cannot unmarshal number"},
		{map[string]any{"type": "encode", "texts": make([]string, mostTexts+1)}, "ask in portions"},
		{map[string]any{"type": "encode", "texts": []string{strings.Repeat("x", mostText+1)}}, "ask in portions"},
		{map[string]any{"type": "decode", "ids": []int{1}}, "list 0: json: cannot unmarshal number"},
		{map[string]any{"type": "decode", "ids": [][]int64{{1 << 40}}}, "cannot unmarshal number"},
		{map[string]any{"type": "decode", "ids": [][]int{make([]int, mostIDs), {1}}}, "list 1: more than one question takes"},
		{map[string]any{"type": "row", "id": "nobody"}, "request: no row nobody; near it: é0001"},
		{map[string]any{"type": "batch", "index": 3}, "request: epoch 0 has no batch 3: there are 3"},
		{map[string]any{"type": "batch", "index": -1}, "request: index -1: want 0 to 9007199254740992"},
	} {
		if _, err := x.ask(&struct{}{}, c.question); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80v = %v, want %q", fmt.Sprint(c.question), err, c.want)
		}
	}
	for i := range 3 {
		b, err := x.next()
		if err != nil {
			t.Fatalf("batch %d after refusals: %v", i, err)
		}
		x.giveBack(b)
	}
}

func TestAFeederWithoutWordsSaysSo(t *testing.T) {
	x := connect(t, serving(t, dataset(t, 8), nil), map[string]any{})
	if _, err := x.ask(&Encoded{}, map[string]any{"type": "encode", "texts": []string{"a"}}); err == nil || !strings.Contains(err.Error(), "does not know how text is read") {
		t.Errorf("encode = %v", err)
	}
	if _, err := x.ask(&Row{}, map[string]any{"type": "row", "id": "nobody"}); err == nil || !strings.Contains(err.Error(), `id "nobody"`) {
		t.Errorf("row = %v", err)
	}
	var d Described
	if _, err := x.ask(&d, map[string]any{"type": "describe", "val": 0.5}); err != nil || d.Splits["all"] != 8 || d.Splits["train"]+d.Splits["val"] != 8 || d.Splits["val"] == 0 || d.Splits["test"] != 0 {
		t.Errorf("describe = %+v, %v", d, err)
	}
}

// Statistics are computed once for all who ask, of what the store has.
func TestStatisticsAreComputedOnce(t *testing.T) {
	d := dataset(t, 8)
	s := serving(t, d, nil)
	x, y := connect(t, s, map[string]any{}), connect(t, s, map[string]any{})
	want, _, err := stats.Of(t.Context(), d, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []*client{x, y, x} {
		var got Statistics
		if _, err := c.ask(&got, map[string]any{"type": "stats"}); err != nil || !reflect.DeepEqual(got.Stats, want) {
			t.Errorf("question %d: %+v, %v, want %+v", i, got.Stats, err, want)
		}
		if err := os.RemoveAll(stats.Folder(d)); i == 0 && err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(stats.Folder(d)); err == nil {
			t.Errorf("question %d was computed again", i)
		}
	}
}

// TestAFrontEndThatFailedIsTriedAgain, and one that is there is made once.
func TestAFrontEndThatFailedIsTriedAgain(t *testing.T) {
	var made atomic.Int32 // an answer that came by a socket is no order that Go knows of
	s := serving(t, dataset(t, 8), func(o *Options) {
		o.Words = letters(nil)
		front := o.Words.FrontEnd
		o.Words.FrontEnd = func() (*FrontEnd, error) {
			if made.Add(1) == 1 {
				return nil, errors.New("espeak-ng is not installed")
			}
			return front()
		}
	})
	x := connect(t, s, map[string]any{})
	for i, want := range []string{"request: the front-end of this dataset: espeak-ng is not installed", "", ""} {
		if _, err := x.ask(&Encoded{}, map[string]any{"type": "encode", "texts": []string{"a"}}); fmt.Sprint(err) != want && !(err == nil && want == "") {
			t.Errorf("encode %d = %v, want %q", i, err, want)
		}
	}
	if n := made.Load(); n != 2 {
		t.Errorf("the front-end was made %d times, want 2", n)
	}
}

// TestASlowQuestionStopsNoBatches: neither those of the session that asked, nor
// those of another.
func TestASlowQuestionStopsNoBatches(t *testing.T) {
	wait := make(chan struct{})
	s := serving(t, dataset(t, 12), func(o *Options) { o.Words = letters(wait) })
	slow, other := connect(t, s, map[string]any{}), connect(t, s, map[string]any{})
	if err := slow.say(map[string]any{"type": "encode", "texts": []string{"wait"}}); err != nil {
		t.Fatal(err)
	}
	for range 3 * slow.started.Slots { // more than are ready
		for _, x := range []*client{slow, other} {
			b, err := x.next()
			if err != nil {
				t.Fatal(err)
			}
			x.giveBack(b)
		}
	}
	close(wait)
	var e Encoded
	if _, err := slow.hear(&e); err != nil || len(e.Lines) != 1 {
		t.Errorf("the answer is %+v, %v", e, err)
	}
}

// slow is a consumer who takes a while for each kB that it is told.
type slow struct {
	each  time.Duration
	until time.Time
	heard []byte
}

func (s *slow) SetWriteDeadline(t time.Time) error { s.until = t; return nil }

func (s *slow) WriteMsgUnix(b, _ []byte, _ *net.UnixAddr) (n, oobn int, err error) {
	for ; n < len(b); n += min(1<<10, len(b)-n) {
		if time.Sleep(s.each); time.Now().After(s.until) {
			err = os.ErrDeadlineExceeded
			break
		}
	}
	s.heard = append(s.heard, b[:n]...)
	return n, 0, err
}

// TestALongAnswerMayBeReadSlowly, in virtual time: what bounds the reader is that
// it reads, not how long a long answer takes it.
func TestALongAnswerMayBeReadSlowly(t *testing.T) {
	answer := bytes.Repeat([]byte("0123456789"), 200_000)
	synctest.Test(t, func(t *testing.T) {
		began, reader := time.Now(), &slow{each: 100 * time.Millisecond}
		if err := write(reader, answer, nil); err != nil || !bytes.Equal(reader.heard, answer) || time.Since(began) < 10*writeWithin {
			t.Errorf("%v after %v and %d bytes of %d, want all of them", err, time.Since(began), len(reader.heard), len(answer))
		}
		reader = &slow{each: time.Second}
		if err := write(reader, answer, nil); !errors.Is(err, os.ErrDeadlineExceeded) || len(reader.heard) >= portion {
			t.Errorf("a reader that takes a minute for a portion: %v after %d bytes, want that it is given up", err, len(reader.heard))
		}
	})
}

// TestARowIsItsOwn: all its columns, in memory that the feeder does not touch.
func TestARowIsItsOwn(t *testing.T) {
	d := dataset(t, 12)
	x := connect(t, serving(t, d, func(o *Options) { o.Words = letters(nil) }), map[string]any{})
	err := d.IDs(func(at store.At, id string) bool {
		var r Row
		files, err := x.ask(&r, map[string]any{"type": "row", "id": id, "place": true})
		if err != nil {
			t.Fatal(err)
		}
		mem := file(t, files)
		if r.ID != id || r.Place != "metadata.csv:1" || len(mem) != r.Bytes || len(r.Fields) != len(testSchema) || r.Speaker != nil || r.Given != nil {
			t.Errorf("row = %+v", r)
		}
		for _, f := range r.Fields {
			got := mem[f.Offset:]
			if len(f.Shape) == 0 {
				n, err := d.Scalar(at, f.Name)
				if want := []byte{byte(n), 0, 0, 0}; err != nil || !bytes.Equal(got[:4], want) {
					t.Errorf("%s of %s = %v, want %v", f.Name, id, got[:4], want)
				}
				continue
			}
			if want, err := d.Value(at, f.Name); err != nil || !bytes.Equal(got[:len(want)], want) {
				t.Errorf("%s of %s differs from what is stored, %v", f.Name, id, err)
			}
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestABatchByItsNumberIsThatOfTheLoop, in each epoch, tail and rank; asking for
// it moves nothing.
func TestABatchByItsNumberIsThatOfTheLoop(t *testing.T) {
	for _, buckets := range [][]int{nil, {2, 4}} {
		s := serving(t, dataset(t, 22), func(o *Options) { o.Selection.Buckets = buckets })
		sameByNumber(t, s)
	}
}

func sameByNumber(t *testing.T, s *Server) {
	t.Helper()
	for _, tail := range []string{"drop", "pad", "wrap"} {
		for rank := range 2 {
			x := connect(t, s, map[string]any{"tail": tail, "rank": rank, "world": 2, "epochs": 2})
			for range 2 {
				for index := range x.started.Batches {
					want, err := x.next()
					if err != nil {
						t.Fatal(err)
					}
					var b Batch
					files, err := x.ask(&b, map[string]any{"type": "batch", "epoch": want.epoch, "index": index})
					if err != nil {
						t.Fatal(err)
					}
					mem := file(t, files)
					if len(mem) != b.Bytes || b.Epoch != want.epoch || b.Index != index || !slices.Equal(b.Rows, want.rows) || b.IDs == nil || len(b.IDs) != len(b.Rows) {
						t.Fatalf("%s, rank %d: batch %d is %+v, the loop has rows %v of epoch %d", tail, rank, index, b, want.rows, want.epoch)
					}
					for _, f := range x.started.Layouts[b.Bucket].Fields {
						n := 4
						for _, d := range f.Shape {
							n *= d
						}
						if !bytes.Equal(mem[f.Offset:f.Offset+n], want.bytes[f.Offset:f.Offset+n]) {
							t.Errorf("%s, rank %d: %s of batch %d differs from that of the loop", tail, rank, f.Name, index)
						}
					}
					x.giveBack(want)
				}
			}
			if _, err := x.next(); err != io.EOF {
				t.Errorf("after the last batch: %v", err)
			}
		}
	}
}

// TestQuestionsLeaveNoFiles: the descriptors of answers are closed here.
func TestQuestionsLeaveNoFiles(t *testing.T) {
	x := connect(t, serving(t, dataset(t, 12), nil), map[string]any{})
	var before int
	for i := range 50 {
		for _, q := range []map[string]any{{"type": "row", "id": "é0003"}, {"type": "batch", "index": 1}, {"type": "batch", "index": 99}} {
			files, _ := x.ask(&struct{}{}, q)
			for _, f := range files {
				unix.Close(f)
			}
		}
		if i == 0 {
			before = memories(t)
		}
	}
	if after := memories(t); after > before {
		t.Errorf("%d files in memory, %d before 49 questions", after, before)
	}
}

// FuzzAnswer says anything as a request, before the start and after it.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"type":"encode","texts":["a","é"],"language":"en"}`, `{"type":"encode","texts":null}`, `{"type":"encode","texts":[[]]}`, `{"type":"encode","texts":["\ud800"]}`,
		`{"type":"decode","ids":[[1,2],[]]}`, `{"type":"decode","ids":[[1e9,-1]]}`, `{"type":"row","id":"é0001"}`, `{"type":"batch","epoch":1,"index":1}`,
		`{"type":"batch","index":-9223372036854775808}`, `{"type":"batch","epoch":18446744073709551615,"index":9223372036854775807}`, `{"type":"describe","val":2}`,
		`{"type":"describe","val":-1e308}`, `{"type":"ids"}`, `{"type":"start","batch":-1}`, `{"type":"nothing"}`,
		`{"type":"start","ahead":4611686018427387904}`, `{"type":"start","batch":2147483647,"tail":"wrap"}`, `{"type":"start","batch":8,"rank":3,"world":4,"ahead":4096}`,
		`{"type":"start","val":0.5,"split":"val","shuffle":"none","seed":18446744073709551615,"epochs":2147483647}`,
		`{"type":"start","cursor":{"format":1,"root":"","snapshot":"","seed":0,"epoch":18446744073709551615,"shuffle":"global","tail":"drop","selection":{"split":"all"},` +
			`"samples":1,"buckets":[{"frames":8}],"owed":[{"id":"é0001"}],"seen":[{"id":"é0002","copy":65535}],"drift":-9}}`, `[]`,
		`{"type":"rows","from":3,"count":2}`, `{"type":"rows","from":4294967295,"count":4096}`, `{"type":"rows","from":-1}`,
		`{"type":"start","columns":["mel","mel_len"],"chosen":"/w8="}`, `{"type":"start","columns":[""],"segment":3,"reference":"same-speaker"}`, `{"type":"start","chosen":"AQA="}`,
		`{"type":"start","chosen":"/////w==","cursor":{"format":1,"selection":{"split":"all","chosen":{"rows":-1,"digest":"x"}},"buckets":[{"frames":8}]}}`,
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	d := dataset(f, 12)
	words := letters(nil)
	f.Fuzz(func(t *testing.T, message []byte, started bool) {
		var r Request
		if json.Unmarshal(message, &r) != nil || r.Type == "start" && started {
			return
		}
		s := &Server{options: Options{Dataset: d, Config: gpufeed.Config{Plan: plan.Options{Batch: 4}}, Words: words}, memory: newMemory(16 << 20), sets: map[string]*plan.Set{}, ids: -1}
		ours, theirs := pair(t)
		defer theirs.Close()
		x := &session{server: s, conn: ours}
		heard := make(chan int64)
		go func() {
			n, _ := io.Copy(io.Discard, theirs) // descriptors that come are closed by the kernel
			heard <- n
		}()
		ctx, gone := context.WithCancel(t.Context())
		defer gone()
		if started {
			if err := x.answer(ctx, Request{Type: "start"}); err != nil {
				t.Fatal(err)
			}
		}
		_ = x.heard(ctx, gone, r)
		x.close()
		ours.Close()
		if s.memory.taken != 0 {
			t.Errorf("%d bytes stay taken", s.memory.taken)
		}
		if n := <-heard; n > int64(len(message))*64+1<<16 {
			t.Errorf("%d bytes of answers to %d", n, len(message))
		}
		if s.ids >= 0 {
			unix.Close(s.ids)
		}
	})
}

// pair is two sockets that hear each other.
func pair(t *testing.T) (a, b *net.UnixConn) {
	t.Helper()
	both, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	conn := func(fd int) *net.UnixConn {
		f := os.NewFile(uintptr(fd), "pair")
		defer f.Close()
		c, err := net.FileConn(f)
		if err != nil {
			t.Fatal(err)
		}
		return c.(*net.UnixConn)
	}
	a, b = conn(both[0]), conn(both[1])
	_ = b.SetReadDeadline(time.Now().Add(time.Minute))
	return a, b
}
