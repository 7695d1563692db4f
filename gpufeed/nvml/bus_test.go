package nvml

import (
	"errors"
	"testing"
)

func TestParseBus(t *testing.T) {
	for _, c := range []struct{ name, in, sysfs, nvml string }{
		{"CUDA", "0000:C1:00.0", "0000:c1:00.0", "00000000:C1:00.0"},
		{"sysfs", "0000:c1:1f.7", "0000:c1:1f.7", "00000000:C1:1F.7"},
		{"NVML", "00010000:E1:00.0", "10000:e1:00.0", "00010000:E1:00.0"},
		{"lspci", "65:00.1", "0000:65:00.1", "00000000:65:00.1"},
		{"without a function", "0001:65:00", "0001:65:00.0", "00000001:65:00.0"},
	} {
		sysfs, nvml, err := parseBus(c.in)
		if err != nil || sysfs != c.sysfs || nvml != c.nvml {
			t.Errorf("%s: parseBus(%q) = %q, %q, %v, want %q, %q", c.name, c.in, sysfs, nvml, err, c.sysfs, c.nvml)
		}
	}
	for _, in := range []string{"", "65", "65:00", "0000:65:00.", "0000:65:00.8", "0000:65:20.0", "0000:100:00.0", "000000000:65:00.0", "0:0:0:0.0", "0000:65:00.0.0", "0000:65:00.0\x00"} {
		if sysfs, _, err := parseBus(in); err == nil {
			t.Errorf("parseBus(%q) = %q, want an error", in, sysfs)
		}
	}
}

func FuzzParseBus(f *testing.F) {
	for _, seed := range []string{"0000:65:00.0", "00000000:C1:1F.7", "65:00.1", "ffffffff:ff:1f", "65:00", "..:", "0000:65:00.00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sysfs, nvml, err := parseBus(s)
		if err != nil {
			return
		}
		if len(nvml) != len("00000000:65:00.0") {
			t.Fatalf("parseBus(%q) gives NVML %q", s, nvml)
		}
		for _, each := range []string{sysfs, nvml} {
			a, b, err := parseBus(each)
			if err != nil || a != sysfs || b != nvml {
				t.Fatalf("parseBus(%q) = %q, which reads as %q, %q, %v", s, each, a, b, err)
			}
		}
	})
}

// TestLoadHere: a machine without a driver, and a build without one, say ErrNone
// and nothing worse.
func TestLoadHere(t *testing.T) {
	n, err := Load("")
	if err == nil {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		return
	}
	t.Log(err)
	var refused *Error
	if !errors.Is(err, ErrNone) && !errors.As(err, &refused) {
		t.Errorf("Load = %v, want %v or what NVML says", err, ErrNone)
	}
}
