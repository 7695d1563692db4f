package picture

import (
	"fmt"
	"image/color"
	"math"

	"voxpack/cmd/voxpack/internal/term"
)

// curve is a picture of one value a step: a stair, with gaps where there is none.
type curve struct {
	*picture
	low, high float64 // ends of the axis on the left
	gap       bool    // 0 is no value
}

// stroke is the colour of a curve, out of the middle of the bands' colours.
var stroke = colourAt(0.4)

// rule is the colour of the lines across the plot.
var rule = color.RGBA{224, 224, 230, 255}

func (p *picture) energyTitle() string {
	return fmt.Sprintf("%s, %s, energy", term.Count(p.Steps, "frame"), p.duration())
}

func (p *picture) drawEnergy() {
	_, high := bounds(p.Values)
	p.drawCurve(0, float64(high), "norm of the spectrum", false)
}

func (p *picture) f0Title() string {
	voiced, low, high := p.voiced()
	if voiced == 0 {
		return fmt.Sprintf("%s, %s, f0, no voice", term.Count(p.Steps, "frame"), p.duration())
	}
	return fmt.Sprintf("%s, %s, f0 from %.0f to %.0f Hz, %.0f %% voiced", term.Count(p.Steps, "frame"), p.duration(), low, high, 100*float64(voiced)/float64(p.Steps))
}

// voiced counts the frames with a voice and gives its lowest and highest pitch.
func (p *picture) voiced() (n int, low, high float64) {
	for _, v := range p.Values {
		if hz := float64(v); hz > 0 {
			if n++; n == 1 {
				low = hz
			}
			low, high = min(low, hz), max(high, hz)
		}
	}
	return n, low, high
}

func (p *picture) drawF0() {
	n, low, high := p.voiced()
	if n == 0 {
		low, high = 60, 600
	}
	p.drawCurve(low, high, "Hz", true)
}

func (p *picture) pcmTitle() string {
	low, high := bounds(p.Values)
	return fmt.Sprintf("%s, %s, pcm, peak %.3f", term.Count(p.Steps, "sample"), p.duration(), max(-low, high))
}

func (p *picture) drawPCM() {
	low, high := bounds(p.Values)
	peak := float64(max(-low, high, 0x1p-15))
	p.drawCurve(-peak, peak, "of full scale", false)
}

func (p *picture) tokensTitle() string { return term.Count(p.Steps, "token") }

func (p *picture) drawTokens() {
	_, high := bounds(p.Values)
	c := p.drawCurve(0, float64(high), "id", false)
	c.drawSymbols()
}

// drawCurve fits the axis round low and high and draws on it.
func (p *picture) drawCurve(low, high float64, name string, gap bool) curve {
	if high <= low {
		high = low + 1
	}
	step := niceStep(high-low, 8)
	c := curve{picture: p, low: math.Floor(low/step) * step, high: math.Ceil(high/step) * step, gap: gap}
	for v := c.low; v <= c.high+step/2; v += step {
		y := c.at(v)
		for x := p.plot.Min.X; x < p.plot.Max.X && y > p.plot.Min.Y && y < p.plot.Max.Y; x++ {
			p.canvas.img.SetRGBA(x, y, rule)
		}
		p.tickLeft(y, label(v, step))
	}
	p.nameLeft(name)
	c.drawStair()
	return c
}

// at is the pixel of a value.
func (c curve) at(v float64) int { return c.y((v - c.low) / (c.high - c.low)) }

// drawStair draws, for each pixel from left to right, a line over all values
// that it covers, joined to the pixel before it.
func (c curve) drawStair() {
	joined, before := false, 0
	for x := range c.plot.Dx() {
		from, to := c.covered(x)
		top, bottom, any := 0, 0, false
		for _, v := range c.Values[from:to] {
			if c.gap && v == 0 {
				continue
			}
			y := c.at(float64(v))
			if !any {
				top, bottom, any = y, y, true
			}
			top, bottom = min(top, y), max(bottom, y)
		}
		if any {
			first, last := top, bottom
			if joined {
				first, last = min(top, before), max(bottom, before)
			}
			c.column(c.plot.Min.X+x, first, last)
			before = c.at(float64(c.Values[to-1]))
		}
		joined = any && !(c.gap && c.Values[to-1] == 0)
	}
}

// column draws a piece of the curve, two pixels thick, within the plot.
func (c curve) column(x, first, last int) {
	for y := first - 1; y <= last; y++ {
		if y >= c.plot.Min.Y && y < c.plot.Max.Y {
			c.canvas.img.SetRGBA(x, y, stroke)
		}
	}
}

// drawSymbols writes what each token stands for over its step, where there is
// room and the letters are at hand.
func (c curve) drawSymbols() {
	if c.plot.Dx()/c.Steps < 10 {
		return
	}
	for i, v := range c.Values {
		id := int(v)
		if id < 0 || id >= len(c.Symbols) {
			continue
		}
		if s := term.SymbolText(c.Symbols[id : id+1]); len([]rune(s)) <= 2 && c.canvas.knows(s) {
			x := (c.x(float64(i)) + c.x(float64(i+1))) / 2
			c.canvas.text(s, x, max(c.at(float64(v))-8, c.plot.Min.Y+14), alignCentre, small)
		}
	}
}
