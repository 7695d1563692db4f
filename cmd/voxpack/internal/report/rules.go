package report

import (
	"slices"

	"voxpack/compiler"
	"voxpack/compiler/frontend"
	"voxpack/store"
)

// reader tells which rules made the spoken text of rows. A nil one knows none.
type reader struct {
	end   *frontend.FrontEnd
	names []string // of the rules that were met, in the order in which they were
}

// newReader reads texts as the dataset's build did. Where this program would read
// them otherwise it says nothing, and that is no error of the report.
func newReader(d *store.Dataset) *reader {
	c, differ, err := compiler.FrontEndOf(d)
	if err != nil || len(differ) > 0 {
		return nil
	}
	end, err := frontend.New(c)
	if err != nil {
		return nil
	}
	return &reader{end: end}
}

// rules are the places among the names of those that a row's text was read by. A text
// that comes out otherwise than it is stored has none, for they would be of another.
func (f *reader) rules(r *row) []int {
	fired := []int{}
	if f == nil || r.spoken == r.text {
		return fired
	}
	text, _ := f.end.Replace(r.text, r.language)
	if spoken, _ := f.end.Normalize(text, r.language); spoken != r.spoken {
		return fired
	}
	rules, _ := f.end.Rules(text, r.language)
	for _, rule := range rules {
		name := rule.Name
		at := slices.Index(f.names, name)
		if at < 0 {
			at = len(f.names)
			f.names = append(f.names, name)
		}
		if !slices.Contains(fired, at) {
			fired = append(fired, at)
		}
	}
	return fired
}
