package diagnosis

import (
	"fmt"
	"strconv"
	"strings"
)

// Config is a trainer's config, with what its settings are held against.
type Config struct {
	Ours     bool   // it is a dataset's own config: what it leaves out has voxpack's defaults
	Program  string // whose file it is; "": of no trainer that is known by name
	Settings []Setting
	Strays   []Stray
	Faults   []Fault
	Text     *Lengths          // tokens of the dataset's rows; nil: there is no dataset
	Mel      *Lengths          // frames, likewise
	Made     map[string]string // settings that the dataset was made with, by name
	Cores    int
	GPUs     map[int]uint64 // bytes of memory by number; nil: no driver says, 0: it does not say of this one
}

// Setting is a value of the config, by the name that the rules have for it.
type Setting struct {
	Name  string // "batch_size"
	Path  string // as the file has it: "train.batch_size"
	Value string
	At    Position
}

// Position is a place in a file, from 1; 0 is the file as a whole.
type Position struct {
	Line int `json:"line"`
	Col  int `json:"column"`
}

// Stray is a key that nobody reads as it stands.
type Stray struct {
	Path    string
	Key     string
	Meant   string // the key that is meant; "": there is none
	Program string // whose key it is; "": it is misspelt
	At      Position
}

// Fault is a value that cannot be, or that another contradicts.
type Fault struct {
	Path string
	Text string // what is wrong
	Cure string
	At   Position
}

// Lengths are how long a dataset's rows are, those that are too long for its shape too.
type Lengths struct {
	Rows        int
	Median, P99 int
	Longest     int
	Over        int    // rows that are longer than the config's maximum; 0 without one
	Unit        string // "tokens", "frames"
}

// Fix is what changes a config so that a finding goes away.
type Fix struct {
	Path   string // of the setting as it stands; "": Name is added
	Name   string
	Value  string
	Rename bool // Path becomes Name
}

// key is a setting as the file calls it.
func (s Setting) key() string { return s.Path[strings.LastIndexByte(s.Path, '.')+1:] }

// unset says why a setting has no value that a rule can read.
func (c *Config) unset(name string) Seen {
	if s, given := c.get(name); given {
		return unknown(fmt.Sprintf("%s is %s, which only the trainer can resolve", s.Path, s.Value))
	}
	return unknown(name + " is not set: the trainer's default counts")
}

// get is the first setting of a name.
func (c *Config) get(name string) (Setting, bool) {
	for _, s := range c.Settings {
		if s.Name == name {
			return s, true
		}
	}
	return Setting{}, false
}

// number is a setting that is a whole number.
func (c *Config) number(name string) (int, Setting, bool) {
	s, given := c.get(name)
	if !given {
		return 0, s, false
	}
	v, whole := s.Whole()
	return v, s, whole
}

// Whole is the value as a whole number, which "800.0" and "8e2" are as well.
func (s Setting) Whole() (int, bool) {
	v, err := strconv.ParseFloat(s.Value, 64)
	if err != nil || v != float64(int32(v)) {
		return 0, false // not a number, or none that any of these settings has
	}
	return int(v), true
}

// open reports whether only the trainer can tell the value.
func (s Setting) open() bool { return strings.HasPrefix(s.Value, "${") }

// equals compares as a trainer does: True is true, and 80 is 80.0.
func (s Setting) equals(t Setting) bool {
	a, one := s.Whole()
	b, two := t.Whole()
	if one && two {
		return a == b
	}
	on, one := s.switched()
	off, two := t.switched()
	if one && two {
		return on == off
	}
	return strings.EqualFold(s.Value, t.Value)
}

// section is the path without the key.
func (s Setting) section() string { return strings.TrimSuffix(s.Path, s.key()) }

// switched is a setting that is on or off. Words of precision are on.
func (c *Config) switched(name string) (on bool, s Setting, given bool) {
	s, _ = c.get(name)
	on, given = s.switched()
	return on, s, given
}

// vague reports whether a setting is there with a value that nobody here can read as
// on or off: a name, or a word of the trainer's.
func (c *Config) vague(name string) bool {
	s, given := c.get(name)
	_, known := s.switched()
	return given && !known
}

func (s Setting) switched() (on, known bool) {
	switch strings.ToLower(s.Value) {
	case "true", "yes", "on", "1", "fp16", "bf16", "float16", "bfloat16", "mixed_float16", "mixed_bfloat16", "16", "16-mixed", "bf16-mixed":
		return true, true
	case "false", "no", "off", "0", "fp32", "float32", "32", "none":
		return false, true
	}
	return false, false
}

// Has reports whether a setting has a value, which is an int or a bool, and whether
// the config gives it at all.
func (c *Config) Has(name string, value any) (s Setting, same, given bool) {
	s, given = c.get(name)
	switch value := value.(type) {
	case int:
		v, _, ok := c.number(name)
		same = ok && v == value
	case bool:
		v, _, ok := c.switched(name)
		same = ok && v == value
	}
	return s, same, given
}

// tensorFlow reports whether a file is one of a trainer with TensorFlow, whose graph
// is traced anew for each shape, by keys that only those have.
func (c *Config) tensorFlow() bool {
	for _, name := range []string{"use_tf_native_loading", "enable_xla", "prefetch_to_gpu", "pad_to_fixed_length", "prefetch_buffer_size"} {
		if _, given := c.get(name); given {
			return c.Program == ""
		}
	}
	return false
}

// graphs reports whether it is sure that graphs are traced: by keys that only
// trainers with TensorFlow have.
func (c *Config) graphs() bool {
	for _, name := range []string{"enable_xla", "use_tf_native_loading", "prefetch_to_gpu"} {
		if _, given := c.get(name); given {
			return true
		}
	}
	return false
}

// dual reports whether two GPUs are named.
func (c *Config) dual() bool {
	data, _, one := c.number("data_gpu")
	model, _, two := c.number("model_gpu")
	return one && two && data >= 0 && model >= 0 && data != model
}

// Async reports whether batches are prepared beside the training, as far as the
// config says: nothing turns it off, and there is room for one more.
func (c *Config) Async() bool {
	if on, _, given := c.switched("enable_async_pipeline"); given && !on {
		return false
	}
	// Of a dataset's own config 0 is a number that the feed chooses; elsewhere one
	// below 0 is AUTOTUNE, which the framework chooses.
	ahead, _, given := c.number("prefetch_buffer_size")
	room, _, held := c.number("pipeline_buffer_size")
	return c.Ours || (!given || ahead != 0) && (!held || room < 0 || room > 1)
}

// Mode is how stages follow each other with this config.
func (c *Config) Mode() Mode {
	switch async := c.Async(); {
	case c.dual() && async:
		return DualAsync
	case c.dual():
		return DualSync
	case async:
		return SingleAhead
	}
	return Single
}

// audit is what a rule says of a config: what it found, else what it looked at.
type audit func(*Config) Seen

// Seen is what one rule says of a config.
type Seen struct {
	Rule    string
	Subject string // a word or two
	Found   []Verdict
	Text    string // what is well, or why nothing can be said; "": the rule is not about this config
	Unknown bool   // Text is why nothing can be said
}

// found is what a rule says that fired.
func found(v ...Verdict) Seen { return Seen{Found: v} }

// well is what a rule says that looked and found nothing.
func well(text string) Seen { return Seen{Text: text} }

// unknown is what a rule says that could not look.
func unknown(why string) Seen { return Seen{Text: why, Unknown: true} }

// Audit holds a config against the rules that are about one, in the order of the table.
func Audit(c *Config) []Seen {
	var list []Seen
	for _, r := range rules {
		if r.audit == nil {
			continue
		}
		s := r.audit(c)
		if s.Text == "" && len(s.Found) == 0 {
			continue
		}
		s.Rule, s.Subject = r.ID, r.subject
		for i := range s.Found {
			s.Found[i].Rule = r.ID
			if s.Found[i].Basis == Suspected { // no reason to change a file
				s.Found[i].Fixes = nil
			}
		}
		list = append(list, s)
	}
	return list
}

// Grave reports whether a finding has to be mended before a training: what wastes a
// little, makes only a build longer, or is known by experience only, has not.
func (v Verdict) Grave() bool { return v.Kind != Wastes && v.Basis != Suspected && v.Of != OfBuild }
