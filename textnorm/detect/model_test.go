package detect

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// chance is weights by chance for every group, the extremes among them.
func chance() []Weights {
	random := rand.New(rand.NewPCG(3, 4))
	var all []Weights
	for g := range groups {
		w := Weights{Bias: make([]int32, len(groups[g].codes)), Scale: 0.25}
		for range Rows(g) {
			row := make([]int8, len(groups[g].codes))
			for k := range row {
				row[k] = int8(random.IntN(256) - 128)
			}
			w.Values = append(w.Values, row)
		}
		for k := range w.Bias {
			w.Bias[k] = int32(random.IntN(2000) - 1000)
		}
		all = append(all, w)
	}
	return all
}

// TestSums: four weights in a machine word add up to what each adds up to, for
// more features than a lane holds at once.
func TestSums(t *testing.T) {
	all := chance()
	file, err := Encode(all)
	if err != nil {
		t.Fatal(err)
	}
	models, err := decode(file)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for g, m := range models {
		if m.scale != 0.25 {
			t.Errorf("%v: scale %v, want 0.25", m.codes, m.scale)
		}
		extreme := make([]uint32, 0, 3000)
		for len(extreme) < 2000 {
			extreme = append(extreme, uint32(random.IntN(Rows(g))))
		}
		for len(extreme) < 3000 {
			extreme = append(extreme, extreme[0])
		}
		s := sums{m: m}
		s.add(extreme)
		s.flush()
		for class := range m.codes {
			want := int64(0)
			for _, row := range extreme {
				want += int64(all[g].Values[row][class])
			}
			if s.total[class] != want {
				t.Errorf("%v: class %d adds up to %d, want %d", m.codes, class, s.total[class], want)
			}
			if m.bias[class] != all[g].Bias[class] {
				t.Errorf("%v: class %d has bias %d, want %d", m.codes, class, m.bias[class], all[g].Bias[class])
			}
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	longer, err := Encode(append(chance(), Weights{Bias: []int32{1}}))
	if err != nil {
		t.Fatal(err)
	}
	for rule, file := range map[string][]byte{
		"nothing":             nil,
		"another file":        []byte("RIFF and so on"),
		"a cut file":          modelFile[:len(modelFile)/2],
		"more groups":         longer,
		"a head without body": []byte(modelMagic),
	} {
		if _, err := decode(file); err == nil || !strings.HasPrefix(err.Error(), "model of the language detector: ") {
			t.Errorf("%s: decode has the error %v", rule, err)
		}
	}
}

// TestEveryCodeHasAScript: a code of the list that no script leads to would
// never be found.
func TestEveryCodeHasAScript(t *testing.T) {
	for _, code := range codes {
		written := false
		for s := latin; s < otherScript; s++ {
			written = written || bitOf(code).writes(s)
		}
		if !written {
			t.Errorf("%s: no script", code)
		}
	}
	for _, c := range Classes() {
		if bitOf(c.Code) == 0 {
			t.Errorf("%s: in a group, not in the list", c.Code)
		}
	}
}

// TestSharedScriptsHaveAModel: where several languages are written in a script,
// something tells them apart.
func TestSharedScriptsHaveAModel(t *testing.T) {
	for s := latin; s < otherScript; s++ {
		grouped := slices.ContainsFunc(groups, func(g group) bool { return g.script == s })
		if these := writers[s].codes(); grouped != (len(these) > 1) {
			t.Errorf("script %d of %v: a model for it: %v", s, these, grouped)
		}
	}
}

// TestModelIsSmall: the program carries it.
func TestModelIsSmall(t *testing.T) {
	if len(modelFile) > 600<<10 {
		t.Errorf("the model has %d bytes", len(modelFile))
	}
}
