package column

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"voxpack/audio"
	"voxpack/compiler/column/array"
	"voxpack/compiler/kind"
	"voxpack/store"
)

func wholes(values ...int) *array.Array {
	a := &array.Array{DType: array.Int64, Shape: []int{len(values)}}
	for _, v := range values {
		a.Data = binary.LittleEndian.AppendUint64(a.Data, uint64(v))
	}
	return a
}

func floats(a *array.Array) (list []float64) {
	for i := 0; i < len(a.Data); i += 4 {
		list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(a.Data[i:]))))
	}
	return list
}

// TestAveragesAreFastSpeech2s: testdata/averages.json is of scipy and numpy, in float64; the tolerance is that of a float32.
func TestAveragesAreFastSpeech2s(t *testing.T) {
	b, err := os.ReadFile("testdata/averages.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Durations      []int
		F0, Energy     []float32
		PitchOfPhones  []float64 `json:"pitch_of_phones"`
		EnergyOfPhones []float64 `json:"energy_of_phones"`
	}
	if err := json.Unmarshal(b, &cases); err != nil || len(cases) < 6 {
		t.Fatal(len(cases), err)
	}
	for i, c := range cases {
		for name, one := range map[string]struct {
			frames []float32
			want   []float64
		}{"f0": {c.F0, c.PitchOfPhones}, "energy": {c.Energy, c.EnergyOfPhones}} {
			s := Sound{Feature: name, By: "durations"}
			got, err := s.Averages(one.frames, 1, wholes(c.Durations...))
			if err != nil {
				t.Fatal(err)
			}
			near := func(a, b float64) bool { return math.Abs(a-b) <= 2e-7*math.Abs(b) }
			if !slices.EqualFunc(floats(got), one.want, near) {
				t.Errorf("case %d: %s = %v, want %v", i, name, floats(got), one.want)
			}
		}
	}
}

func TestAveragesOfDurationsBesideTheClip(t *testing.T) {
	s := Sound{Feature: "energy", By: "durations"}
	for _, c := range []struct {
		name      string
		durations []int
		want      []float64
		kind      kind.Rejection
	}{
		{"two frames over are the end's", []int{2, 5}, []float64{1.5, 4}, ""},
		{"two frames short", []int{2, 1}, []float64{1.5, 3}, ""},
		{"a duration beyond the end", []int{5, 2}, []float64{3, 0}, ""},
		{"none at first", []int{0, 5}, []float64{0, 3}, ""},
		{"three over", []int{2, 6}, nil, kind.ValueLength},
		{"three short", []int{2}, nil, kind.ValueLength},
		{"below zero", []int{6, -1}, nil, kind.BadValue},
	} {
		got, err := s.Averages([]float32{1, 2, 3, 4, 5}, 1, wholes(c.durations...))
		if bad := (*Bad)(nil); c.kind != "" {
			if !errors.As(err, &bad) || bad.Kind != c.kind {
				t.Errorf("%s: %v, want %s", c.name, err, c.kind)
			}
		} else if err != nil || !slices.Equal(floats(got), c.want) {
			t.Errorf("%s: %v %v, want %v", c.name, got, err, c.want)
		}
	}
	silent := Sound{Feature: "f0", By: "durations"}
	if got, err := silent.Averages(make([]float32, 4), 1, wholes(1, 3)); err != nil || !slices.Equal(floats(got), []float64{0, 0}) {
		t.Errorf("without a voice: %v %v", got, err)
	}
}

// TestASoundColumnIsChecked: each mistake is told of the key that has it.
func TestASoundColumnIsChecked(t *testing.T) {
	high, nyquist := 12000.0, 11025.0
	mel := audio.MelConfig{SampleRate: 22050}.WithDefaults()
	frames := Config{Name: "d", From: "{id}.npy", DType: store.Int32, Length: Own, Steps: 9}
	for part, c := range map[string]Config{
		"":           {Name: "a", DType: store.Float16, Sound: &Sound{Feature: "mel", FMax: &nyquist, NMels: 128}},
		"feature":    {Name: "a", DType: store.Float32, Sound: &Sound{Feature: "pcm"}},
		"feature ":   {Name: "a", DType: store.Float32, Sound: &Sound{Feature: "mel", FMax: &high}},
		"feature  ":  {Name: "a", DType: store.Float32, Sound: &Sound{Feature: "f0", FMax: &nyquist}},
		"feature   ": {Name: "a", DType: store.Float32, From: "x.npz", Sound: &Sound{Feature: "f0"}},
		"dtype":      {Name: "a", DType: store.Int16, Sound: &Sound{Feature: "energy"}},
		"by":         {Name: "a", DType: store.Float32, Sound: &Sound{Feature: "energy", By: "e"}},
		"by ":        {Name: "a", DType: store.Float32, Sound: &Sound{Feature: "energy", By: "a"}},
		" ":          {Name: "a", DType: store.Float32, Sound: &Sound{Feature: "energy", By: "d"}},
	} {
		list := Resolve([]Config{c, frames}, mel)
		errs := append(list[0].Check(), CheckSounds(list)...)
		want := string(append([]byte(nil), part...))
		for len(want) > 0 && want[len(want)-1] == ' ' {
			want = want[:len(want)-1]
		}
		wrong := (*PartError)(nil)
		if want == "" && len(errs) > 0 || want != "" && (len(errs) != 1 || !errors.As(errs[0], &wrong) || wrong.Part != want) {
			t.Errorf("%+v: %v, want %q", c.Sound, errs, want)
		}
	}
	list := Resolve([]Config{{Name: "a", DType: store.Float32, Sound: &Sound{Feature: "energy", By: "d"}}, frames}, mel)
	if s := list[0].Setting(); s != "length d_len, feature energy, by d" {
		t.Errorf("setting %q", s)
	}
	if s := list[0].Schema(Limits{Tokens: 5, Frames: 7}); len(s) != 1 || s[0].String() != "a f32[9]" {
		t.Errorf("schema %v", s)
	}
}
