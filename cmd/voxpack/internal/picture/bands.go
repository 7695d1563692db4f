package picture

import (
	"fmt"
	"image"
	"math"

	"voxpack/audio"
	"voxpack/cmd/voxpack/internal/term"
)

// bands is a picture of frames with many values each: bands or bins on the left,
// Hz on the right, and a bar that says which colour is which value.
type bands struct {
	*picture
	width     int // values of a frame
	low, high float32
	edges     []float64 // Hz: value i lies round edges[i+1]
}

func (p *picture) melTitle() string {
	return fmt.Sprintf("%s × %s, %s, %s mel", term.Count(p.Steps, "frame"), term.Count(p.Width, "band"), p.duration(), p.Mel.Variant)
}

func (p *picture) drawMel() {
	b := newBands(p, audio.MelEdges(p.Mel))
	b.drawAll("mel band", melUnits[p.Mel.Variant])
}

// melUnits are what the values of a variant are, where they are not ln mel.
var melUnits = map[string]string{"coqui-ap": "dB, to ±4", "xtts-dvae": "ln mel / norm", "parallel-wavegan": "log10 mel", "espnet": "log10 mel",
	"styletts2": "(ln mel + 4) / 4"}

func (p *picture) linearTitle() string {
	return fmt.Sprintf("%s × %s, %s, linear", term.Count(p.Steps, "frame"), term.Count(p.Width, "bin"), p.duration())
}

// drawLinear draws logarithms: magnitudes of speech span five powers of ten. The
// least of them is the root of 1e-6, which the stage adds to the power.
func (p *picture) drawLinear() {
	for i, v := range p.Values {
		p.Values[i] = float32(math.Log(max(float64(v), 1e-3)))
	}
	edges := make([]float64, p.Width+2)
	for i := range edges {
		edges[i] = float64(i-1) * float64(p.Mel.SampleRate) / float64(p.Mel.NFFT)
	}
	newBands(p, edges).drawAll("bin", "ln |X|")
}

func newBands(p *picture, edges []float64) bands {
	b := bands{picture: p, width: p.Width, edges: edges}
	b.low, b.high = bounds(p.Values)
	return b
}

// bounds are the smallest and the greatest value, a step apart where they are one.
func bounds(values []float32) (low, high float32) {
	low, high = values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	if low == high {
		high = low + 1
	}
	return low, high
}

func (b bands) drawAll(left, unit string) {
	if unit == "" {
		unit = "ln mel"
	}
	b.drawValues()
	b.drawWidth(left)
	b.drawHertz()
	b.drawBar(unit)
}

// drawValues fills the plot; the lowest band is at the bottom. Where several
// values share a pixel the greatest shows.
func (b bands) drawValues() {
	w, h := b.plot.Dx(), b.plot.Dy()
	for y := range h {
		from := (h - 1 - y) * b.width / h
		to := max(from+1, (h-y)*b.width/h)
		for x := range w {
			v := b.low
			first, last := b.covered(x)
			for f := first; f < last; f++ {
				for _, u := range b.Values[f*b.width+from : f*b.width+to] {
					v = max(v, u)
				}
			}
			b.canvas.img.SetRGBA(b.plot.Min.X+x, b.plot.Min.Y+y, colourAt(float64((v-b.low)/(b.high-b.low))))
		}
	}
}

// at is the pixel of a place on the axis of values, from 0 at the bottom.
func (b bands) at(value float64) int { return b.y(value / float64(b.width)) }

func (b bands) drawWidth(name string) {
	step := max(1, niceStep(float64(b.width), 9))
	for v := 0.0; v < float64(b.width); v += step {
		b.tickLeft(b.at(v+0.5), label(v, step))
	}
	b.nameLeft(name)
}

// hertzTicks are frequencies worth a label where they lie on the axis.
var hertzTicks = []float64{0, 125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 11000, 16000, 22000}

// drawHertz labels frequencies where a value of that centre would lie.
func (b bands) drawHertz() {
	last := b.plot.Max.Y + 100
	i := 0
	for _, hz := range hertzTicks {
		for i+2 < len(b.edges) && hz > b.edges[i+1] {
			i++
		}
		place := float64(i) + (hz-b.edges[i])/(b.edges[i+1]-b.edges[i]) - 0.5 // a value's middle is half a step up
		y := b.at(place)
		if y < b.plot.Min.Y || y > b.plot.Max.Y || last-y < 18 {
			continue
		}
		last = y
		b.canvas.line(b.plot.Max.X, y, b.plot.Max.X+5, y)
		b.canvas.text(label(hz, 1), b.plot.Max.X+10, y+5, alignLeft, small)
	}
	b.canvas.text("Hz", b.plot.Max.X+10, b.plot.Min.Y-12, alignLeft, small)
}

func (b bands) drawBar(unit string) {
	bar := image.Rect(b.plot.Max.X+82, b.plot.Min.Y, b.plot.Max.X+102, b.plot.Max.Y)
	for y := bar.Min.Y; y < bar.Max.Y; y++ {
		c := colourAt(float64(bar.Max.Y-1-y) / float64(bar.Dy()-1))
		for x := bar.Min.X; x < bar.Max.X; x++ {
			b.canvas.img.SetRGBA(x, y, c)
		}
	}
	b.canvas.frame(bar)
	low, high := float64(b.low), float64(b.high)
	step := niceStep(high-low, 8)
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		y := bar.Max.Y - int(math.Round((v-low)/(high-low)*float64(bar.Dy())))
		b.canvas.line(bar.Max.X, y, bar.Max.X+5, y)
		b.canvas.text(label(v, step), bar.Max.X+10, y+5, alignLeft, small)
	}
	b.canvas.text(unit, bar.Min.X, bar.Min.Y-12, alignLeft, small)
	b.canvas.turned(fmt.Sprintf("%.2f to %.2f", low, high), bar.Max.X+66, (bar.Min.Y+bar.Max.Y)/2)
}
