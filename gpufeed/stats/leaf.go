package stats

import (
	"cmp"
	"fmt"
	"slices"

	"voxpack/store"
)

// sums are those of a column's values.
type sums struct {
	bands    []Sum
	speakers map[int32]*Sum // by number; of all bands
}

// part is the sums of some rows, by column.
type part []sums

func newPart(columns []column) part {
	p := make(part, len(columns))
	for i := range columns {
		p[i] = sums{bands: make([]Sum, columns[i].bands), speakers: map[int32]*Sum{}}
	}
	return p
}

// add adds the sums of other rows.
func (p part) add(o part) {
	for i := range p {
		p[i].add(&o[i])
	}
}

func (s *sums) add(o *sums) {
	for b := range s.bands {
		s.bands[b].Add(&o.bands[b])
	}
	for number, sum := range o.speakers {
		s.of(number).Add(sum)
	}
}

func (s *sums) of(speaker int32) *Sum {
	sum := s.speakers[speaker]
	if sum == nil {
		sum = new(Sum)
		s.speakers[speaker] = sum
	}
	return sum
}

// worker makes the sums of one leaf after the other.
type worker struct {
	dataset *store.Dataset
	columns []column
	speaker int // the inline column; -1: none
	bins    []*bins
	values  [][]float32 // room for a step of each column
	group   [][]Sum
}

func newWorker(d *store.Dataset, columns []column) *worker {
	w := &worker{dataset: d, columns: columns, speaker: d.Root.Schema.Inline().Index("speaker")}
	for _, c := range columns {
		w.bins = append(w.bins, newBins(c.bands, c.Name == unvoiced))
		w.values = append(w.values, make([]float32, c.width))
		w.group = append(w.group, make([]Sum, c.bands))
	}
	return w
}

// leaf is the sums of a leaf's rows. Blocks are mapped: a fault there is an error.
func (w *worker) leaf(index int) (p part, err error) {
	err = store.Shielded(func() (err error) {
		p, err = w.mapped(index)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("statistics of shard %d: %w", index, err)
	}
	return p, nil
}

func (w *worker) mapped(index int) (p part, err error) {
	shard, err := w.dataset.Shard(index)
	if err != nil {
		return nil, err
	}
	p = newPart(w.columns)
	rows := w.bySpeaker(shard)
	for i := range w.columns {
		if err := w.column(i, shard, rows, &p[i]); err != nil {
			return nil, fmt.Errorf("column %s: %w", w.columns[i].Name, err)
		}
	}
	return p, nil
}

// bySpeaker lists the rows of a shard, those of a speaker together.
func (w *worker) bySpeaker(shard *store.Shard) []int {
	rows := make([]int, shard.Len())
	for i := range rows {
		rows[i] = i
	}
	if w.speaker >= 0 {
		slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(shard.Scalars[w.speaker][a], shard.Scalars[w.speaker][b]) })
	}
	return rows
}

func (w *worker) column(i int, shard *store.Shard, rows []int, into *sums) error {
	c, b := &w.columns[i], w.bins[i]
	var block store.Samples
	if !c.Inline() {
		var err error
		if block, err = w.dataset.Store.Samples(shard.Blocks[c.index].Digest, shard.Len(), c.SampleBytes()); err != nil {
			return err
		}
	}
	for n, row := range rows {
		if c.Inline() {
			w.values[i][0] = b.integer(0, shard.Scalars[c.index][row])
			b.room(w.group[i])
			b.step(w.values[i])
		} else if err := w.sample(i, shard, block.Row(row), row); err != nil {
			return err
		}
		if n+1 == len(rows) || w.speaker >= 0 && shard.Scalars[w.speaker][row] != shard.Scalars[w.speaker][rows[n+1]] {
			w.flush(i, shard, row, into)
		}
	}
	return nil
}

// sample takes the values of a row, whose checksum is compared.
func (w *worker) sample(i int, shard *store.Shard, sample []byte, row int) error {
	c := &w.columns[i]
	if store.Checksum(sample) != shard.Blocks[c.index].Sums[row] {
		return fmt.Errorf("sample %s: its bytes do not match their checksum: %w", shard.IDs[row], store.ErrDamaged)
	}
	var length int32
	if c.along >= 0 {
		length = shard.Scalars[c.along][row]
	}
	c.take(w.bins[i], c.steps(sample, length), w.values[i], w.group[i])
	return nil
}

// flush ends the rows of a speaker.
func (w *worker) flush(i int, shard *store.Shard, row int, into *sums) {
	w.bins[i].empty(w.group[i])
	var all Sum
	for b := range w.group[i] {
		into.bands[b].Add(&w.group[i][b])
		all.Add(&w.group[i][b])
		w.group[i][b] = Sum{}
	}
	if w.speaker >= 0 && all.Count > 0 {
		into.of(shard.Scalars[w.speaker][row]).Add(&all)
	}
}
