package topology

import "testing"

// FuzzLink: whatever sysfs gives, a link is one that there is, or unknown.
func FuzzLink(f *testing.F) {
	for _, seed := range [][2]string{{"16.0 GT/s PCIe", "16"}, {"8 GT/s", "255"}, {"Unknown speed", "63"}, {"NaN GT/s", "-1"}, {"1e400 GT/s", "9223372036854775808"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, speed, width string) {
		l := Link{Speed: parseSpeed(speed), Width: parseWidth(width), MaxWidth: 16}
		now, most := l.Rates()
		if l.Width < 0 || l.Width > 32 || l.Generation() < 0 || (l.Speed != 0) != (l.Generation() > 0) || now < 0 || most < 0 || now > 2*most && l.Width > 0 && most > 0 {
			t.Fatalf("%q, %q: %+v, %v of %v", speed, width, l, now, most)
		}
	})
}
