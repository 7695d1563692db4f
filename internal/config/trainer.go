package config

import (
	"slices"
	"strings"

	"voxpack/internal/near"
)

// Trainer is a trainer's config, of whatever program, as an audit reads it: the
// settings that the table of audited keys knows, and keys that look wrong.
type Trainer struct {
	Program  string    // whose file it is by its keys; "" where they are of nobody in particular
	Settings []Setting // in the order of the file
	Strays   []Stray

	file string
	src  string
	root *node
	all  []Setting // settings of any name
}

// Setting is one key with a single value.
type Setting struct {
	Name      string // in the table of audited keys; "" where it has none
	Path      string // sections, and the key as written: "data.batch_size"
	Key       string
	Text      string // its value, as written and without quotes
	Line, Col int    // of the key

	trainer string // whose key it is
	value   *node
}

// Null reports whether a key has no value.
func (s Setting) Null() bool { return s.value == nil || s.value.kind == nullNode }

// Named reports whether a name stands in the place of the value, as in ${train.size}.
func (s Setting) Named() bool {
	return s.value != nil && strings.HasPrefix(s.value.text, "${")
}

// Stray is a key that nobody reads as it stands.
type Stray struct {
	Setting
	Meant   string // the key that is meant; "" where there is none here
	Program string // whose key it is; "": nobody's, it is misspelt
}

// maxSections is how deep sections are looked at. Trainers have up to six; a path
// has the names of all.
const maxSections = 16

// ReadTrainer reads YAML or JSON, bounded as Load is. Its problems are those that
// keep it from being read at all.
func ReadTrainer(path string, src []byte) (*Trainer, []Problem) {
	l := loader{file: path}
	text := strings.TrimPrefix(string(src), "\ufeff")
	// JSON allows tabs between its parts, YAML does not. Within its strings JSON
	// allows none either, so that all of them can go, and columns stay.
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		text = strings.ReplaceAll(text, "\t", " ")
	}
	root, ok := l.tree([]byte(text))
	if !ok {
		return nil, l.problems
	}
	t := &Trainer{file: path, src: text, root: root}
	t.walk(root, "", 0, map[*node]bool{})
	t.resolve()
	t.Program = t.program()
	for _, s := range t.all {
		// What is a key of another trainer is not read, and is a stray.
		if s.Name != "" && !s.Null() && !aside(s.Path) && (s.trainer == "" || t.Program != "") {
			t.Settings = append(t.Settings, s)
		}
	}
	t.Settings = onePrecision(t.Settings)
	t.strays()
	return t, nil
}

// Known are the values of keys that voxpack or the table of audited keys has, under the
// name there, and how many other keys the file has.
func (t *Trainer) Known() (known []Setting, others int) {
	keys := Keys()
	for _, s := range t.all {
		k, ours := findKey(keys, s.Key)
		switch {
		case s.value == nil || s.value.kind != plainNode && s.value.kind != quotedNode:
			others++ // a section, a list, nothing
			continue
		case s.Name != "":
		case ours:
			s.Name = k.Name
		default:
			others++
			continue
		}
		known = append(known, s)
	}
	return known, others
}

// onePrecision drops the keys of mixed precision that are off where another one is
// on: fp16 and bf16 are one setting here, and a file that chooses one has both.
func onePrecision(list []Setting) []Setting {
	const name = "mixed_precision"
	off := func(s Setting) bool { return slices.Contains(offWords, strings.ToLower(s.Text)) }
	on := func(key string) bool {
		return slices.ContainsFunc(list, func(s Setting) bool {
			return s.Name == name && s.Key != key && !off(s) && !strings.HasPrefix(s.Text, "${")
		})
	}
	var kept []Setting
	for _, s := range list {
		if s.Name != name || !off(s) || !on(s.Key) {
			kept = append(kept, s)
		}
	}
	return kept
}

// walk lists single values. A node that several aliases name is looked at once.
func (t *Trainer) walk(n *node, path string, depth int, seen map[*node]bool) {
	if n == nil || depth > maxSections || seen[n] {
		return
	}
	seen[n] = true
	for _, e := range n.entries {
		at := path + printable(clip(e.key))
		switch {
		case e.merge:
			t.walk(e.value, path, depth+1, seen)
		case e.value != nil && e.value.kind == mapNode:
			t.all = append(t.all, t.setting(e, at)) // a section may tell whose file it is
			t.walk(e.value, at+".", depth+1, seen)
		case e.value != nil:
			t.all = append(t.all, t.setting(e, at))
		}
	}
}

func (t *Trainer) setting(e entry, path string) Setting {
	s := Setting{Path: path, Key: printable(clip(e.key)), Line: e.line, Col: e.col, value: e.value}
	s.Name, s.trainer = trainerName(e.key)
	switch e.value.kind {
	case plainNode, quotedNode:
		s.Text = printable(clip(e.value.text))
	default:
		s.Name = "" // a list or a section is no value that an audit reads
	}
	return s
}

// resolve puts values in the place of names of them, as OmegaConf does. Of what it
// cannot resolve (the environment, a name of a name) the text stays.
func (t *Trainer) resolve() {
	values := map[string]string{}
	for _, s := range t.all {
		values[s.Path] = s.Text
	}
	for i, s := range t.all {
		name, names := strings.CutPrefix(s.Text, "${")
		name, ends := strings.CutSuffix(name, "}")
		if v := values[name]; names && ends && v != "" && !strings.HasPrefix(v, "${") {
			t.all[i].Text = v
		}
	}
}

// aside reports whether a key stands in a section for something else than training.
func aside(path string) bool {
	sections := strings.Split(path, ".")
	return slices.ContainsFunc(sections[:len(sections)-1], func(s string) bool {
		first, _, _ := strings.Cut(strings.ToLower(s), "_")
		return slices.Contains([]string{"val", "valid", "validation", "eval", "test", "dev", "infer", "inference"}, first)
	})
}

// program tells whose file it is: that of the trainer with the most keys of its
// own, unless more are keys that dual-GPU trainers with TensorFlow have.
func (t *Trainer) program() string {
	votes := map[string]int{}
	for _, s := range t.all {
		if s.trainer != "" || s.Name != "" && !slices.Contains(common, s.Name) {
			votes[s.trainer]++
		}
	}
	best := ""
	for _, trainer := range []string{coqui, espnet, hifigan, huggingFace, lightning, nemo, tacotron} {
		if votes[trainer] > votes[best] {
			best = trainer
		}
	}
	return best
}

// Bounds on the search for misspelt keys, far above what a trainer has.
const (
	maxUnknown = 2_000
	maxStrays  = 200
)

// strays lists keys of other trainers than the file's, and misspelt ones.
func (t *Trainer) strays() {
	known, meant, unknown := knownWords(), meantWords(t.Program), 0
	vocabulary := map[string]bool{}
	for _, key := range known {
		for word := range strings.SplitSeq(key, "_") {
			vocabulary[word] = true
		}
	}
	have := map[string]bool{}
	for _, s := range t.all {
		have[s.Key] = true
	}
	for _, s := range t.all {
		switch _, found := slices.BinarySearch(known, s.Key); {
		case len(t.Strays) == maxStrays:
			return
		case s.value.kind == mapNode:
		// Trainers of other programs borrow keys from each other.
		case s.trainer != "" && t.Program == "":
			t.Strays = append(t.Strays, Stray{Setting: s, Meant: s.Name, Program: s.trainer})
		case !found && unknown < maxUnknown:
			unknown++
			if word := misspelt(s.Key, meant, vocabulary); word != "" && !have[word] {
				t.Strays = append(t.Strays, Stray{Setting: s, Meant: word})
			}
		}
	}
}

// misspelt is the key that another is meant to be. Of several words one may be
// wrong, by a letter or two, and it must not be a word that other keys have: min_length
// is not win_length, and dataset not datasets.
func misspelt(key string, meant []string, vocabulary map[string]bool) string {
	plain := strings.ReplaceAll(strings.ToLower(key), "-", "_")
	words := strings.Split(plain, "_")
	for _, m := range meant {
		if plain == m {
			return m // but for capitals and signs
		}
		own := strings.Split(m, "_")
		if len(own) != len(words) || len(plain) < 6 {
			continue
		}
		wrong, off := "", 0
		for i := range own {
			if own[i] != words[i] {
				wrong, off = own[i]+" "+words[i], off+1
			}
		}
		if right, is, _ := strings.Cut(wrong, " "); off == 1 && !vocabulary[is] && slip(is, right) {
			return m
		}
	}
	return ""
}

// slip reports whether a word is another with a letter too much, too few, wrong or
// swapped; two in a long word. Three letters with a wrong one are another word.
func slip(is, right string) bool {
	most := 1
	if len(right) >= 6 {
		most = 2
	}
	if d := near.Distance(is, right, most); d > most || len(right) < 3 {
		return false
	}
	return len(right) > 3 || len(is) != 3
}
