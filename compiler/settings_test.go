package compiler

import (
	"reflect"
	"slices"
	"testing"

	"voxpack/audio"
	"voxpack/store"
)

// TestAMelIsReadBackFromItsRoot: each field of a mel's configuration stands in a
// root and comes back, but those that MelOf leaves out with a reason.
func TestAMelIsReadBackFromItsRoot(t *testing.T) {
	c := Config{SampleRate: 24000, Mel: audio.MelConfig{Variant: "xtts-dvae", NFFT: 2048, HopLength: 300, WinLength: 1200, NMels: 70,
		FMin: 50.5, FMax: 7600, Precision: "f64", PadMode: "edge", Norms: slices.Repeat([]float32{2}, 70)}}.withDefaults()
	root := &store.Root{Config: c.settings()}
	got, err := MelOf(root)
	if err != nil {
		t.Fatal(err)
	}
	leftOut := []string{"Precision", "PadMode", "Norms"}
	want, back := reflect.ValueOf(c.Mel), reflect.ValueOf(got)
	for i := range want.NumField() {
		name := want.Type().Field(i).Name
		if want.Field(i).IsZero() {
			t.Errorf("the test has no value for %s", name)
		}
		if !slices.Contains(leftOut, name) && !reflect.DeepEqual(want.Field(i).Interface(), back.Field(i).Interface()) {
			t.Errorf("%s comes back as %v, want %v", name, back.Field(i), want.Field(i))
		}
	}
	for i, n := range root.Config {
		if n.Name == "n_mels" {
			root.Config[i].Value = "many"
		}
	}
	if _, err := MelOf(root); err == nil {
		t.Error("n_mels many: no error")
	}
}
