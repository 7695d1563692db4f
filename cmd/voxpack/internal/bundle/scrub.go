package bundle

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"voxpack/diagnosis"
	"voxpack/internal/config"
	"voxpack/internal/perf"
)

// scrubber leaves in JSON what is known.
type scrubber struct {
	names   map[string]bool // of members of objects
	words   map[string]bool // that texts may be made of
	plain   map[string]bool // whole texts
	removed int
}

func newScrubber(plain []string, types ...any) *scrubber {
	s := &scrubber{names: map[string]bool{}, words: map[string]bool{}, plain: map[string]bool{}}
	for _, t := range append(types, perf.RunRecord{}, configMember{}, variable{}, findingMember{}) {
		s.members(reflect.TypeOf(t), map[reflect.Type]bool{})
	}
	for _, k := range config.Keys() {
		s.names[k.Short()] = true
		for _, w := range k.Enum {
			s.words[w] = true
		}
	}
	for _, name := range slices.Concat(config.AuditedNames(), recordSettings) {
		s.names[name], s.words[name] = true, true
	}
	for _, r := range diagnosis.Rules() {
		s.words[r.ID] = true
		s.plain[r.Meaning], s.plain[r.Setting] = true, true
	}
	for _, stage := range diagnosis.Stages() {
		s.words[string(stage)] = true
	}
	for word := range strings.FieldsSeq(knownWords) {
		s.words[word] = true
	}
	for word := range s.words {
		s.names[word] = true // maps are keyed by steps and stages
	}
	for _, text := range plain {
		s.plain[text] = text != ""
	}
	return s
}

// members takes the names that a type has in JSON, and those of its parts.
func (s *scrubber) members(t reflect.Type, seen map[reflect.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		s.members(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
				s.names[name] = true
			}
			if f.IsExported() || f.Anonymous {
				s.members(f.Type, seen)
			}
		}
	}
}

// left stands for a text that is left out.
const left = "(left out)"

// value scrubs what stands under a name.
func (s *scrubber) value(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if _, text := v[key].(string); !s.names[key] || untold[key] || text && key == untoldText {
				s.removed++
				continue
			}
			out[key] = s.value(key, v[key])
		}
		return out
	case []any:
		out := []any{}
		for _, element := range v {
			if text, is := element.(string); is && !s.word(name, text) {
				s.removed++ // a list of places that are left out says nothing
				continue
			}
			out = append(out, s.value(name, element))
		}
		return out
	case string:
		if name == kernel && release(v) != v {
			v = release(v)
			s.removed++
		}
		if !s.word(name, v) {
			s.removed++
			return left
		}
		return v
	}
	return v
}

// kernel is the member with the kernel's release.
const kernel = "kernel"

// release is the beginning that its makers give: what follows may be of who built it.
func release(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		return text
	}
	return strings.TrimRight(text[:end], ".")
}

// forms are what texts under some names look like, which no table can list.
var forms = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"dataset":       regexp.MustCompile(`^[0-9a-f]{64}$`), // digests, and no folder
		"snapshot":      regexp.MustCompile(`^[0-9a-f]{64}$`),
		"root":          regexp.MustCompile(`^[0-9a-f]{64}$`),
		"epoch_digests": regexp.MustCompile(`^[0-9a-f]{64}$`),
		"started":       regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,24}Z$`),
		"version":       regexp.MustCompile(`^(voxpack )?(\(devel\)|v?[0-9]+(\.[0-9]+){1,3}(-0\.[0-9]{14}-[0-9a-f]{12}|-[0-9]{14}-[0-9a-f]{12})?(\+dirty)?)$`),
		"bus":           regexp.MustCompile(`^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`),
		"cpus":          regexp.MustCompile(`^[0-9,-]*$`),
		"buckets":       regexp.MustCompile(`^[0-9,]*$`),
		"value":         regexp.MustCompile(`^[+-]?[0-9]{1,12}(\.[0-9]{1,12})?(e[+-]?[0-9]{1,2})?$`),
		"name":          regexp.MustCompile(`^(host|GPU [0-9]+) to GPU [0-9]+$`), // a stage of a feed
		kernel:          regexp.MustCompile(`^[0-9]+(\.[0-9]+){1,3}$`),
	}
})

// word reports whether a text may be told under a name: it is empty, of this machine,
// of the name's form, or made of known words.
func (s *scrubber) word(name, text string) bool {
	if text == "" || s.plain[text] {
		return true
	}
	if form := forms()[name]; form != nil {
		if form.MatchString(text) {
			return true
		}
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		if !s.words[word] {
			return false
		}
	}
	return true
}
