package numbers

import (
	"strconv"
	"testing"
)

// BenchmarkAppend: the numbers of running text are small; years and prices are
// most of them.
func BenchmarkAppend(b *testing.B) {
	for _, lang := range []string{"en", "de", "ru", "fa", "zh"} {
		for _, kind := range []Kind{Cardinal, Ordinal} {
			b.Run(lang+"/"+kind.String(), func(b *testing.B) {
				var numbers []string
				for n := range 1000 {
					numbers = append(numbers, strconv.Itoa(n*7%10_000))
				}
				buf, i := make([]byte, 0, 512), 0
				b.ReportAllocs()
				for b.Loop() {
					buf, _ = Append(buf[:0], lang, kind, "", numbers[i%len(numbers)])
					i++
				}
			})
		}
	}
}

// BenchmarkLoad: reading the rules of a language, once in a process.
func BenchmarkLoad(b *testing.B) {
	for _, l := range languages {
		if l.code == "ru" || l.code == "en" {
			b.Run(l.code, func(b *testing.B) {
				for b.Loop() {
					if _, err := newVoice(l); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
