package store

import "testing"

func TestAHasherEqualsSumHoweverTheBytesAreCut(t *testing.T) {
	all := make([]byte, 5000) // more than one chunk of BLAKE3, which are 1,024
	for i := range all {
		all[i] = byte(i * 7)
	}
	h := NewHasher()
	if got, want := h.Digest(), Sum(nil); got != want {
		t.Errorf("of nothing: %v, want %v", got, want)
	}
	for _, piece := range []int{1, 3, 64, 1024, 1025, 5000} {
		h.Reset()
		for from := 0; from < len(all); from += piece {
			to := min(from+piece, len(all))
			if n, err := h.Write(all[from:to]); n != to-from || err != nil {
				t.Fatalf("Write(%d bytes) = %d, %v", to-from, n, err)
			}
			if got, want := h.Digest(), Sum(all[:to]); got != want {
				t.Fatalf("pieces of %d, after %d bytes: %v, want %v", piece, to, got, want)
			}
		}
	}
}
