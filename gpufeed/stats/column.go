package stats

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"voxpack/audio"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// features are the program's own columns that have statistics. Tokens, speakers and
// the like are numbers of things, and pcm and linear are what the others are made of.
var features = []string{"mel", "energy", "f0"}

// unvoiced is the feature in which 0 says that a frame has no value.
const unvoiced = "f0"

// mostBands is how long an axis may be for each of its places to have statistics of
// its own: their bins take 4 KiB each, for every worker.
const mostBands = 4096

// column is a column that has statistics.
type column struct {
	store.Column
	index int // among the blocks, or the inline columns
	along int // the inline column that counts its steps; -1: all are in use
	width int // values of a step
	bands int // width, or 1 where the steps are too wide
}

// columnsOf lists the columns of a root that have statistics, in the schema's order.
func columnsOf(root *store.Root) []column {
	var list []column
	blocks, inline := root.Schema.Blocks(), root.Schema.Inline()
	for _, c := range root.Schema {
		own := root.Setting(store.ColumnSetting+c.Name) != ""
		if !own && !slices.Contains(features, c.Name) {
			continue
		}
		one := column{Column: c, index: inline.Index(c.Name), along: -1, width: 1, bands: 1}
		if !c.Inline() {
			one.index, one.along = blocks.Index(c.Name), inline.Index(plan.LengthOf(root.Schema, c))
			one.width = c.RowBytes() / c.DType.Size()
			if one.along < 0 && len(c.Shape) == 1 { // a vector: each number is a band
				one.width = c.Shape[0]
			}
			if one.bands = one.width; one.bands > mostBands {
				one.bands = 1
			}
		}
		list = append(list, one)
	}
	return list
}

// recipe names what the parts of these columns depend on besides the records of the leaves.
func recipe(list []column) store.Digest {
	var b strings.Builder
	fmt.Fprintf(&b, "voxpack stats %d\n", memoVersion)
	for _, c := range list {
		fmt.Fprintf(&b, "%v %s %d %d\n", c.Column, c.Along, c.along, c.bands)
	}
	return store.Sum([]byte(b.String()))
}

// steps cuts the steps in use out of a sample's bytes.
func (c *column) steps(sample []byte, length int32) []byte {
	if c.along < 0 {
		return sample
	}
	used := min(max(0, int(length)), c.Shape[0])
	return sample[:used*c.RowBytes()]
}

// take gives bins the values of a sample that are in use; values is room for a step,
// and bins that are full are emptied into sums.
func (c *column) take(b *bins, used []byte, values []float32, into []Sum) {
	for wide := c.width * c.DType.Size(); len(used) > 0; used = used[wide:] {
		c.read(b, used[:wide], values)
		for rest := values; len(rest) > 0; rest = rest[c.bands:] {
			b.room(into)
			b.step(rest)
		}
	}
}

// read makes float32 of a step's bytes. An integer that is none goes into the bins
// by itself, and leaves what they pass over.
func (c *column) read(b *bins, step []byte, values []float32) {
	switch c.DType {
	case store.Float32:
		audio.Float32(values, step)
	case store.Float16:
		audio.Float16(values, step)
	case store.BFloat16:
		audio.BFloat16(values, step)
	case store.Int16:
		for i := range values {
			values[i] = float32(int16(binary.LittleEndian.Uint16(step[2*i:])))
		}
	case store.Int32:
		for i := range values {
			values[i] = b.integer(i%c.bands, int32(binary.LittleEndian.Uint32(step[4*i:])))
		}
	}
}
