package detect

import (
	"slices"
	"strings"
	"testing"
)

// FuzzDetect: any bytes and any set give a code of the set or und, the same
// each time, and spans that lie in the text in order.
func FuzzDetect(f *testing.F) {
	for _, text := range []string{"", "Das ist ein Haus", "سلام Windows دنیا", "東京へ行く", "\xff\xfea\u0301", "İI\u0307ß", "ﷺﮐﺘﺎﺏ", strings.Repeat("a", 70)} {
		f.Add(text, uint32(0x3ffff))
		f.Add(text, uint32(0x20001))
	}
	f.Fuzz(func(t *testing.T, text string, mask uint32) {
		among := []string{}
		for i, code := range codes {
			if mask>>i&1 != 0 {
				among = append(among, code)
			}
		}
		code, confidence := detector.Detect(text, among)
		if code == Undetermined != (confidence == 0) || confidence < 0 || confidence > 1 {
			t.Fatalf("Detect(%q, %v) = %s, %v", text, among, code, confidence)
		}
		if code != Undetermined && !slices.Contains(among, code) {
			t.Fatalf("Detect(%q, %v) = %s", text, among, code)
		}
		if again, sure := detector.Detect(text, among); again != code || sure != confidence {
			t.Fatalf("Detect(%q, %v) = %s, then %s", text, among, code, again)
		}
		end := 0
		for _, s := range detector.Spans(text, code, among) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("Spans(%q, %s) has %v behind %d", text, code, s, end)
			}
			if s.Code != Undetermined && !slices.Contains(among, s.Code) {
				t.Fatalf("Spans(%q, %s, %v) has %v", text, code, among, s)
			}
			end = s.End
		}
	})
}
