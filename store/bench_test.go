package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// BenchmarkEdit is one edit as a build writes it, from OpenWriter to Close: the
// tokens or the mel of one shard of LJSpeech (16 rows), its record and traces,
// five pages, the snapshot.
func BenchmarkEdit(b *testing.B) {
	for _, size := range []int{narrowBlock, 4 << 20} {
		for _, small := range []bool{true, false} {
			b.Run(fmt.Sprintf("block=%d/small=%v", size, small), func(b *testing.B) {
				dir, n := b.TempDir(), uint64(0)
				block := noise(1, size)
				for b.Loop() {
					n++
					block[0], block[1], block[2] = byte(n), byte(n>>8), byte(n>>16)
					commit(b, dir, WriterOptions{Small: small}, editEntries(n, block))
				}
			})
		}
	}
}

func editEntries(n uint64, block []byte) []Entry {
	list := []Entry{entry(KindBlock, block)}
	for i := range uint64(2) {
		list = append(list, Entry{KindTrace, Key(Sum(noise(n<<8|i, 8))), list[0].Name[:]})
	}
	list = append(list, entry(KindShard, noise(n<<8|2, recordBytes)))
	for i := range uint64(5) {
		list = append(list, entry(KindPage, noise(n<<8|3+i, 600)))
	}
	return append(list, entry(KindSnapshot, noise(n<<8|9, 300)))
}

// BenchmarkFill is a whole build of 512 MB, in shards of 3 MB and 12 kB, and
// its sealing, which is reported apart.
func BenchmarkFill(b *testing.B) {
	const shards = 170
	mel, tokens := noise(1, 3<<20), noise(2, narrowBlock)
	b.SetBytes(shards * int64(len(mel)+len(tokens)))
	var seal time.Duration
	for b.Loop() {
		w, err := OpenWriter(b.TempDir(), WriterOptions{})
		if err != nil {
			b.Fatal(err)
		}
		for n := range shards {
			mel[0], tokens[0] = byte(n), byte(n)
			if err := w.Put([]Entry{entry(KindBlock, mel), entry(KindBlock, tokens), entry(KindShard, noise(uint64(n), recordBytes))}); err != nil {
				b.Fatal(err)
			}
		}
		last := entry(KindSnapshot, []byte("full"))
		start := time.Now()
		if err := errors.Join(w.Put([]Entry{last}), w.Commit(context.Background(), "heads/main", last.Name), w.Close()); err != nil {
			b.Fatal(err)
		}
		seal += time.Since(start)
	}
	b.ReportMetric(float64(seal.Milliseconds())/float64(b.N), "seal-ms/op")
}

// BenchmarkOpen opens a store of 17 packs and reads from each.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	var all []Entry
	for n := range uint64(17) {
		list := editEntries(n, noise(n+1, narrowBlock))
		all = append(all, list[0])
		commit(b, dir, WriterOptions{Small: true}, list)
	}
	for b.Loop() {
		s, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		compare(b, s, all)
		s.Close()
	}
}
