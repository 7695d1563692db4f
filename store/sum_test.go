package store

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/zeebo/blake3"
)

// TestWideSumIsBLAKE3 compares it with another implementation, where the machine has it.
func TestWideSumIsBLAKE3(t *testing.T) {
	if wideFrom > 1<<20 {
		t.Skip("this machine has no AVX-512")
	}
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 5<<20)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	var lengths []int
	const kb, piece = 1 << 10, 256 << 10
	for _, edge := range []int{17 * kb, 31 * kb, 32 * kb, 33 * kb, 48 * kb, piece, piece + kb, piece + 15*kb, piece + 16*kb, piece + 17*kb, 2 * piece, 3 * piece, 4 * piece, 5*piece + 3*kb, 7 * piece, 8 * piece, len(data) - 128} {
		for _, d := range []int{-65, -64, -63, -1, 0, 1, 63, 64} {
			lengths = append(lengths, edge+d)
		}
	}
	for range 300 {
		lengths = append(lengths, wideFrom+r.IntN(piece/2), wideFrom+r.IntN(len(data)-wideFrom-8))
	}
	lengths = append(lengths, wideFrom)
	for _, n := range lengths {
		b := data[r.IntN(8):][:n] // aligned or not
		if got, want := sumWide(b), Digest(blake3.Sum256(b)); got != want {
			t.Errorf("sum of %d bytes = %s, want %s", n, got, want)
		}
	}
	// The least of several measurements: other goroutines of the process are counted
	// too, and tests of fatal ends leave some of Badger's behind.
	least := math.Inf(1)
	for range 10 {
		least = min(least, testing.AllocsPerRun(100, func() { Sum(data[:1<<20]) }))
	}
	if least != 0 {
		t.Errorf("a sum allocates %v times", least)
	}
}

// TestSumHasItsDigest holds every machine's code to the same bytes: 100 kB by BLAKE3's test input.
func TestSumHasItsDigest(t *testing.T) {
	b := make([]byte, 102400) // test_vectors.json of BLAKE3: the byte at i is i mod 251
	for i := range b {
		b[i] = byte(i % 251)
	}
	const want = "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"
	if got := Sum(b).String(); got != want {
		t.Errorf("sum of 102,400 bytes = %s, want %s", got, want)
	}
}

// TestGeneratedSumIsCurrent runs the generator again.
func TestGeneratedSumIsCurrent(t *testing.T) {
	out := filepath.Join(t.TempDir(), "sum_amd64.s")
	if said, err := exec.Command("go", "run", "./internal/gensum", "-out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("sum_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	// The first line tells the command, and with it the file's name.
	_, got, _ = bytes.Cut(got, []byte("\n"))
	_, want, _ = bytes.Cut(want, []byte("\n"))
	if !bytes.Equal(got, want) {
		t.Error("sum_amd64.s is not what internal/gensum writes: run go generate ./store")
	}
}

// BenchmarkSum: a clip of LJSpeech, and a block of eleven mels.
func BenchmarkSum(b *testing.B) {
	for _, n := range []int{16 << 10, 300 << 10, 2800 << 10} {
		data := make([]byte, n)
		for _, code := range []struct {
			name string
			sum  func([]byte) Digest
		}{{"Sum", Sum}, {"zeebo", func(b []byte) Digest { return blake3.Sum256(b) }}} {
			b.Run(code.name+"/"+byteCount(n), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					code.sum(data)
				}
			})
		}
	}
}

func byteCount(n int) string { return fmt.Sprintf("%dKiB", n>>10) }
