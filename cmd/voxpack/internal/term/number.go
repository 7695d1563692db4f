package term

import (
	"fmt"
	"time"

	"voxpack/internal/number"
)

// Commas writes n with a comma between groups of three digits: 13,100.
func Commas[N number.Integer](n N) string { return number.Commas(n) }

// Count is "1 row", "13,100 rows".
func Count[N number.Integer](n N, noun string) string { return number.Count(n, noun) }

// Size is a number of bytes for a person, in powers of ten as disks are sold.
func Size(n int64) string { return number.Size(n) }

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

// Milliseconds is a time in milliseconds with three digits that count, or in
// microseconds where it is shorter than a hundredth, or in seconds from ten on.
func Milliseconds(v float64) string {
	switch {
	case v > 0 && v < 0.01:
		return fmt.Sprintf("%.1f µs", 1000*v)
	case v >= 10_000:
		return Duration(time.Duration(v * float64(time.Millisecond)))
	case v >= 100:
		return fmt.Sprintf("%.0f ms", v)
	case v >= 10:
		return fmt.Sprintf("%.1f ms", v)
	}
	return fmt.Sprintf("%.2f ms", v)
}

// Clock is a length of speech: 24:06:12.
func Clock(seconds float64) string {
	s := int64(seconds + 0.5)
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
