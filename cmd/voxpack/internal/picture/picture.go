package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"

	"voxpack/audio"
	"voxpack/cmd/voxpack/internal/term"
)

// Column is one column of a row, as far as a picture shows it.
type Column struct {
	Name    string
	ID      string          // of the row
	Values  []float32       // Steps × Width, without padding
	Steps   int             // frames, samples or tokens
	Width   int             // values of a step
	Unit    string          // what a step is, of a block column; "" of a number
	Frames  int             // of the whole clip, which Steps may be cut from
	Samples int             // of the whole clip
	Symbols []string        // of tokens
	Mel     audio.MelConfig // how the dataset's mels were made
}

// picture draws a column of a row from left to right: seconds below where it
// has a time, and above what the column counts.
type picture struct {
	Column
	canvas  *canvas
	plot    image.Rectangle
	title   string
	drawing drawing
	seconds float64 // of one step; 0: it has no time
}

// A drawing is how a column is drawn.
type drawing struct {
	unit  string // what a step is
	wide  int    // pixels of a step where there is room
	right int    // margin
	title func(*picture) string
	draw  func(*picture) // what stands in the plot, and the axes beside it
}

// drawings are the columns that can be drawn.
var drawings = map[string]drawing{
	"mel":    {"frames", 8, marginBar, (*picture).melTitle, (*picture).drawMel},
	"linear": {"frames", 8, marginBar, (*picture).linearTitle, (*picture).drawLinear},
	"energy": {"frames", 8, marginRight, (*picture).energyTitle, (*picture).drawEnergy},
	"f0":     {"frames", 8, marginRight, (*picture).f0Title, (*picture).drawF0},
	"pcm":    {"samples", 8, marginRight, (*picture).pcmTitle, (*picture).drawPCM},
	"tokens": {"tokens", 28, marginRight, (*picture).tokensTitle, (*picture).drawTokens},
}

// Margins round the plot in pixels: room for the axes and their names.
const (
	marginLeft   = 72
	marginRight  = 40
	marginBar    = 190 // on the right, with a bar of colours
	marginTop    = 84
	marginBottom = 62
	plotHeight   = 400
	mostWidth    = 8000 // of the plot; steps beyond share pixels
)

// New lays out the picture of a column.
func New(c Column) (*picture, error) {
	drawing, ok := drawings[c.Name]
	if !ok && c.Unit != "" {
		drawing, ok = drawingOfOwn(c), true
	}
	if !ok {
		return nil, term.Usagef("column %s is a number and no picture; voxpack show without --column prints it", c.Name)
	}
	if c.Steps == 0 || c.Mel.HopLength < 1 || c.Mel.SampleRate < 1 {
		return nil, fmt.Errorf("row %s has no %s to draw", c.ID, drawing.unit)
	}
	p := &picture{Column: c, drawing: drawing}
	cells, whole := p.Steps, 0
	switch drawing.unit {
	case "frames":
		p.seconds, whole = float64(c.Mel.HopLength)/float64(c.Mel.SampleRate), c.Frames
	case "samples":
		p.seconds, whole, cells = 1/float64(c.Mel.SampleRate), c.Samples, 1+p.Steps/c.Mel.HopLength
	}
	p.title = p.ID + "   " + drawing.title(p)
	if whole > p.Steps {
		p.title += fmt.Sprintf(", truncated from %s", term.Commas(whole))
	}
	width := min(max(cells*max(1, min(drawing.wide, 960/cells)), 480), mostWidth)
	p.plot = image.Rect(marginLeft, marginTop, marginLeft+width, marginTop+plotHeight)
	var err error
	p.canvas, err = newCanvas(p.plot.Max.X+drawing.right, p.plot.Max.Y+marginBottom)
	return p, err
}

// Encode draws the picture and writes it as a PNG.
func (p *picture) Encode(w io.Writer) error {
	p.drawing.draw(p)
	p.canvas.frame(p.plot)
	p.canvas.text(p.title, marginLeft, 30, alignLeft, large)
	p.drawSteps()
	return png.Encode(w, p.canvas.img)
}

// duration is the length of what is drawn, for titles.
func (p *picture) duration() string {
	return fmt.Sprintf("%.2f s", float64(p.Steps)*p.seconds)
}

// covered are the steps that a pixel of the plot, counted from its left edge,
// shows: at least one.
func (p *picture) covered(x int) (from, to int) {
	w := p.plot.Dx()
	from = x * p.Steps / w
	return from, max(from+1, (x+1)*p.Steps/w)
}

// x is the pixel of a step's left edge.
func (p *picture) x(step float64) int {
	return p.plot.Min.X + int(math.Round(step*float64(p.plot.Dx())/float64(p.Steps)))
}

// y is the pixel of a part of the plot's height, from 0 at the bottom to 1.
func (p *picture) y(part float64) int {
	return p.plot.Max.Y - int(math.Round(part*float64(p.plot.Dy())))
}

// drawSteps labels seconds below and steps above; where there is no time the
// steps stand below.
func (p *picture) drawSteps() {
	room := p.plot.Dx() / 90 // labels that fit side by side
	if total := float64(p.Steps) * p.seconds; total > 0 {
		step := niceStep(total, room)
		for t := 0.0; t <= total*1.0001; t += step {
			p.tickBelow(p.x(t/p.seconds), label(t, step))
		}
		p.nameBelow("seconds")
	}
	step := max(1, niceStep(float64(p.Steps), room))
	for f := 0.0; f <= float64(p.Steps); f += step {
		if p.seconds == 0 {
			p.tickBelow(p.x(f), label(f, step))
			continue
		}
		x := p.x(f)
		p.canvas.line(x, p.plot.Min.Y-6, x, p.plot.Min.Y-1)
		p.canvas.text(label(f, step), x, p.plot.Min.Y-12, alignCentre, small)
	}
	if p.seconds == 0 {
		p.nameBelow(p.drawing.unit)
		return
	}
	p.canvas.text(p.drawing.unit, p.plot.Min.X-14, p.plot.Min.Y-12, alignRight, small)
}

func (p *picture) tickBelow(x int, s string) {
	p.canvas.line(x, p.plot.Max.Y, x, p.plot.Max.Y+5)
	p.canvas.text(s, x, p.plot.Max.Y+22, alignCentre, small)
}

func (p *picture) nameBelow(s string) {
	p.canvas.text(s, (p.plot.Min.X+p.plot.Max.X)/2, p.plot.Max.Y+46, alignCentre, small)
}

// tickLeft labels a pixel row on the left.
func (p *picture) tickLeft(y int, s string) {
	p.canvas.line(p.plot.Min.X-6, y, p.plot.Min.X-1, y)
	p.canvas.text(s, p.plot.Min.X-10, y+5, alignRight, small)
}

// nameLeft says upwards what the axis on the left counts.
func (p *picture) nameLeft(s string) { p.canvas.turned(s, 16, (p.plot.Min.Y+p.plot.Max.Y)/2) }

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
