package mojibake

import (
	"slices"
	"strings"
	"testing"
)

// BenchmarkClean is the price of a clean text, language by language.
func BenchmarkClean(b *testing.B) {
	for code, lines := range clean(b) {
		lines = slices.DeleteFunc(lines, hasControls)
		text := strings.Join(lines, "\n")
		b.Run(code, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for _, l := range lines {
					Find(l)
				}
			}
		})
	}
}
