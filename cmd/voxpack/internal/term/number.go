package term

import (
	"fmt"
	"strconv"
	"time"
)

// Commas writes n with a comma between groups of three digits: 13,100.
func Commas[N int | int64 | uint32 | uint64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	first := 0
	if s[0] == '-' {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count is "1 row", "13,100 rows".
func Count[N int | int64 | uint32 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Commas(n) + " " + noun + "s"
}

// Size is a number of bytes for a person, in powers of ten as disks are sold.
func Size(n int64) string {
	switch {
	case n < 1000:
		return Count(n, "byte")
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/1e9)
}

// Duration is a time for a person: 62 ms, 3.1 s, 4 min 10 s.
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// Clock is a length of speech: 24:06:12.
func Clock(seconds float64) string {
	s := int64(seconds + 0.5)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
