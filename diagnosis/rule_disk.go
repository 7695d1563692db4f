package diagnosis

import (
	"fmt"

	"voxpack/internal/number"
)

// On ext4 the kernel's count of bytes that storage gave to a process (read_bytes in
// /proc/self/io) was 64 MiB for a mapped file of 64 MiB that the page cache had not,
// with readahead and without, and 0 the second time. Major faults were 1 and 16,384.

var coldCacheRule = Rule{
	ID:      "cold-cache",
	Looks:   "the bytes that came from a disk while batches were filled, the bytes a second that a worker fills, the dataset, the memory",
	Limit:   "half of the bytes filled, none of them read twice; the target `fill-least`; a dataset of at most half of the memory, which keeps it",
	Meaning: "the GPU that trains waits for a disk, since the store is not in the page cache yet: in the first epoch alone",
	Setting: "nothing for many epochs; for a few, read the store once before the training",
	Gain:    "filling at the target's rate, bounded by the next longest stage; in the first epoch",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		v, slow := o.waitsForDisk(w)
		v.Cause += fmt.Sprintf("; %s of samples fit into memory, and later epochs find them there", number.Size(int64(o.Steps.Data)))
		v.Cure = "train on; before a training of few epochs, voxpack verify --full reads the store once"
		return v, slow && o.Steps.cold()
	}),
}

var slowDiskRule = Rule{
	ID:      "slow-disk",
	Looks:   "the bytes that came from a disk while batches were filled, the bytes a second that a worker fills",
	Limit:   "half of the bytes filled; the target `fill-least`; where the page cache is only cold, the rule `cold-cache` speaks",
	Meaning: "the GPU that trains waits for a disk, in every epoch: memory does not hold the dataset",
	Setting: "where the store lies: a faster disk, more memory; `mel_dtype`, `--cache`",
	Gain:    "filling at the target's rate, bounded by the next longest stage",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		v, slow := o.waitsForDisk(w)
		if o.Steps.Memory > 0 {
			v.Cause += fmt.Sprintf("; the samples are %s, the memory %s", number.Size(int64(o.Steps.Data)), number.Size(int64(o.Steps.Memory)))
		}
		v.Cure = "put the store on a faster disk, leave memory for the page cache, or take fewer bytes: mel_dtype: f16, --cache on where a GPU holds the dataset"
		return v, slow && !o.Steps.cold()
	}),
}

// waitsForDisk reports whether the GPU that trains waits for filling, and filling for
// a disk. Where the machine swaps, that comes from a disk as well.
func (o Observation) waitsForDisk(w Work) (Verdict, bool) {
	rate, least := o.Steps.FillRate/1e9, o.Targets.Of(FillLeast)
	part, slow := w.slow(Load, rate, least)
	from := o.Steps.fromDisk()
	return Verdict{
		Kind: Limits, Number: 100 * from, Limit: 50, Unit: "%", Gain: gain(part), Basis: Measured,
		Cause: fmt.Sprintf("%.0f %% of what is filled comes from a disk, %.2g GB/s a worker (%g are the least from memory): the GPU that trains waits for it%s",
			100*from, rate, least, after(part)),
	}, slow && from >= 0.5 && !o.swaps()
}

// fromDisk is the part of the bytes filled that a disk gave.
func (s *Steps) fromDisk() float64 {
	if s.Filled == 0 {
		return 0
	}
	return min(1, float64(s.Disk)/float64(s.Filled))
}

// cold reports whether what came from a disk will not come from there again: memory
// has room for it, and so far nothing came twice. A quarter more is what the kernel
// reads ahead, and records.
func (s *Steps) cold() bool {
	return s.Memory > 0 && s.Data <= s.Memory/2 && s.Disk <= s.Data/4*5
}
