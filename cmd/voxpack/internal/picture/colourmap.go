package picture

import (
	"image/color"
	"math"
)

// colourStop is a colour of the map in OKLab, by its lightness (0 to 1), chroma
// and hue (degrees).
type colourStop struct{ lightness, chroma, hue float64 }

// colourStops run from near black over violet and red to pale yellow. Lightness
// rises evenly, so that equal steps of the value look equal and the picture
// still reads in grey or to somebody who cannot tell red from green.
var colourStops = []colourStop{
	{0.13, 0.035, 285}, {0.27, 0.115, 295}, {0.41, 0.175, 325}, {0.55, 0.195, 372}, {0.69, 0.175, 405}, {0.83, 0.145, 440}, {0.97, 0.060, 465},
}

// colourAt is the colour of v, which is cut to 0..1.
func colourAt(v float64) color.RGBA {
	v = min(max(v, 0), 1) * float64(len(colourStops)-1)
	i := min(int(v), len(colourStops)-2)
	a, b, t := colourStops[i], colourStops[i+1], v-float64(i)
	mix := func(x, y float64) float64 { return x + (y-x)*t }
	return oklch(mix(a.lightness, b.lightness), mix(a.chroma, b.chroma), mix(a.hue, b.hue))
}

// oklch converts to sRGB, with less chroma where sRGB has no such colour. The
// matrices are those of B. Ottosson, "A perceptual color space for image
// processing" (2020).
func oklch(lightness, chroma, hue float64) color.RGBA {
	for ; ; chroma -= 0.005 {
		sin, cos := math.Sincos(hue * math.Pi / 180)
		a, b := chroma*cos, chroma*sin
		l := cube(lightness + 0.3963377774*a + 0.2158037573*b)
		m := cube(lightness - 0.1055613458*a - 0.0638541728*b)
		s := cube(lightness - 0.0894841775*a - 1.2914855480*b)
		red := 4.0767416621*l - 3.3077115913*m + 0.2309699292*s
		green := -1.2684380046*l + 2.6097574011*m - 0.3413193965*s
		blue := -0.0041960863*l - 0.7034186147*m + 1.7076147010*s
		const slack = 0.002 // half a step of 8 bits
		if least, most := min(red, green, blue), max(red, green, blue); chroma <= 0 || least >= -slack && most <= 1+slack {
			return color.RGBA{gamma(red), gamma(green), gamma(blue), 255}
		}
	}
}

func cube(x float64) float64 { return x * x * x }

// gamma is the transfer curve of sRGB (IEC 61966-2-1), to 8 bits.
func gamma(x float64) uint8 {
	x = min(max(x, 0), 1)
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * x))
}
