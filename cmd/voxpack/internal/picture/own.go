package picture

import (
	"fmt"

	"voxpack/cmd/voxpack/internal/term"
)

// What a step of a column is.
const (
	Tokens = "tokens"
	Frames = "frames"
	Steps  = "steps"
)

// drawingOfOwn draws a column of the user's own: one value a step as a curve, more of
// them as bands.
func drawingOfOwn(c Column) drawing {
	d := drawing{unit: c.Unit, wide: 8, right: marginRight, title: (*picture).ownTitle, draw: (*picture).drawOwn}
	if c.Unit == Tokens {
		d.wide = drawings["tokens"].wide
	}
	if c.Width > 1 {
		d.right, d.draw = marginBar, (*picture).drawOwnBands
	}
	return d
}

func (p *picture) ownTitle() string {
	title := term.Count(p.Steps, p.Unit[:len(p.Unit)-1])
	if p.Width > 1 {
		title += fmt.Sprintf(" × %s", term.Count(p.Width, "value"))
	}
	if p.seconds > 0 {
		title += ", " + p.duration()
	}
	low, high := p.Values[0], p.Values[0]
	for _, v := range p.Values {
		low, high = min(low, v), max(high, v)
	}
	return fmt.Sprintf("%s, %s, %.4g to %.4g", title, p.Name, low, high)
}

func (p *picture) drawOwn() {
	low, high := bounds(p.Values)
	p.drawCurve(min(0, float64(low)), float64(high), p.Name, false)
}

func (p *picture) drawOwnBands() {
	b := newBands(p, nil)
	b.drawValues()
	b.drawWidth("value")
	b.drawBar(p.Name)
}
