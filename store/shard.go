package store

import "fmt"

const shardMagic = "VXS1"

// Shard is the record of up to K samples, ordered by (place, id). It holds
// content only: no path, line, time or key, so that equal content has equal
// digests whatever it was made from.
type Shard struct {
	IDs     []string  // utterance ids, n of them
	Scalars [][]int32 // one slice of n values for each inline column, in schema order
	Blocks  []Block   // one for each other column, in schema order
}

// Block names the bytes of one column of a shard: n samples of
// Column.SampleBytes each, one after the other.
type Block struct {
	Digest Digest
	Sums   []uint64 // Checksum of each sample's bytes, padding included
}

// Len is the number of samples.
func (s *Shard) Len() int { return len(s.IDs) }

// Encode is the record's bytes; Sum of them is the shard's digest.
func (s *Shard) Encode() []byte {
	e := newEncoder(shardMagic)
	e.u32(uint32(len(s.IDs)))
	e.u8(uint8(len(s.Scalars)))
	e.u8(uint8(len(s.Blocks)))
	for _, id := range s.IDs {
		e.str(id)
	}
	for _, column := range s.Scalars {
		for _, v := range column {
			e.u32(uint32(v))
		}
	}
	for _, b := range s.Blocks {
		e.name(b.Digest)
		for _, sum := range b.Sums {
			e.u64(sum)
		}
	}
	return e.buf
}

// DecodeShard reads a record and checks it against the schema: the record holds numbers of columns and no
// names, so a record of another schema would be read as the wrong columns.
func DecodeShard(b []byte, schema Schema) (*Shard, error) {
	d := newDecoder("shard record", shardMagic, b)
	n := d.count(4) // the length of an id
	scalars, blocks := int(d.u8()), int(d.u8())
	if d.err == nil && (scalars != len(schema.Inline()) || blocks != len(schema.Blocks())) {
		return nil, wrongColumns(scalars, blocks, len(schema.Inline()), len(schema.Blocks()))
	}
	s := &Shard{IDs: make([]string, n)}
	for i := range s.IDs {
		s.IDs[i] = d.str()
	}
	for range scalars {
		column := make([]int32, n)
		for i := range column {
			column[i] = int32(d.u32())
		}
		s.Scalars = append(s.Scalars, column)
	}
	for range blocks {
		block := Block{Digest: d.name(), Sums: make([]uint64, n)}
		for i := range block.Sums {
			block.Sums[i] = d.u64()
		}
		s.Blocks = append(s.Blocks, block)
	}
	return s, d.end()
}

func wrongColumns(scalars, blocks, inline, others int) error {
	return fmt.Errorf("shard record: %d inline columns and %d blocks, the schema has %d and %d: %w", scalars, blocks, inline, others, ErrDamaged)
}
