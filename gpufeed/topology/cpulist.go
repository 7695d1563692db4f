package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxCPUs is the largest number of CPUs that kernels are built for (x86's
// NR_CPUS). It bounds what a list may make of a few bytes.
const maxCPUs = 8192

// ParseCPUs reads a list as the kernel prints it, "0-15,32-47", sorted and each
// CPU once. An empty list is no CPU and no error.
func ParseCPUs(list string) ([]int, error) {
	list = strings.TrimSpace(list)
	if list == "" {
		return nil, nil
	}
	var cpus []int
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.ParseUint(from, 10, 32)
		last, err2 := strconv.ParseUint(to, 10, 32)
		if err1 != nil || err2 != nil || first > last || last >= maxCPUs {
			return nil, fmt.Errorf("CPU list: %q is no CPU or range below %d", part, maxCPUs)
		}
		for cpu := first; cpu <= last; cpu++ {
			cpus = append(cpus, int(cpu))
		}
		// Ranges that repeat each other must not add up to more than there can be.
		if len(cpus) > 2*maxCPUs {
			cpus = sortedOnce(cpus)
		}
	}
	return sortedOnce(cpus), nil
}

func sortedOnce(cpus []int) []int {
	slices.Sort(cpus)
	return slices.Compact(cpus)
}

// FormatCPUs writes a list as the kernel does.
func FormatCPUs(cpus []int) string {
	cpus = sortedOnce(slices.Clone(cpus))
	var b strings.Builder
	for i := 0; i < len(cpus); {
		end := i
		for end+1 < len(cpus) && cpus[end+1] == cpus[end]+1 {
			end++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(cpus[i]))
		if end > i {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(cpus[end]))
		}
		i = end + 1
	}
	return b.String()
}
