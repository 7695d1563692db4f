//go:build unix

package detect

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// processor is the time that this process had a core; on a busy machine the
// clock would tell more about the others.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestLongLines: sixteen times the text takes about sixteen times as long,
// whatever it holds; were anything looked at twice over, it would be 256 times.
func TestLongLines(t *testing.T) {
	took := func(text string) time.Duration {
		least := time.Hour
		for range 2 {
			begin := processor()
			code, _ := detector.Detect(text, nil)
			detector.Spans(text, code, nil)
			least = min(least, processor()-begin)
		}
		return least
	}
	for _, unit := range []string{"a", "a ", "a\u0301", "aя", "私の", "\u0301", "\xff", "کa", "لاب\u200cها ", "x@y.zz http://a ", "(a", "@", "://"} {
		const size = 8 << 10
		short, long := took(strings.Repeat(unit, size/len(unit))), took(strings.Repeat(unit, 16*size/len(unit)))
		if long > 80*short {
			t.Errorf("%d bytes of %q took %v, sixteen times as many %v", size, unit, short, long)
		}
	}
	detector.Detect(strings.Repeat("kilometre ", 1<<17), nil) // a megabyte at once
}
