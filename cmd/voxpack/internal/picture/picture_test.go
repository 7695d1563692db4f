package picture

import (
	"image"
	"strings"
	"testing"

	"voxpack/audio"
	"voxpack/store"
)

// newTestPicture is a picture of values that no store holds, drawn.
func newTestPicture(t *testing.T, column store.Column, values []float32) *picture {
	t.Helper()
	c := audio.MelConfig{}.WithDefaults()
	steps := len(values)
	if len(column.Shape) == 2 {
		steps /= column.Shape[1]
	}
	width := 1
	if len(column.Shape) == 2 {
		width = column.Shape[1]
	}
	p := &picture{Column: Column{Name: column.Name, ID: "x", Values: values, Steps: steps, Width: width, Mel: c}, drawing: drawings[column.Name],
		seconds: float64(c.HopLength) / float64(c.SampleRate), plot: image.Rect(marginLeft, marginTop, marginLeft+480, marginTop+plotHeight)}
	var err error
	if p.canvas, err = newCanvas(p.plot.Max.X+marginBar, p.plot.Max.Y+marginBottom); err != nil {
		t.Fatal(err)
	}
	p.drawing.draw(p)
	return p
}

// inked are the rows of the plot, from its upper edge, that the curve covers in
// a column of pixels; -1 where it has none.
func inked(p *picture, x int) (first, last int) {
	first, last = -1, -1
	for y := range p.plot.Dy() {
		if p.canvas.img.RGBAAt(p.plot.Min.X+x, p.plot.Min.Y+y) == stroke {
			if first < 0 {
				first = y
			}
			last = y
		}
	}
	return first, last
}

func TestUnvoicedFramesAreAGap(t *testing.T) {
	// 12 frames of 40 pixels; the axis runs from 100 to 200 Hz.
	p := newTestPicture(t, store.Column{Name: "f0", Shape: []int{12}}, []float32{100, 200, 200, 0, 0, 0, 150, 150, 0, 100, 0, 0})
	for _, tt := range []struct {
		name        string
		x           int
		first, last int
	}{
		{"the lowest value lies at the bottom", 20, plotHeight - 1, plotHeight - 1},
		{"a step is joined", 40, 0, plotHeight - 1},
		{"the highest value lies at the top", 100, 0, 0},
		{"the first unvoiced frame", 120, -1, -1},
		{"the last unvoiced frame", 239, -1, -1},
		{"a gap is not bridged: its far side starts at its own value", 240, plotHeight/2 - 1, plotHeight / 2},
		{"a frame by itself", 379, plotHeight - 1, plotHeight - 1},
		{"the end without a voice", 479, -1, -1},
	} {
		if first, last := inked(p, tt.x); first != tt.first || last != tt.last {
			t.Errorf("%s: pixel %d has ink from %d to %d, want %d to %d", tt.name, tt.x, first, last, tt.first, tt.last)
		}
	}
	if title := p.f0Title(); !strings.Contains(title, "f0 from 100 to 200 Hz, 50 % voiced") {
		t.Errorf("title %q does not say range and voice", title)
	}
	// Two frames a pixel: a gap behind the first of them still is one.
	crowd := make([]float32, 960)
	crowd[0], crowd[2], crowd[3], crowd[959] = 100, 200, 200, 100
	if first, last := inked(newTestPicture(t, store.Column{Name: "f0", Shape: []int{960}}, crowd), 1); first != 0 || last != 0 {
		t.Errorf("a crowded pixel has ink from %d to %d, want it at the top alone", first, last)
	}
	silent := newTestPicture(t, store.Column{Name: "f0", Shape: []int{2}}, []float32{0, 0})
	if title := silent.f0Title(); !strings.HasSuffix(title, "no voice") {
		t.Errorf("title %q does not say that there is no voice", title)
	}
}

// TestAPixelShowsEverySampleItCovers: a click of one sample among thousands is seen.
func TestAPixelShowsEverySampleItCovers(t *testing.T) {
	values := make([]float32, 48_000) // 100 a pixel
	values[12_345], values[12_346] = 0.5, -0.5
	// The axis runs from -0.6 to 0.6, so that a half lies a twelfth of the height from its end.
	p := newTestPicture(t, store.Column{Name: "pcm", Shape: []int{48_000}}, values)
	at := plotHeight / 2
	for x, want := range map[int][2]int{122: {at - 1, at}, 123: {plotHeight/12 - 1, plotHeight - plotHeight/12}, 125: {at - 1, at}} {
		if first, last := inked(p, x); first != want[0] || last != want[1] {
			t.Errorf("pixel %d has ink from %d to %d, want %v", x, first, last, want)
		}
	}
}

// TestHertzLieWhereTheVariantHasThem: the scale of HTK bends at 700 Hz, Slaney's
// is straight to 1,000 Hz.
func TestHertzLieWhereTheVariantHasThem(t *testing.T) {
	for variant, want := range map[string]int{"hifigan": 26, "xtts-dvae": 28} {
		edges := audio.MelEdges(audio.MelConfig{Variant: variant})
		band := 0
		for edges[band+1] < 1000 {
			band++
		}
		if len(edges) != 82 || edges[0] != 0 || edges[81] < 7999.9 || edges[81] > 8000.1 || band != want {
			t.Errorf("%s: 1,000 Hz lie in band %d of %d edges from %g to %g, want %d", variant, band, len(edges), edges[0], edges[len(edges)-1], want)
		}
	}
	values := make([]float32, 513*2)
	for i := range values {
		values[i] = 1
	}
	values[4] = 50 // 513 bins share 400 pixels: the fourth pixel shows bins 3 and 4
	p := newTestPicture(t, store.Column{Name: "linear", Shape: []int{2, 513}}, values)
	bright := colourAt(1)
	for x, want := range map[int]bool{0: true, 239: true, 240: false} {
		if got := p.canvas.img.RGBAAt(p.plot.Min.X+x, p.plot.Max.Y-4) == bright; got != want {
			t.Errorf("pixel %d of bin 4 is bright: %v, want %v", x, got, want)
		}
	}
}
