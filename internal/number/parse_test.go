package number

import "testing"

func TestFromZero(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "2.5": 2.5, " 1e3 ": 1000, "0x10p0": 16} {
		if got, err := FromZero(text); err != nil || got != want {
			t.Errorf("FromZero(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-1", "-0.001", "NaN", "Inf", "-Inf", "1e999", "1,5", "12 ms", "1 2"} {
		if got, err := FromZero(text); err == nil || got != 0 {
			t.Errorf("FromZero(%q) = %v, want an error", text, got)
		}
	}
}
