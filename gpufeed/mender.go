package gpufeed

import (
	"errors"
	"fmt"
	"sync"

	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// mostMended bounds the memory of shards that were made anew. A disk of which more is
// damaged is no disk to train from.
const mostMended = 256 << 20

// Mender has the shards of a dataset that were damaged and are made anew, for all feeds
// of it. What makes them is no part of this package. It is safe for concurrent use.
type Mender struct {
	make func(leaf int) ([][]byte, error)

	mu     sync.Mutex // held while a shard is made: whoever needs another one waits
	shards map[int][][]byte
	bytes  int
}

// NewMender takes what makes the blocks of a shard anew, one for each block column in the
// order of the schema, or says why that cannot be. What it returns nobody changes.
func NewMender(make func(leaf int) ([][]byte, error)) *Mender {
	return &Mender{make: make, shards: map[int][][]byte{}}
}

// Count is how many shards were made anew.
func (m *Mender) Count() int {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.shards)
}

// blocks are those of a shard, each held against the digest of its record.
func (m *Mender) blocks(leaf int, record *store.Shard) ([][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if have := m.shards[leaf]; have != nil {
		return have, nil
	}
	if m.bytes >= mostMended {
		return nil, fmt.Errorf("%d MiB of damaged shards are in memory already; end the run and let voxpack repair mend the store", m.bytes>>20)
	}
	made, err := m.make(leaf)
	if err != nil {
		return nil, err
	}
	if len(made) != len(record.Blocks) {
		return nil, errors.New("it has other columns now")
	}
	for c, b := range record.Blocks {
		if store.Sum(made[c]) != b.Digest {
			return nil, errors.New("its bytes are others than were stored")
		}
		m.bytes += len(made[c])
	}
	m.shards[leaf] = made
	return made, nil
}

// mend lets the shard of a corrupt sample be made anew. It returns its number, and the
// error where that cannot be: as it was, with the reason. A shard that was mended last is
// not mended again.
func (r *Reader) mend(err error, last int) (leaf int, _ error) {
	var corrupt *plan.CorruptError
	if r.Mender == nil || !errors.As(err, &corrupt) {
		return -1, err
	}
	if leaf = r.set.At(corrupt.Row).Leaf; leaf == last {
		return -1, err
	}
	record, lost := r.set.Dataset().Shard(leaf)
	if lost != nil {
		return -1, err
	}
	blocks, why := r.Mender.blocks(leaf, record)
	if why != nil {
		corrupt.Err = fmt.Errorf("%w; it cannot be made anew: %w", corrupt.Err, why)
		return -1, err
	}
	samples := make([]store.Samples, len(blocks))
	for c, b := range blocks {
		samples[c] = store.WholeSamples(b, r.blocks[c].SampleBytes())
	}
	r.leaves[leaf].Store(r.newLeaf(record, samples))
	return leaf, nil
}
