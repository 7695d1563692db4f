package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/internal/atomicfile"
	"voxpack/internal/config"
	"voxpack/internal/perf"
)

// Facts are what a bundle is made of. What is nil or empty was not seen.
type Facts struct {
	Version     string
	Machine     any // these four are marshalled as JSON, and scrubbed
	Topology    any
	Store       any
	Rest        any
	Config      *config.Trainer
	Environment []string // NAME=VALUE
	Build, Feed *perf.RunRecord
	Findings    []Finding
	Plain       []string // texts of this machine that may be told: of its processor, of its GPUs
}

// Finding is one of a diagnosis.
type Finding struct {
	State   string // "error", "warning"
	Earlier bool   // an earlier feed found it
	Line    int    // of the config; 0: none
	diagnosis.Verdict
}

// Member is a file of a bundle.
type Member struct {
	Name    string
	Content []byte
}

// Members are the files of a bundle, always in this order. Types are those whose
// members may be told, of Facts and of what run records hold as results.
func Members(f Facts, types ...any) ([]Member, error) {
	s := newScrubber(f.Plain, types...)
	members := []Member{{Name: "README.txt"}}
	for _, m := range []struct {
		name  string
		there bool
		value any
	}{
		{"machine.json", f.Machine != nil, f.Machine},
		{"topology.json", f.Topology != nil, f.Topology},
		{"environment.json", true, s.environment(f.Environment)},
		{"config.json", f.Config != nil, s.config(f.Config)},
		{"store.json", f.Store != nil, f.Store},
		{"diagnosis.json", f.Rest != nil, f.Rest},
		{"build.json", f.Build != nil, f.Build},
		{"feed.json", f.Feed != nil, f.Feed},
		{"findings.json", true, s.findings(f.Findings)},
	} {
		if !m.there {
			continue
		}
		content, err := s.json(m.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		members = append(members, Member{m.name, content})
	}
	members = append(members, Member{"findings.txt", s.findingsText(f.Findings)})
	members[0].Content = s.readme(f.Version)
	return members, nil
}

// json marshals a value and scrubs it.
func (s *scrubber) json(value any) ([]byte, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = term.PrintJSON(&b, s.value("", v))
	return b.Bytes(), err
}

const readmeText = `Made by voxpack diagnose --bundle, version %s.

machine.json      processor, memory, system
topology.json     GPUs and how they hang together
environment.json  a few variables whose effect is known
config.json       settings of the trainer's config that voxpack knows
store.json        what a check of the store found, as numbers
diagnosis.json    speed, load, and what could not be seen
build.json        record of the last build
feed.json         record of the last feed
findings.json     what was found, and by which rule
findings.txt      the same in words

A file is missing where there was nothing to see. Audio, texts, ids, paths and
names of users and machines are in none: only names, words and numbers that
voxpack knows pass. %s left out.
`

func (s *scrubber) readme(version string) []byte {
	if !s.word("version", version) {
		version = "of an unknown form"
	}
	out := "Nothing was"
	switch {
	case s.removed == 1:
		out = "1 value was"
	case s.removed > 1:
		out = term.Commas(s.removed) + " values were"
	}
	return fmt.Appendf(nil, readmeText, version, out)
}

// List says what a bundle would hold.
func List(w io.Writer, path string, members []Member) {
	total := 0
	for _, m := range members {
		total += len(m.Content)
	}
	fmt.Fprintf(w, "%s would hold %s, %s:\n", term.Quoted(path), term.Count(len(members), "file"), term.Size(int64(total)))
	for _, m := range members {
		fmt.Fprintf(w, "  %-17s %s\n", m.Name, term.Size(int64(len(m.Content))))
	}
}

// Write packs them. The file appears whole or not at all; it has no time stamps, so
// that equal members make equal files.
func Write(path string, members []Member) error {
	return atomicfile.Replace(path, func(f *os.File) error {
		z := zip.NewWriter(f)
		for _, m := range members {
			w, err := z.CreateHeader(&zip.FileHeader{Name: m.Name, Method: zip.Deflate})
			if err == nil {
				_, err = w.Write(m.Content)
			}
			if err != nil {
				return err
			}
		}
		return z.Close()
	})
}
