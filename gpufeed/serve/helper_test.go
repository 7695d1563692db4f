package serve

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// The made-up corpus: what a row holds follows from its id.
const (
	testTokens = 6
	testFrames = 8
	testMels   = 3
)

var testSchema = store.Schema{
	{Name: "tokens", DType: store.Int32, Shape: []int{testTokens}},
	{Name: "mel", DType: store.Float32, Shape: []int{testFrames, testMels}},
	{Name: "text_len", DType: store.Int32},
	{Name: "mel_len", DType: store.Int32},
}

// testRow is a row by its id.
type testRow struct {
	id     string
	spoilt bool // its mel
}

func (r testRow) Name() string              { return r.id }
func (r testRow) Scalar(string) int32       { return int32(1 + store.Place(r.id)%testTokens) }
func (r testRow) Spoils(column string) bool { return r.spoilt && column == "mel" }

func (r testRow) Bytes(c store.Column) []byte {
	b := make([]byte, c.SampleBytes())
	x := store.Place(r.id+c.Name) | 1
	for i := range b {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x>>56) | 1
	}
	return b
}

// dataset is one of n rows in a store of its own. The mels of spoilt ids are not
// those of their checksums.
func dataset(t testing.TB, n int, spoilt ...string) *store.Dataset {
	t.Helper()
	var rows []testRow
	for i := range n {
		id := fmt.Sprintf("é%04d", i)
		rows = append(rows, testRow{id, slices.Contains(spoilt, id)})
	}
	return datatest.Of(t, store.Root{Schema: testSchema, PerShard: 4, Symbols: []string{"_", "a"}}, rows)
}

// serving runs a server until the test ends. change may change its options.
func serving(t *testing.T, d *store.Dataset, change func(*Options)) *Server {
	t.Helper()
	o := Options{
		Dataset: d, Config: gpufeed.Config{Plan: plan.Options{Batch: 4, Seed: 5}},
		Version: "test", Socket: filepath.Join(t.TempDir(), "s"), Languages: []string{"en"},
	}
	if change != nil {
		change(&o)
	}
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve = %v", err)
		}
	})
	return s
}

// until waits for something to become true, however slow the machine is: the limit
// is that of go test.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	end, limited := t.Deadline()
	for ; !is(); time.Sleep(time.Millisecond) {
		if limited && time.Until(end) < time.Second {
			t.Fatalf("it does not become true: %s", what)
		}
	}
}

// Sessions is how many consumers are there.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions
}
