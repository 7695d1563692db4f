package report

import (
	"slices"
	"strconv"

	"voxpack/audio"
	"voxpack/store"
)

// Padding is what the fixed shape costs, and what other shapes would.
type Padding struct {
	Bytes    int64     `json:"bytes"`    // of all samples, padding included
	Used     int64     `json:"used"`     // of it without padding
	Waste    float64   `json:"waste"`    // the part that is padding
	Overlong string    `json:"overlong"` // what happens to rows over a maximum: reject or truncate
	Axes     []PadAxis `json:"axes"`
}

// PadAxis is an axis of time with its maximum: frames or tokens.
type PadAxis struct {
	Axis    string      `json:"axis"` // the setting that is its maximum
	Maximum int         `json:"maximum"`
	Waste   float64     `json:"waste"` // the part of its steps that is padding
	Maxima  []PadChoice `json:"maxima"`
	Buckets []PadChoice `json:"buckets"`
}

// PadChoice is another shape.
type PadChoice struct {
	Share  float64 `json:"share"`  // of rows that fit; of buckets 1
	Shapes []int   `json:"shapes"` // the maximum, or that of each bucket
	Over   int     `json:"over"`   // rows that do not fit
	Waste  float64 `json:"waste"`  // the part of steps that is padding
	Steps  float64 `json:"steps"`  // in all, as a part of what there are now
}

// paddingOf compares the lengths of rows with the shape of their columns.
func paddingOf(root *store.Root, rows []row) Padding {
	p := Padding{Overlong: root.Setting("overlong"), Axes: []PadAxis{}}
	perSample := map[string]bool{}
	for _, f := range audio.Features() {
		perSample[f.Name] = f.Samples
	}
	for _, c := range root.Schema.Blocks() {
		for i := range rows {
			p.Bytes += int64(c.SampleBytes())
			p.Used += int64(c.RowBytes()) * int64(min(rows[i].lengthIn(root, c, perSample), c.Shape[0]))
		}
	}
	p.Waste = wasteOf(float64(p.Used), float64(p.Bytes))
	for _, axis := range []struct {
		setting string
		of      func(*row) int
	}{
		{"max_mel_frames", func(r *row) int { return r.frames }},
		{"max_text_length", func(r *row) int { return r.tokens }},
	} {
		most, err := strconv.Atoi(root.Setting(axis.setting))
		if err != nil || most < 1 || len(rows) == 0 {
			continue // a dataset without this axis
		}
		lengths := make([]int, len(rows))
		for i := range rows {
			lengths[i] = axis.of(&rows[i])
		}
		p.Axes = append(p.Axes, axisOf(axis.setting, most, lengths))
	}
	return p
}

// lengthIn is length for any column. Own lengths of columns of the user's own are not
// known here, and count as full.
func (r *row) lengthIn(root *store.Root, c store.Column, perSample map[string]bool) int {
	switch {
	case c.Along == "text_len":
		return r.tokens
	case c.Along == "mel_len":
		return r.frames
	case root.Setting(store.ColumnSetting+c.Name) != "":
		return c.Shape[0]
	}
	return r.length(c.Name, perSample)
}

// length is the true length of a row in a column, before truncation.
func (r *row) length(column string, perSample map[string]bool) int {
	switch {
	case column == "tokens":
		return r.tokens
	case perSample[column]:
		return r.samples
	}
	return r.frames
}

// axisOf tries other maxima and buckets on lengths, which it sorts.
func axisOf(setting string, most int, lengths []int) PadAxis {
	slices.Sort(lengths)
	now := float64(most) * float64(len(lengths))
	a := PadAxis{Axis: setting, Maximum: most, Waste: wasteOf(sumOf(lengths, most), now), Maxima: []PadChoice{}, Buckets: []PadChoice{}}
	for _, share := range []float64{0.9, 0.95, 0.99, 0.999, 1} {
		m := max(1, lengths[max(0, ceil(share*float64(len(lengths)))-1)])
		if n := len(a.Maxima); n > 0 && a.Maxima[n-1].Shapes[0] == m {
			continue // few rows: the same row is the longest of more of them
		}
		over := len(lengths) - upTo(lengths, m)
		fit := lengths[:len(lengths)-over]
		a.Maxima = append(a.Maxima, PadChoice{float64(len(fit)) / float64(len(lengths)), []int{m}, over, wasteOf(sumOf(fit, m), float64(m)*float64(len(fit))), float64(m) * float64(len(fit)) / now})
	}
	for _, buckets := range []int{2, 4, 8} {
		c := bucketsOf(lengths, min(buckets, len(lengths)), now)
		// Rows of few lengths fill no more buckets than they have lengths.
		if n := len(a.Buckets); len(c.Shapes) > 1 && (n == 0 || len(c.Shapes) > len(a.Buckets[n-1].Shapes)) {
			a.Buckets = append(a.Buckets, c)
		}
	}
	return a
}

// bucketsOf cuts rows into buckets of equally many, each with the shape of its
// longest row.
func bucketsOf(lengths []int, buckets int, now float64) PadChoice {
	c := PadChoice{Share: 1, Shapes: []int{}}
	var steps, used float64
	for b := range buckets {
		part := lengths[b*len(lengths)/buckets : (b+1)*len(lengths)/buckets]
		m := max(1, part[len(part)-1])
		if n := len(c.Shapes); n == 0 || c.Shapes[n-1] < m {
			c.Shapes = append(c.Shapes, m)
		}
		steps += float64(m) * float64(len(part))
		used += sumOf(part, m)
	}
	c.Waste, c.Steps = wasteOf(used, steps), steps/now
	return c
}

// upTo is how many of sorted lengths are at most m.
func upTo(lengths []int, m int) int {
	at, _ := slices.BinarySearch(lengths, m+1)
	return at
}

// sumOf adds lengths, each cut at most.
func sumOf(lengths []int, most int) (sum float64) {
	for _, n := range lengths {
		sum += float64(min(n, most))
	}
	return sum
}

// wasteOf is the part of all that is not used.
func wasteOf(used, all float64) float64 {
	if all <= 0 {
		return 0
	}
	return 1 - used/all
}

func ceil(v float64) int {
	n := int(v)
	if float64(n) < v {
		n++
	}
	return n
}
