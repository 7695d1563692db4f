package diagnose

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/internal/atomicfile"
	"voxpack/internal/config"
)

// fixedFacts are what --fix did.
type fixedFacts struct {
	File    string        `json:"file"` // "": nothing to write
	Changes []changeFacts `json:"changes"`
	Left    []string      `json:"left"` // what a program cannot change in this file
}

type changeFacts struct {
	Line  int    `json:"line"` // of the old file
	Old   string `json:"old"`
	New   string `json:"new"`
	Added bool   `json:"added"` // a new line after that one
}

// fixFile writes the corrected config beside the old one, and never over a file.
func fixFile(path string, file *config.Trainer, seen []diagnosis.Seen) (*fixedFacts, error) {
	facts := &fixedFacts{Changes: []changeFacts{}, Left: []string{}}
	var fixes []config.Fix
	for _, f := range fixesOf(seen) {
		if _, _, err := file.Fixed([]config.Fix{f}); err != nil {
			facts.Left = append(facts.Left, err.Error())
			continue
		}
		fixes = append(fixes, f)
	}
	if len(fixes) == 0 {
		return facts, nil
	}
	fresh, changed, err := file.Fixed(fixes)
	if err != nil {
		return facts, term.Usagef("--fix: %w", err)
	}
	for _, c := range changed {
		facts.Changes = append(facts.Changes, changeFacts(c))
	}
	ext := filepath.Ext(path)
	to := strings.TrimSuffix(path, ext) + ".fixed" + ext
	if locate.Exists(to) {
		return facts, term.Usagef("--fix: %s is there already, and was not touched; move it away", to)
	}
	if err := atomicfile.Write(to, fresh); err != nil {
		return facts, fmt.Errorf("write the corrected config: %w", err)
	}
	facts.File = to
	return facts, nil
}

// fixesOf lists the changes of all findings, each key once. A key that is spelt right
// again is not added as well.
func fixesOf(seen []diagnosis.Seen) []config.Fix {
	var list []config.Fix
	renamed := map[string]bool{}
	for _, s := range seen {
		for _, v := range s.Found {
			for _, f := range v.Fixes {
				if f.Rename {
					renamed[f.Name] = true
				}
				list = append(list, config.Fix(f))
			}
		}
	}
	taken := map[[2]string]bool{}
	return slices.DeleteFunc(list, func(f config.Fix) bool {
		key := [2]string{f.Path, f.Name}
		if f.Path != "" {
			key[1] = ""
		}
		again := taken[key] || f.Path == "" && renamed[f.Name]
		taken[key] = true
		return again
	})
}

// page is what --fix changes, as a diff without context.
func (f *fixedFacts) page(w io.Writer, from string) {
	fmt.Fprintln(w)
	if len(f.Changes) == 0 {
		fmt.Fprintln(w, "nothing that --fix can change")
	} else {
		fmt.Fprintf(w, "--- %s\n", from)
		if f.File != "" {
			fmt.Fprintf(w, "+++ %s\n", f.File)
		}
	}
	for _, c := range f.Changes {
		if c.Added {
			fmt.Fprintf(w, "@@ after line %d\n+%s\n", c.Line, c.New)
			continue
		}
		fmt.Fprintf(w, "@@ line %d\n-%s\n", c.Line, c.Old)
		for line := range strings.SplitSeq(c.New, "\n") {
			fmt.Fprintf(w, "+%s\n", line)
		}
	}
	for _, l := range f.Left {
		fmt.Fprintf(w, "left: %s\n", strings.ReplaceAll(l, "\n", `\n`))
	}
}
