package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// canvas is a white picture with lines and letters.
type canvas struct {
	img   *image.RGBA
	font  *opentype.Font
	faces [2]font.Face // by letterSize
}

type letterSize int

const (
	small letterSize = iota // axes
	large                   // title
)

type alignment int

const (
	alignLeft alignment = iota
	alignCentre
	alignRight
)

func newCanvas(width, height int) (*canvas, error) {
	c := &canvas{img: image.NewRGBA(image.Rect(0, 0, width, height))}
	draw.Draw(c.img, c.img.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	c.font = f
	for size, points := range map[letterSize]float64{small: 14, large: 17} {
		if c.faces[size], err = opentype.NewFace(f, &opentype.FaceOptions{Size: points, DPI: 72, Hinting: font.HintingFull}); err != nil {
			return nil, fmt.Errorf("font: %w", err)
		}
	}
	return c, nil
}

// knows reports whether there is a letter for each of s.
func (c *canvas) knows(s string) bool {
	for _, r := range s {
		if at, err := c.font.GlyphIndex(nil, r); err != nil || at == 0 {
			return false
		}
	}
	return true
}

// text writes with (x, y) on the baseline.
func (c *canvas) text(s string, x, y int, align alignment, size letterSize) {
	write(c.img, c.faces[size], s, x, y, align)
}

func write(img draw.Image, face font.Face, s string, x, y int, align alignment) {
	d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: face}
	width := d.MeasureString(s).Round()
	switch align {
	case alignCentre:
		x -= width / 2
	case alignRight:
		x -= width
	}
	d.Dot = fixed.P(x, y)
	d.DrawString(s)
}

// turned writes upwards, centred on (x, y).
func (c *canvas) turned(s string, x, y int) {
	face := c.faces[small]
	width := font.MeasureString(face, s).Ceil()
	const height, baseline = 20, 15
	flat := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(flat, flat.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	write(flat, face, s, 0, baseline, alignLeft)
	for fy := range height {
		for fx := range width {
			c.img.SetRGBA(x-height/2+fy, y+width/2-fx, flat.RGBAAt(fx, fy))
		}
	}
}

// line draws a line along an axis, both ends included.
func (c *canvas) line(x0, y0, x1, y1 int) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			c.img.SetRGBA(x, y, ink)
		}
	}
}

// frame draws a border just outside r.
func (c *canvas) frame(r image.Rectangle) {
	r = r.Inset(-1)
	c.line(r.Min.X, r.Min.Y, r.Max.X-1, r.Min.Y)
	c.line(r.Min.X, r.Max.Y-1, r.Max.X-1, r.Max.Y-1)
	c.line(r.Min.X, r.Min.Y, r.Min.X, r.Max.Y-1)
	c.line(r.Max.X-1, r.Min.Y, r.Max.X-1, r.Max.Y-1)
}
