package column

import (
	"slices"
	"strings"
	"testing"

	"voxpack/store"
)

// TestWhatIsWrongWithAColumnIsSaidByItsPart, all of it at once.
func TestWhatIsWrongWithAColumnIsSaidByItsPart(t *testing.T) {
	good := Config{Name: "durations", From: "durations/{id}.npy", DType: store.Int32, Length: Tokens}
	for _, tt := range []struct {
		name string
		edit func(c *Config)
		want []string // parts
	}{
		{"as it is", func(*Config) {}, nil},
		{"a folder by speaker", func(c *Config) { c.From = "d/{speaker}-duration-{name}.NPY" }, nil},
		{"one file for all", func(c *Config) { c.From = "all.npz" }, nil},
		{"a field of a file a row", func(c *Config) { c.From, c.Field = "{id}.npz", "durations" }, nil},
		{"a name of voxpack", func(c *Config) { c.Name = "mel" }, []string{""}},
		{"a name with a dash", func(c *Config) { c.Name = "a-b" }, []string{""}},
		{"no name", func(c *Config) { c.Name = "" }, []string{""}},
		{"no source", func(c *Config) { c.From = "" }, []string{"from"}},
		{"up", func(c *Config) { c.From = "../{id}.npy" }, []string{"from"}},
		{"up in the middle", func(c *Config) { c.From = "a/../{id}.npy" }, []string{"from"}},
		{"absolute", func(c *Config) { c.From = "/a/{id}.npy" }, []string{"from"}},
		{"another placeholder", func(c *Config) { c.From = "{ID}.npy" }, []string{"from"}},
		{"an open brace", func(c *Config) { c.From = "{id.npy" }, []string{"from"}},
		{"another kind of file", func(c *Config) { c.From = "{id}.mat" }, []string{"from"}},
		{"one npy for all", func(c *Config) { c.From = "all.npy" }, []string{"from"}},
		{"an npz a row without a field", func(c *Config) { c.From = "{id}.npz" }, []string{"field"}},
		{"a field of an npy", func(c *Config) { c.Field = "a" }, []string{"field"}},
		{"no type", func(c *Config) { c.DType = 0 }, []string{"dtype"}},
		{"a max of tokens", func(c *Config) { c.Steps = 5 }, []string{"max"}},
		{"own without max", func(c *Config) { c.Length = Own }, []string{"max"}},
		{"another length", func(c *Config) { c.Length = "words" }, []string{"length"}},
		{"no steps", func(c *Config) { c.Length = Fixed }, []string{"length"}},
		{"an axis of 0", func(c *Config) { c.Shape = []int{0} }, []string{"shape"}},
		{"a pad that i32 does not have", func(c *Config) { c.Pad = 0.5 }, []string{"pad"}},
		{"an alignment", func(c *Config) { c.From, c.Tier, c.Unit = "{id}.TextGrid", "words", UnitFrames }, nil},
		{"an alignment for all", func(c *Config) { c.From, c.Length, c.Steps = "all.ctm", Own, 9 }, nil},
		{"symbols", func(c *Config) { c.From, c.Unit, c.Symbols = "{id}.TextGrid", UnitSymbols, []string{"", "a"} }, nil},
		{"no symbols", func(c *Config) { c.From, c.Unit = "{id}.json", UnitSymbols }, []string{"symbols"}},
		{"symbols for frames", func(c *Config) { c.From, c.Symbols = "{id}.json", []string{"a"} }, []string{"symbols"}},
		{"a symbol twice", func(c *Config) { c.From, c.Unit, c.Symbols = "{id}.json", UnitSymbols, []string{"a", "b", "a"} }, []string{"symbols"}},
		{"another unit", func(c *Config) { c.From, c.Unit = "{id}.ctm", "seconds" }, []string{"unit"}},
		{"an alignment of frames", func(c *Config) { c.From, c.Length = "{id}.ctm", Frames }, []string{"length"}},
		{"a list of Kaldi", func(c *Config) { c.From = "a/b.scp" }, nil},
		{"a list of Kaldi a row", func(c *Config) { c.From = "{id}.scp" }, []string{"from"}},
		{"one TextGrid for all", func(c *Config) { c.From = "all.TextGrid" }, []string{"from"}},
		{"a tier of an npy", func(c *Config) { c.Tier, c.Unit, c.Symbols, c.Silence = "phones", UnitFrames, []string{"a"}, "sp" }, []string{"tier", "unit", "symbols", "silence"}},
		{"a silence of frames", func(c *Config) { c.From, c.Silence = "{id}.TextGrid", "sp" }, []string{"silence"}},
		{"several at once", func(c *Config) { c.From, c.DType, c.Shape = "", 0, []int{-1} }, []string{"from", "dtype", "shape"}},
	} {
		c := good
		tt.edit(&c)
		var parts []string
		for _, err := range c.Check() {
			parts = append(parts, err.(*PartError).Part)
		}
		if !slices.Equal(parts, tt.want) {
			t.Errorf("%s: wrong are %q, want %q: %v", tt.name, parts, tt.want, c.Check())
		}
	}
}

// TestARowsFileStaysBelowItsCorpus, whatever a speaker is called.
func TestARowsFileStaysBelowItsCorpus(t *testing.T) {
	c := Config{From: "d/{speaker}/{id}-{name}.npy"}
	for _, tt := range []struct{ id, speaker, want string }{
		{"a/b", "ada", "d/ada/a/b-b.npy"},
		{"b", "..", ""}, {"b", "../..", ""}, {"b", "", ""}, {"b", "a\x00", ""}, {"{name}", "x", "d/x/{name}-{name}.npy"},
	} {
		got, err := c.path(Row{ID: tt.id, Speaker: tt.speaker})
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%+v: %q, %v; want %q", tt, got, err, tt.want)
		}
	}
}

// TestAKeyHoldsWhatSamplesAreMadeOf: two columns whose samples of one value differ read
// something else; the rest pads again or lies elsewhere, and reads the same.
func TestAKeyHoldsWhatSamplesAreMadeOf(t *testing.T) {
	base := Config{Name: "a", From: "a/{id}.npy", DType: store.Float32, Length: Own, Steps: 9, Shape: []int{2}}
	for _, tt := range []struct {
		name string
		edit func(c *Config)
		same bool
	}{
		{"path", func(c *Config) { c.From = "b/{name}.npy" }, true}, {"name", func(c *Config) { c.Name = "b" }, true}, {"max", func(c *Config) { c.Steps = 10 }, true},
		{"type", func(c *Config) { c.DType = store.Float16 }, false}, {"pad", func(c *Config) { c.Pad = 1 }, false}, {"axes", func(c *Config) { c.Shape = []int{3} }, false},
		{"length", func(c *Config) { c.Length, c.Steps = Tokens, 0 }, false}, {"field", func(c *Config) { c.From, c.Field = "{id}.npz", "x" }, false},
	} {
		c := base
		tt.edit(&c)
		if same := c.Reads() == base.Reads(); same != tt.same {
			t.Errorf("%s: %q and %q", tt.name, c.Reads(), base.Reads())
		}
		if strings.Contains(c.Setting(), c.From) {
			t.Errorf("the root would hold a path: %q", c.Setting())
		}
	}
}
