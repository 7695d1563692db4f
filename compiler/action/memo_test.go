package action

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"voxpack/store"
)

var someResult = Result{Spoken: "hello", Numbers: [5]uint64{1, 2, 3, 4, math.MaxUint64}, Refused: "why",
	Notes: []store.Note{{Stage: "text", Kind: "kind", Detail: "U+0007", Count: 3}, {Stage: "audio", Kind: "resampled", Detail: "a → b", Count: 1}}}

func TestAResultComesBackAsItWas(t *testing.T) {
	for _, r := range []Result{{}, someResult, {Refused: "x"}, {Spoken: strings.Repeat("é", 5000)}} {
		got, ok := decodeResult(encodeResult(r))
		if !ok || !reflect.DeepEqual(got, r) {
			t.Errorf("decodeResult = %+v, %v, want %+v", got, ok, r)
		}
	}
}

func TestACutResultIsAMiss(t *testing.T) {
	b := encodeResult(someResult)
	whole := 0
	for n := range len(b) {
		if got, ok := decodeResult(b[:n]); ok {
			whole++
			if len(got.Notes) >= len(someResult.Notes) {
				t.Errorf("%d of %d bytes are read as %+v", n, len(b), got)
			}
		}
	}
	if whole > len(someResult.Notes) { // the ends of the list of notes look whole; the cache's checksum tells
		t.Errorf("%d cut results are taken for whole", whole)
	}
}

// FuzzDecodeResult: a miss, or a result that is encoded as it was read; notes
// take as much memory as bytes were there.
func FuzzDecodeResult(f *testing.F) {
	f.Add(encodeResult(someResult))
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, ok := decodeResult(b)
		if !ok {
			return
		}
		if len(r.Notes) > len(b) {
			t.Errorf("%d notes of %d bytes", len(r.Notes), len(b))
		}
		if again, ok := decodeResult(encodeResult(r)); !ok || !reflect.DeepEqual(again, r) {
			t.Errorf("read again: %+v, %v, want %+v", again, ok, r)
		}
	})
}

// TestTheMemoIsSafe uses it from many goroutines: none of what they put is lost, and
// what the cache has comes whole to each.
func TestTheMemoIsSafe(t *testing.T) {
	cache, err := store.OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	big := Result{Spoken: strings.Repeat("x", 100_000)}
	if err := cache.Put(store.Pair{Key: memoKey(store.Key{1}), Value: encodeResult(big)}); err != nil {
		t.Fatal(err)
	}
	m := NewMemo(cache, false)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 60 {
				if r, ok := m.Get(store.Key{1}); !ok || r.Spoken != big.Spoken {
					t.Errorf("got %d bytes, %v", len(r.Spoken), ok)
				}
				m.Put(store.Key(store.Sum(fmt.Append(nil, w, i))), someResult)
			}
		})
	}
	wg.Wait()
	saved := map[string]bool{}
	m.Save(func(key, _ []byte) error { saved[string(key)] = true; return nil })
	if len(saved) != 8*60 {
		t.Errorf("%d results are saved, want %d", len(saved), 8*60)
	}
}

// TestWhatABuildPutsServesTheNext: results of a build do not serve it, so that what
// counts as run depends on no order; saved, they serve the next build whole.
func TestWhatABuildPutsServesTheNext(t *testing.T) {
	dir := t.TempDir()
	cache, err := store.OpenCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	m := NewMemo(cache, false)
	if !m.Empty() || m.NeedsWrite() {
		t.Error("a memo without results has something to save")
	}
	keys := []store.Key{{1}, {2}, {3}}
	results := []Result{someResult, {}, {Refused: "bad"}}
	for i, key := range keys {
		m.Put(key, results[i])
		if got, ok := m.Get(key); ok {
			t.Errorf("the build that put %v gets it: %+v", key, got)
		}
	}
	if m.Empty() {
		t.Error("nothing to save after three results")
	}
	put := func(key, value []byte) error { return cache.Put(store.Pair{Key: key, Value: value}) }
	if err := m.Save(put); err != nil {
		t.Fatal(err)
	}
	next := NewMemo(cache, false)
	for i, key := range keys {
		for range 2 {
			if got, ok := next.Get(key); !ok || !reflect.DeepEqual(got, results[i]) {
				t.Errorf("the next build gets %+v, %v, want %+v", got, ok, results[i])
			}
		}
	}
	if got, ok := next.Get(store.Key{4}); ok {
		t.Errorf("a key that nobody put gives %+v", got)
	}
	if !next.Empty() {
		t.Error("hits are something to save")
	}
}

// TestARefusalIsAReasonToWrite: it was dear, and a build that keeps nothing else would
// pay for it each time; a dry build writes nothing for any reason.
func TestARefusalIsAReasonToWrite(t *testing.T) {
	for _, dry := range []bool{false, true} {
		m := NewMemo(nil, dry)
		m.Put(store.Key{1}, Result{Refused: "bad"})
		m.Judged()
		if got := m.NeedsWrite(); got == dry {
			t.Errorf("dry %v: a refusal is a reason to write: %v", dry, got)
		}
	}
}

// TestAMemoSavesWhatWasPut: once, in its order, results that share a block, fill one and are longer than one.
func TestAMemoSavesWhatWasPut(t *testing.T) {
	m := NewMemo(nil, false)
	var want []string
	put := func(key store.Key, spoken string) {
		r := Result{Spoken: spoken, Numbers: [5]uint64{uint64(len(want))}}
		m.Put(key, r)
		want = append(want, string(memoKey(key))+string(encodeResult(r)))
	}
	for i := range 3000 {
		put(store.Key{byte(i), byte(i >> 8)}, strings.Repeat("x", i%300))
	}
	put(store.Key{1, 2, 3}, strings.Repeat("long", memoBlock))
	put(store.Key{1, 2, 4}, "")
	var got []string
	save := func() {
		if err := m.Save(func(key, value []byte) error { got = append(got, string(key)+string(value)); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if save(); !slices.Equal(got, want) {
		t.Errorf("%d entries were saved, not the %d that were put", len(got), len(want))
	}
	if save(); len(got) != len(want) {
		t.Errorf("%d entries were saved again", len(got)-len(want))
	}
}

// TestManyResultsArePutAside: all come back once, few are held, and nothing is left in the folder; where there is no
// folder all are held.
func TestManyResultsArePutAside(t *testing.T) {
	for _, folder := range []string{t.TempDir(), filepath.Join(t.TempDir(), "gone")} {
		t.Setenv("TMPDIR", folder)
		m := NewMemo(nil, false)
		const n = 170_000
		want := map[string]bool{}
		for i := range n {
			key := store.Sum(fmt.Append(nil, i))
			want[string(memoKey(store.Key(key)))] = true
			m.Put(store.Key(key), someResult)
		}
		if list, err := os.ReadDir(folder); len(list) > 0 || m.aside != nil && err != nil {
			t.Errorf("%d files are left: %v", len(list), err)
		}
		if held := len(m.fresh); (held > memoBlocks) != (m.aside == nil) {
			t.Errorf("%d blocks are held, put aside: %v", held, m.aside != nil)
		}
		value := encodeResult(someResult)
		if err := m.Save(func(key, got []byte) error {
			if !want[string(key)] || string(got) != string(value) {
				t.Fatalf("%q has %q", key, got)
			}
			delete(want, string(key))
			return nil
		}); err != nil || len(want) > 0 {
			t.Errorf("%d of %d results were lost, %v", len(want), n, err)
		}
		m.Close()
	}
}
