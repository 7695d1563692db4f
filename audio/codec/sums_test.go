package codec

import (
	"bytes"
	"crypto/md5"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"

	"voxpack/audio/internal/audiotest"
)

// TestSumsAreThoseOfMD5: of any number of files of any lengths, those that are named have another sum, and no other.
func TestSumsAreThoseOfMD5(t *testing.T) {
	if lanesMD5() == 0 {
		t.Skip("no vectors here")
	}
	before := cpu.X86.HasAVX512F
	defer func() { cpu.X86.HasAVX512F = before }()
	random := rand.New(rand.NewPCG(7, 8))
	var s Sums
	for round := range 300 {
		cpu.X86.HasAVX512F = before && round%2 == 0
		var want []int
		n := random.IntN(20)
		for i := range n {
			raw := make([]byte, random.IntN(1<<random.IntN(13)))
			for i := range raw {
				raw[i] = byte(random.Uint32())
			}
			sum := md5.Sum(raw)
			if random.IntN(4) == 0 {
				sum[random.IntN(16)] ^= 1 << random.IntN(8)
				want = append(want, i)
			}
			s.owe(raw, sum)
		}
		if s.Len() != n {
			t.Fatalf("round %d: %d files, want %d", round, s.Len(), n)
		}
		got := s.Wrong()
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d of %d files: %v are wrong, want %v", round, n, got, want)
		}
	}
}

// TestSumsHoldABoundedNumberOfBytes: also where nobody asks for them.
func TestSumsHoldABoundedNumberOfBytes(t *testing.T) {
	if lanesMD5() == 0 {
		t.Skip("no vectors here")
	}
	var s Sums
	var want []int
	for i := range 12 {
		raw := make([]byte, 2<<20)
		sum := md5.Sum(raw)
		if i%5 == 1 {
			sum[3]++
			want = append(want, i)
		}
		if s.owe(raw, sum); s.bytes > mostOwed+128*12 {
			t.Fatalf("%d bytes are held after %d files", s.bytes, i+1)
		}
	}
	if _, ok := s.take(mostOwedFile+1, 1<<30); ok {
		t.Error("a file over the bound may owe its sum")
	}
	got := s.Wrong()
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%v are wrong, want %v", got, want)
	}
}

// TestOwedSumsFindWhatSumsAtOnceFind: the same samples, and each wrong MD5 in a header, for every width and number of
// channels, with vectors and without.
func TestOwedSumsFindWhatSumsAtOnceFind(t *testing.T) {
	names := []string{"mono16.flac", "stereo16.flac", "stereo24.flac", "mono24.flac"}
	test := func() {
		var s Sums
		wrong := 0
		for round := range 3 {
			for i, name := range names {
				file := bytes.Clone(readEncoded(t, name))
				if (round+i)%2 == 1 {
					file[8+18] ^= 1
					wrong++
				}
				want, info, fault := Limits{}.DecodeBytes(nil, file)
				got, owing, err := Limits{}.Owing(&s).DecodeBytes(nil, file)
				same := err == nil && slices.Equal(got, want) && info == owing
				if fault != nil { // with vectors it is found later
					same = (err == nil) == (lanesMD5() > 0)
				}
				if !same {
					t.Errorf("%s: %v, %+v; want %v, %+v", name, err, owing, fault, info)
				}
			}
		}
		if lanesMD5() == 0 {
			wrong = 0
		}
		if got := s.Wrong(); len(got) != wrong {
			t.Errorf("%v are wrong, want %d", got, wrong)
		}
	}
	test()
	audiotest.WithoutVectors(test)
}

// TestSumKernelIsGenerated: what lies in the repository is what the generator writes.
func TestSumKernelIsGenerated(t *testing.T) {
	audiotest.Generated(t, []string{"md5_amd64.s"}, "../internal/genvector", "-kernels", "md5", "-out", "md5_amd64.s")
}

func BenchmarkSums(b *testing.B) {
	var s Sums
	raw := make([]byte, 290_000, 290_128)
	b.SetBytes(int64(16 * len(raw)))
	for b.Loop() {
		for range 16 {
			s.owe(raw, [16]byte{})
		}
		s.spare = nil
		s.Wrong()
	}
}
