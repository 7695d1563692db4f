package picture

import "testing"

func TestNiceStepIsTheSmallestThatFits(t *testing.T) {
	for _, span := range []float64{0.07, 1.9, 12.2, 80, 163, 800, 12_000} {
		for most := 1; most < 20; most++ {
			step := niceStep(span, most)
			if span/step > float64(most) {
				t.Errorf("niceStep(%v, %d) = %v: %v steps", span, most, step, span/step)
			}
			if smaller := step / 2.5; span/smaller <= float64(most) {
				t.Errorf("niceStep(%v, %d) = %v, but %v fits", span, most, step, smaller)
			}
		}
	}
}

func TestLabelsHaveTheDecimalsOfTheirStep(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"a tick without needless decimals", label(1500, 500), "1500"},
		{"a tick with those of its step", label(0.30000000000000004, 0.1), "0.3"},
		{"no negative zero", label(-1e-17, 0.5), "0.0"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
