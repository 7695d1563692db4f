package blake3

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/zeebo/blake3"
)

//go:embed testdata/vectors.txt
var vectors string

// official is the input of BLAKE3's test vectors: the byte at i is i mod 251.
func official(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i % 251)
	}
	return b
}

func random(seed uint64, n int) []byte {
	b := make([]byte, n)
	source := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8)})
	source.Read(b)
	return b
}

// needWide skips a test of the vector code where the machine lacks AVX-512.
func needWide(t testing.TB) {
	t.Helper()
	if wideFrom == math.MaxInt {
		t.Skip("this machine has no AVX-512")
	}
}

func TestOfficialVectors(t *testing.T) {
	tested := 0
	for line := range strings.Lines(vectors) {
		var n int
		var want string
		if _, err := fmt.Sscanf(line, "%d %s", &n, &want); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		tested++
		b := official(n)
		if got := Sum256(b); hex.EncodeToString(got[:]) != want {
			t.Errorf("Sum256 of %d bytes = %x, want %s", n, got, want)
		}
		h := New()
		h.Write(b)
		if got := h.Sum(nil); hex.EncodeToString(got) != want {
			t.Errorf("a hasher of %d bytes = %x, want %s", n, got, want)
		}
	}
	if tested != 35 {
		t.Errorf("%d vectors, want 35", tested)
	}
}

// TestWideAtEveryBorder compares the vector code with zeebo's around the borders of
// blocks, chunks, groups of 16 chunks and pieces, where the tree changes its shape.
func TestWideAtEveryBorder(t *testing.T) {
	needWide(t)
	const kb, piece = chunkSize, pieceChunks * chunkSize
	borders := []int{17 * kb, 18 * kb, 31 * kb, 32 * kb, 33 * kb, 48 * kb, piece - 16*kb, piece - kb, piece, piece + kb, piece + 15*kb, piece + 16*kb, piece + 17*kb,
		2 * piece, 3 * piece, 4 * piece, 5*piece + 3*kb, 7 * piece, 8 * piece}
	data := random(1, 9*piece)
	lengths := []int{wideFrom, wideFrom + 1, wideFrom + blockSize}
	for _, border := range borders {
		for _, d := range []int{-65, -64, -63, -1, 0, 1, 63, 64, 65} {
			lengths = append(lengths, border+d)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		lengths = append(lengths, wideFrom+r.IntN(piece), wideFrom+r.IntN(len(data)-wideFrom))
	}
	for _, n := range lengths {
		if got, want := sumWide(data[:n]), blake3.Sum256(data[:n]); got != want {
			t.Errorf("sumWide of %d bytes = %x, want %x", n, got, want)
		}
	}
}

// TestEveryLengthToTwoGroups covers the border between the two codes, every rest of a
// block and of a chunk, and every number of chunks in the last group.
func TestEveryLengthToTwoGroups(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 17
	}
	data := random(2, 33*chunkSize)
	for n := 15 * chunkSize; n <= len(data); n += step {
		if got, want := Sum256(data[:n]), blake3.Sum256(data[:n]); got != want {
			t.Fatalf("Sum256 of %d bytes = %x, want %x", n, got, want)
		}
	}
}

// TestAlignment hashes the same bytes from each offset in a cache line.
func TestAlignment(t *testing.T) {
	const n = 37*chunkSize + 5
	content := random(3, n)
	want := blake3.Sum256(content)
	buf := make([]byte, n+64)
	for offset := range 64 {
		copy(buf[offset:], content)
		if got := Sum256(buf[offset : offset+n]); got != want {
			t.Errorf("at offset %d: %x, want %x", offset, got, want)
		}
	}
}

// TestTheInputEndsWhereItEnds: no byte after the input changes the sum, and the
// input itself is not written.
func TestTheInputEndsWhereItEnds(t *testing.T) {
	for _, n := range []int{16 * chunkSize, 16*chunkSize + 1, 17*chunkSize - 1, 40 * chunkSize} {
		data := random(4, n+2*chunkSize)
		before := bytes.Clone(data)
		want := Sum256(data[:n])
		if !bytes.Equal(data, before) {
			t.Errorf("Sum256 of %d bytes wrote to its input", n)
		}
		for i := n; i < len(data); i++ {
			data[i] ^= 0xff
		}
		if got := Sum256(data[:n]); got != want {
			t.Errorf("other bytes after %d give %x, want %x", n, got, want)
		}
	}
}

// TestConcurrentUse: the vector code keeps nothing between two sums.
func TestConcurrentUse(t *testing.T) {
	data := random(5, 300*chunkSize)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 20 {
				b := data[worker*chunkSize+i:]
				if got, want := Sum256(b), blake3.Sum256(b); got != want {
					t.Errorf("worker %d, sum %d: %x, want %x", worker, i, got, want)
				}
			}
		})
	}
	all.Wait()
}

func TestASumAllocatesNothing(t *testing.T) {
	for _, n := range []int{100, 16 * chunkSize, 1 << 20} {
		data := make([]byte, n)
		if got := testing.AllocsPerRun(100, func() { Sum256(data) }); got != 0 {
			t.Errorf("a sum of %d bytes allocates %v times", n, got)
		}
	}
}

// FuzzSum256 compares with zeebo's code, and with the same bytes given in two pieces.
func FuzzSum256(f *testing.F) {
	f.Add([]byte("seed"), uint32(16*chunkSize), uint32(1))
	f.Add([]byte{0}, uint32(257*chunkSize+63), uint32(chunkSize))
	f.Fuzz(func(t *testing.T, pattern []byte, length, cut uint32) {
		if len(pattern) == 0 {
			return
		}
		n := int(length % (600 * chunkSize))
		b := bytes.Repeat(pattern, n/len(pattern)+1)[:n]
		for i := range b { // no two chunks alike
			b[i] += byte(i >> 10)
		}
		want := blake3.Sum256(b)
		if got := Sum256(b); got != want {
			t.Errorf("Sum256 of %d bytes = %x, want %x", n, got, want)
		}
		at := int(cut) % (n + 1)
		h := New()
		h.Write(b[:at])
		h.Write(b[at:])
		if got := h.Sum(nil); !bytes.Equal(got, want[:]) {
			t.Errorf("%d bytes cut at %d = %x, want %x", n, at, got, want)
		}
	})
}

// TestTheGeneratedCodeIsCurrent runs the generator again.
func TestTheGeneratedCodeIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the generator")
	}
	out := filepath.Join(t.TempDir(), "wide_amd64.s")
	if printed, err := exec.Command("go", "run", "./internal/gensum", "-out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("wide_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	// The first line holds the command, and with it the path.
	_, got, _ = bytes.Cut(got, []byte("\n"))
	_, want, _ = bytes.Cut(want, []byte("\n"))
	if !bytes.Equal(got, want) {
		t.Error("wide_amd64.s is not what internal/gensum writes: run go generate ./internal/blake3")
	}
}

// BenchmarkSum256: the shortest input of the vector code, a clip of LJSpeech, and a
// block of eleven mels.
func BenchmarkSum256(b *testing.B) {
	for _, n := range []int{16 << 10, 300 << 10, 2800 << 10} {
		data := make([]byte, n)
		for _, code := range []struct {
			name string
			sum  func([]byte) [32]byte
		}{{"ours", Sum256}, {"zeebo", blake3.Sum256}} {
			b.Run(fmt.Sprintf("%s/%dKiB", code.name, n>>10), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					code.sum(data)
				}
			})
		}
	}
}
