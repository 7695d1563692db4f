package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"

	"voxpack/store"
)

// melPicture draws a mel with axes: seconds below, frames above, bands on the
// left, Hz on the right, and a bar that says which colour is which value.
type melPicture struct {
	canvas  *canvas
	plot    image.Rectangle
	values  []float32 // frames × bands
	frames  int
	bands   int
	low     float32 // value of the darkest colour
	high    float32
	seconds float64 // of one frame
	fmin    float64 // Hz
	fmax    float64
	title   string
}

// Margins round the plot in pixels: room for the axes and their names.
const (
	marginLeft   = 72
	marginRight  = 190
	marginTop    = 84
	marginBottom = 62
	plotHeight   = 400
)

func newMelPicture(d *store.Dataset, s *sample, row store.OriginRow) (*melPicture, error) {
	if s.column.Name != "mel" || len(s.column.Shape) != 2 {
		return nil, usagef("--png draws the column mel; write %s with --npy", s.column.Name)
	}
	setting := func(name string) float64 {
		v, _ := strconv.ParseFloat(d.Root.Setting(name), 64)
		return v
	}
	p := &melPicture{values: s.floats(), frames: s.length, bands: s.column.Shape[1], fmin: setting("fmin"), fmax: setting("fmax")}
	rate, hop := setting("sample_rate"), setting("hop_length")
	if p.frames == 0 || rate <= 0 || hop <= 0 {
		return nil, fmt.Errorf("row %s has no frames to draw", s.id)
	}
	p.seconds = hop / rate
	p.title = fmt.Sprintf("%s   %d frames × %d bands, %.2f s, %s mel", s.id, p.frames, p.bands, float64(p.frames)*p.seconds, d.Root.Setting("mel_variant"))
	if int(row.Frames) > p.frames {
		p.title += fmt.Sprintf(", truncated from %d", row.Frames)
	}
	p.low, p.high = bounds(p.values)
	width := p.frames * max(1, min(8, 960/p.frames))
	width = max(width, 480)
	p.plot = image.Rect(marginLeft, marginTop, marginLeft+width, marginTop+plotHeight)
	c, err := newCanvas(p.plot.Max.X+marginRight, p.plot.Max.Y+marginBottom)
	p.canvas = c
	return p, err
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

func (p *melPicture) encode(w io.Writer) error {
	p.drawValues()
	p.canvas.frame(p.plot)
	p.canvas.text(p.title, marginLeft, 30, alignLeft, large)
	p.drawTime()
	p.drawBands()
	p.drawHertz()
	p.drawBar()
	return png.Encode(w, p.canvas.img)
}

// drawValues fills the plot; the lowest band is at the bottom.
func (p *melPicture) drawValues() {
	w, h := p.plot.Dx(), p.plot.Dy()
	for y := range h {
		band := (h - 1 - y) * p.bands / h
		for x := range w {
			v := p.values[x*p.frames/w*p.bands+band]
			p.canvas.img.SetRGBA(p.plot.Min.X+x, p.plot.Min.Y+y, colourAt(float64((v-p.low)/(p.high-p.low))))
		}
	}
}

// x is the pixel of a frame's left edge.
func (p *melPicture) x(frame float64) int {
	return p.plot.Min.X + int(math.Round(frame*float64(p.plot.Dx())/float64(p.frames)))
}

// y is the pixel of a place on the axis of bands, from 0 at the bottom.
func (p *melPicture) y(band float64) int {
	return p.plot.Max.Y - int(math.Round(band*float64(p.plot.Dy())/float64(p.bands)))
}

func (p *melPicture) drawTime() {
	room := p.plot.Dx() / 90 // labels that fit side by side
	total := float64(p.frames) * p.seconds
	step := niceStep(total, room)
	for t := 0.0; t <= total*1.0001; t += step {
		x := p.x(t / p.seconds)
		p.canvas.line(x, p.plot.Max.Y, x, p.plot.Max.Y+5)
		p.canvas.text(label(t, step), x, p.plot.Max.Y+22, alignCentre, small)
	}
	p.canvas.text("seconds", (p.plot.Min.X+p.plot.Max.X)/2, p.plot.Max.Y+46, alignCentre, small)
	step = max(1, niceStep(float64(p.frames), room))
	for f := 0.0; f <= float64(p.frames); f += step {
		x := p.x(f)
		p.canvas.line(x, p.plot.Min.Y-6, x, p.plot.Min.Y-1)
		p.canvas.text(label(f, step), x, p.plot.Min.Y-12, alignCentre, small)
	}
	p.canvas.text("frames", p.plot.Min.X-14, p.plot.Min.Y-12, alignRight, small)
}

func (p *melPicture) drawBands() {
	step := max(1, niceStep(float64(p.bands), 9))
	for band := 0.0; band < float64(p.bands); band += step {
		y := p.y(band + 0.5)
		p.canvas.line(p.plot.Min.X-6, y, p.plot.Min.X-1, y)
		p.canvas.text(label(band, step), p.plot.Min.X-10, y+5, alignRight, small)
	}
	p.canvas.turned("mel band", 24, (p.plot.Min.Y+p.plot.Max.Y)/2)
}

// hertzTicks are frequencies worth a label where they lie on the axis.
var hertzTicks = []float64{0, 125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 11000, 16000, 22000}

// drawHertz labels frequencies where a band of that centre would lie: centres
// are evenly spaced on the mel scale, the edges of the outer bands at fmin and fmax.
func (p *melPicture) drawHertz() {
	from, to := slaneyMel(p.fmin), slaneyMel(p.fmax)
	last := p.plot.Max.Y + 100
	for _, hz := range hertzTicks {
		band := (slaneyMel(hz)-from)/(to-from)*float64(p.bands+1) - 0.5
		y := p.y(band)
		if y < p.plot.Min.Y || y > p.plot.Max.Y || last-y < 18 {
			continue
		}
		last = y
		p.canvas.line(p.plot.Max.X, y, p.plot.Max.X+5, y)
		p.canvas.text(label(hz, 1), p.plot.Max.X+10, y+5, alignLeft, small)
	}
	p.canvas.text("Hz", p.plot.Max.X+10, p.plot.Min.Y-12, alignLeft, small)
}

// slaneyMel is the mel scale of the Auditory Toolbox, which the mel stage uses:
// linear to 1 kHz, logarithmic above.
func slaneyMel(hz float64) float64 {
	const perHertz, knee = 3.0 / 200, 1000.0
	if hz < knee {
		return hz * perHertz
	}
	return knee*perHertz + math.Log(hz/knee)*27/math.Log(6.4)
}

func (p *melPicture) drawBar() {
	bar := image.Rect(p.plot.Max.X+82, p.plot.Min.Y, p.plot.Max.X+102, p.plot.Max.Y)
	for y := bar.Min.Y; y < bar.Max.Y; y++ {
		c := colourAt(float64(bar.Max.Y-1-y) / float64(bar.Dy()-1))
		for x := bar.Min.X; x < bar.Max.X; x++ {
			p.canvas.img.SetRGBA(x, y, c)
		}
	}
	p.canvas.frame(bar)
	low, high := float64(p.low), float64(p.high)
	step := niceStep(high-low, 8)
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		y := bar.Max.Y - int(math.Round((v-low)/(high-low)*float64(bar.Dy())))
		p.canvas.line(bar.Max.X, y, bar.Max.X+5, y)
		p.canvas.text(label(v, step), bar.Max.X+10, y+5, alignLeft, small)
	}
	p.canvas.text("ln mel", bar.Min.X, bar.Min.Y-12, alignLeft, small)
	p.canvas.turned(fmt.Sprintf("%.2f to %.2f", low, high), bar.Max.X+66, (bar.Min.Y+bar.Max.Y)/2)
}

// niceStep is 1, 2 or 5 times a power of ten: the smallest with at most so many
// steps in a span.
func niceStep(span float64, most int) float64 {
	step := math.Pow(10, math.Floor(math.Log10(span/float64(max(most, 1)))))
	for _, k := range []float64{1, 2, 5} {
		if span/(k*step) <= float64(max(most, 1)) {
			return k * step
		}
	}
	return 10 * step
}

// label writes a tick with the decimals that its step needs.
func label(v, step float64) string {
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	if math.Abs(v) < step/1e6 {
		v = 0 // no "-0"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// ink is the colour of axes and letters.
var ink = color.RGBA{40, 40, 48, 255}
