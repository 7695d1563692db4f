package detect

import (
	"slices"
	"strings"
	"testing"
	"time"
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

// TestLongLines: sixteen times the text takes about sixteen times as long,
// whatever it holds; were anything looked at twice over, it would be 256 times.
func TestLongLines(t *testing.T) {
	took := func(text string) time.Duration {
		least := time.Hour // of several runs: the machine may be busy
		for range 5 {
			begin := time.Now()
			code, _ := detector.Detect(text, nil)
			detector.Spans(text, code, nil)
			least = min(least, time.Since(begin))
		}
		return least
	}
	for _, unit := range []string{"a", "a ", "a\u0301", "aя", "私の", "\u0301", "\xff", "کa", "لاب\u200cها ", "x@y.zz http://a ", "(a", "@", "://"} {
		const size = 16 << 10
		short, long := took(strings.Repeat(unit, size/len(unit))), took(strings.Repeat(unit, 16*size/len(unit)))
		if long > 80*short {
			t.Errorf("%d bytes of %q took %v, sixteen times as many %v", size, unit, short, long)
		}
	}
	detector.Detect(strings.Repeat("kilometre ", 1<<17), nil) // a megabyte at once
}
