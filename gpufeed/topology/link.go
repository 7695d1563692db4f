package topology

import (
	"strconv"
	"strings"
)

// Link is the PCIe link from a device to its first bridge. A field that sysfs does not give is 0.
type Link struct {
	Speed           float64 // GT/s of a lane at most; an idle GPU drops to 2.5
	Now             float64 // GT/s at this moment; 0: not looked at, because an idle link says nothing
	Width, MaxWidth int     // lanes
}

func readLink(dir folder) Link {
	return Link{
		Speed:    parseSpeed(dir.text("max_link_speed")),
		Width:    parseWidth(dir.text("current_link_width")),
		MaxWidth: parseWidth(dir.text("max_link_width")),
	}
}

// LinkOf is the link of a device at this moment, with Now.
func LinkOf(sys string, a Address) Link {
	dir := folder{root(sys)}.device(a)
	l := readLink(dir)
	l.Now = parseSpeed(dir.text("current_link_speed"))
	return l
}

// parseSpeed reads "16.0 GT/s PCIe" or, of older kernels, "8 GT/s". All else,
// "Unknown speed" among it, is unknown.
func parseSpeed(s string) float64 {
	number, unit, _ := strings.Cut(s, " ")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !strings.HasPrefix(unit, "GT/s") || generation(v) == 0 {
		return 0
	}
	return v
}

// parseWidth reads lanes. 255 and 63 are what registers without an answer give.
func parseWidth(s string) int {
	v, err := strconv.Atoi(s)
	if err != nil || v < 1 || v > 32 {
		return 0
	}
	return v
}

// generation of PCIe by its speed, 0 if there is none with it.
func generation(speed float64) int {
	for i, known := range [...]float64{2.5, 5, 8, 16, 32, 64} {
		if speed == known {
			return i + 1
		}
	}
	return 0
}

// Generation is that of PCIe that the device's lanes have at most; 0 is unknown.
func (l Link) Generation() int { return generation(l.Speed) }

// NowGeneration is that of PCIe at which the link ran when Now was read; 0 is unknown.
func (l Link) NowGeneration() int { return generation(l.Now) }

// Rates are what copies reach at best in GB/s (10^9 bytes), with the lanes that
// are in use, at the speed of Now if it is known, and with all that the device has;
// 0 is unknown.
func (l Link) Rates() (now, most float64) {
	speed := l.Speed
	if l.Now > 0 {
		speed = min(l.Now, l.Speed)
	}
	return copyShare * rate(speed, l.Width), copyShare * rate(l.Speed, l.MaxWidth)
}

// copyShare is what copies reach of a link's bytes at best: nvbandwidth's
// published example shows 55.63 GB/s on PCIe 5 x16, which carries 63.0.
// Reports for PCIe 4 x16 are near 25 of 31.5.
const copyShare = 0.88

// rate is what a link carries in GB/s after its encoding: 8 of 10 bits up to
// generation 2, 128 of 130 up to 5, 236 of 256 bytes of a flit in 6.
func rate(speed float64, width int) float64 {
	lane := speed / 8
	switch {
	case speed <= 5:
		lane *= 8. / 10
	case speed <= 32:
		lane *= 128. / 130
	default:
		lane *= 236. / 256
	}
	return lane * float64(width)
}
