package topology

import "testing"

func TestParseAddress(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"sysfs", "0000:65:00.0", "0000:65:00.0"},
		{"CUDA in upper case", "0000:C1:00.0", "0000:c1:00.0"},
		{"NVML with eight digits", "00000000:65:00.0", "0000:65:00.0"},
		{"NVML with a domain over four", "00010000:E1:00.0", "10000:e1:00.0"},
		{"the last domain", "ffffffff:ff:1f.7", "ffffffff:ff:1f.7"},
		{"lspci without a domain", "65:00.1", "0000:65:00.1"},
		{"without a function", "0000:65:00", "0000:65:00.0"},
		{"short numbers", "0:1:2.3", "0000:01:02.3"},
	} {
		got, err := ParseAddress(c.in)
		if err != nil || got.String() != c.want {
			t.Errorf("%s: ParseAddress(%q) = %v, %v, want %v", c.name, c.in, got, err, c.want)
		}
	}
	for _, in := range []string{
		"", ":", "::", "65", "65:00", "0000:65:00.", "0000:65:00.8", "0000:65:20.0", "0000:100:00.0", "000000000:65:00.0",
		"0000:65:00.0.0", "0:0:0:0.0", "0000:65:00.0 ", "+000:65:00.0", "-1:65:00.0", "0x0:65:00.0", "0_0:65:00.0", "GPU-fake", ".0:.0",
	} {
		if got, err := ParseAddress(in); err == nil {
			t.Errorf("ParseAddress(%q) = %v, want an error", in, got)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, seed := range []string{"0000:65:00.0", "00000000:C1:1F.7", "65:00.1", "ffffffff:ff:1f", "65:00", "..:", "0000:65:00.00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		if err != nil {
			return
		}
		if a.Device > 31 || a.Function > 7 {
			t.Fatalf("ParseAddress(%q) = %+v", s, a)
		}
		if again, err := ParseAddress(a.String()); err != nil || again != a {
			t.Fatalf("ParseAddress(%q) = %v, which reads as %v, %v", s, a, again, err)
		}
	})
}
