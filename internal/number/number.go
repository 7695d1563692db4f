package number

import (
	"fmt"
	"strconv"
)

// Integer is what can be counted with.
type Integer interface {
	int | int64 | uint32 | uint64
}

// Commas writes n with a comma between groups of three digits: 13,100.
func Commas[N Integer](n N) string {
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
func Count[N Integer](n N, noun string) string {
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
