package serve

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
)

// answers fails the test unless a consumer that comes now is served.
func answers(t *testing.T, s *Server) {
	t.Helper()
	x, err := dial(s.Address())
	if err == nil {
		defer x.close()
		err = x.start(map[string]any{"epochs": 1})
	}
	if err == nil {
		_, err = x.next()
	}
	if err != nil {
		t.Fatalf("the next consumer: %v", err)
	}
}

// TestNumbersOutOfBounds: a number that no machine could serve is refused in
// words before memory is taken for it, and the feeder goes on.
func TestNumbersOutOfBounds(t *testing.T) {
	s := serving(t, dataset(t, 20), nil)
	first := connect(t, s, map[string]any{})
	for _, c := range []struct {
		name    string
		request string
		want    string
	}{
		{"batches ahead that overflow", `"ahead":4611686018427387904`, "request: ahead 4611686018427387904: want 0 to 4096"},
		{"more batches ahead than memory", `"ahead":100000`, "request: ahead 100000: want 0 to 4096"},
		{"fewer than none", `"ahead":-1`, "request: ahead -1: want 0 to 4096"},
		{"a batch that overflows", `"batch":9223372036854775807`, "request: batch 9223372036854775807: want 1 to 2147483647"},
		{"a batch of none", `"batch":0`, "request: batch 0: want 1 to 2147483647"},
		{"a rank that overflows", `"rank":9223372036854775807,"world":9223372036854775807`, "request: rank 9223372036854775807"},
		{"a world below 0", `"world":-2`, "request: world -2: want 0 to 2147483647"},
		{"epochs that overflow", `"epochs":9223372036854775807`, "request: epochs 9223372036854775807"},
		{"GPU slots without end", `"transport":"device","gpu":{"ordinal":0},"gpu_batches":4611686018427387904`, "request: gpu_batches 4611686018427387904"},
		{"a number beyond 64 bits", `"ahead":1e300`, "request: message: json: cannot unmarshal number"},
	} {
		x, err := dial(s.Address())
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if _, err := x.conn.Write(framed([]byte(`{"type":"start",` + c.request + "}"))); err != nil {
			t.Fatal(err)
		}
		if _, err := x.hear(new(struct{})); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		x.close()
	}
	if b, err := first.next(); err != nil || b.seq != 0 {
		t.Errorf("the first consumer got batch %d, %v", b.seq, err)
	}
	answers(t, s)
	until(t, "the memory of refused consumers is back", func() bool { return s.Sessions() == 1 })
}

func framed(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// TestMemoryOfAllConsumers: what one asks for beyond the feeder's memory is
// refused with the numbers, what others have is counted, and it is there again
// when they are gone.
func TestMemoryOfAllConsumers(t *testing.T) {
	d := dataset(t, 20)
	set, err := plan.Select(d, plan.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	need, err := (gpufeed.Config{Plan: plan.Options{Batch: 4}, Depth: 100, FixedDepth: true, Shared: true}).Need(set)
	if err != nil {
		t.Fatal(err)
	}
	s := serving(t, d, func(o *Options) { o.MaxMemory = need.Bytes * 5 / 2 }) // with the ring, the first has two of these
	first := connect(t, s, map[string]any{"ahead": 100})
	second, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	err = second.start(map[string]any{"ahead": 100})
	if err == nil || !strings.HasPrefix(err.Error(), "request: ") || !strings.Contains(err.Error(), "MB of shared memory for 101 batches of 0.0 MB") ||
		!strings.Contains(err.Error(), "(--max-memory)") || !strings.Contains(err.Error(), "take a smaller batch or fewer batches ahead") {
		t.Errorf("a second ring of 101 batches: %v", err)
	}
	answers(t, s) // a smaller one is there for who asks for less
	first.close()
	until(t, "the first is gone", func() bool { return s.Sessions() == 0 })
	if s.memory.taken != 0 {
		t.Errorf("%d bytes stay taken when nobody is there", s.memory.taken)
	}
	connect(t, s, map[string]any{"ahead": 100})
}

// TestLongMessagesCount: a message is read into memory that the feeder has for
// consumers, and one that claims to be long takes none.
func TestLongMessagesCount(t *testing.T) {
	s := serving(t, dataset(t, 20), func(o *Options) { o.MaxMemory = 16 << 20 })
	for _, c := range []struct {
		length uint32
		want   string
	}{
		{8 << 20, "request: 33.6 MB of shared memory for a message of 8388608 bytes"},
		{1 << 31, "request: message of 2147483648 bytes: at most 67108864"},
	} {
		x, err := dial(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.conn.Write(binary.LittleEndian.AppendUint32(nil, c.length)); err != nil {
			t.Fatal(err)
		}
		if _, err := x.hear(new(struct{})); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("a claim of %d bytes: %v, want %q", c.length, err, c.want)
		}
		x.close()
	}
	raw, err := rawDial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.close()
	if _, err := raw.conn.Write(binary.LittleEndian.AppendUint32(nil, mostHello+1)); err != nil {
		t.Fatal(err)
	}
	if _, err := raw.hear(new(struct{})); err == nil || !strings.HasPrefix(err.Error(), "protocol: message of 4097 bytes: at most 4096") {
		t.Errorf("a long hello: %v", err)
	}
}

// TestWorkEndsWithItsConsumer: what a consumer asked for is given up when it
// hangs up, also where it has asked for more after it.
func TestWorkEndsWithItsConsumer(t *testing.T) {
	began, ended := make(chan struct{}), make(chan error, 1)
	words := letters(nil)
	words.FrontEnd = func() (*FrontEnd, error) {
		return &FrontEnd{Encode: func(ctx context.Context, text, language string) (Line, error) {
			close(began)
			<-ctx.Done()
			ended <- ctx.Err()
			return Line{}, ctx.Err()
		}}, nil
	}
	s := serving(t, dataset(t, 20), func(o *Options) { o.Words = words })
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []map[string]any{{"type": "encode", "texts": []string{"a"}}, {"type": "ids"}} {
		if err := x.say(m); err != nil {
			t.Fatal(err)
		}
	}
	<-began
	x.close()
	if err := <-ended; err != context.Canceled {
		t.Errorf("the work ended with %v", err)
	}
	until(t, "the session is over", func() bool { return s.Sessions() == 0 })
}

// TestBoundsAreInTheDocs: docs/protocol.md says of each number what it may be.
func TestBoundsAreInTheDocs(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "docs", "protocol.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	for _, bound := range bounds {
		if want := fmt.Sprintf("| `%s` | %d | %d |", bound.key, bound.least, bound.most); !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("docs/protocol.md has no row %q", want)
		}
	}
}
