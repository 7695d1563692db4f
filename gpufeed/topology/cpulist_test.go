package topology

import (
	"slices"
	"strings"
	"testing"
)

func TestParseCPUs(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []int
		back     string
	}{
		{"nothing", "", nil, ""},
		{"a node without CPUs", "\n", nil, ""},
		{"one", "7\n", []int{7}, "7"},
		{"a range", "0-3", []int{0, 1, 2, 3}, "0-3"},
		{"ranges with a hole", "0-1,8-9,11", []int{0, 1, 8, 9, 11}, "0-1,8-9,11"},
		{"out of order and twice", "4,2-3,2", []int{2, 3, 4}, "2-4"},
		{"the last CPU that there can be", "8191", []int{8191}, "8191"},
	} {
		got, err := ParseCPUs(c.in)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: ParseCPUs(%q) = %v, %v, want %v", c.name, c.in, got, err, c.want)
		}
		if back := FormatCPUs(got); back != c.back {
			t.Errorf("%s: FormatCPUs(%v) = %q, want %q", c.name, got, back, c.back)
		}
	}
	for _, in := range []string{"8192", "0-8192", "3-1", "-1", "1-", ",", "0,", "a", "0x1", "1 2", "0-4294967295", "99999999999999999999"} {
		if got, err := ParseCPUs(in); err == nil {
			t.Errorf("ParseCPUs(%q) = %d CPUs, want an error", in, len(got))
		}
	}
	if got := FormatCPUs([]int{5, 1, 2, 1}); got != "1-2,5" {
		t.Errorf("FormatCPUs of an unsorted list = %q, want 1-2,5", got)
	}
}

// TestParseCPUsRepeated: a list that says the same again and again takes the
// memory of one that says it once.
func TestParseCPUsRepeated(t *testing.T) {
	list := strings.Repeat("0-8191,", 1000) + "0"
	cpus, err := ParseCPUs(list)
	if err != nil || len(cpus) != maxCPUs {
		t.Fatalf("ParseCPUs of a thousand ranges = %d CPUs, %v, want %d", len(cpus), err, maxCPUs)
	}
	if cap(cpus) > 8*maxCPUs {
		t.Errorf("room for %d CPUs, at most %d", cap(cpus), 8*maxCPUs)
	}
}

func FuzzParseCPUs(f *testing.F) {
	for _, seed := range []string{"", "0-15,32-47\n", "7", "4,2-3,2", "0-8191,0-8191", "3-1", "1-2-3", "0-4294967295"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cpus, err := ParseCPUs(s)
		if err != nil {
			return
		}
		for i, cpu := range cpus {
			if cpu < 0 || cpu >= maxCPUs || i > 0 && cpu <= cpus[i-1] {
				t.Fatalf("ParseCPUs(%q) = %v", s, cpus)
			}
		}
		again, err := ParseCPUs(FormatCPUs(cpus))
		if err != nil || !slices.Equal(again, cpus) {
			t.Fatalf("ParseCPUs(%q) = %v, which is written %q and reads as %v, %v", s, cpus, FormatCPUs(cpus), again, err)
		}
	})
}
