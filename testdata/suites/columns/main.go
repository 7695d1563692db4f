// Columns reads the files that stand on its standard input, a line of JSON each, the way that a build does, and writes a line of
// JSON for each: arrays, tiers of alignments, or durations.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"voxpack/compiler/column/align"
	"voxpack/compiler/column/array"
)

// A question names one file.
type question struct {
	File  string
	Tier  string // whose durations are asked for; "" for all tiers as they are
	Frame align.Frames
}

// An answer says what is there, or why it cannot be read.
type answer struct {
	Error  string       `json:"error"`
	Arrays []values     `json:"arrays"`
	Tiers  []align.Tier `json:"tiers"`
	Phones []string     `json:"phones"`
	Frames []int        `json:"frames"`
}

type values struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	Hex   string `json:"hex"`
	Error string `json:"error"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "columns:", err)
		os.Exit(1)
	}
}

func run() error {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		a, err := read(q)
		if err != nil {
			a = answer{Error: err.Error()}
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

func read(q question) (a answer, err error) {
	b, err := os.ReadFile(q.File)
	if err != nil {
		return a, err
	}
	var found *align.Alignment
	switch strings.ToLower(filepath.Ext(q.File)) {
	case ".textgrid":
		found, err = align.ReadTextGrid(b)
	case ".json":
		found, err = align.ReadJSON(b)
	case ".scp":
		return places(q.File, b)
	default:
		return arrays(q.File, b)
	}
	if err != nil {
		return a, err
	}
	if q.Tier == "" {
		a.Tiers = found.Tiers
		return a, nil
	}
	tier, err := found.Tier(q.Tier)
	if err != nil {
		return a, err
	}
	d, err := tier.Durations(q.Frame, found.End)
	a.Phones, a.Frames = d.Phones, d.Frames
	return a, err
}

func arrays(name string, b []byte) (a answer, err error) {
	f, err := array.New(name, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return a, err
	}
	for _, name := range f.Names() {
		v, err := f.Read(name)
		a.add(name, v, err)
	}
	return a, nil
}

func places(file string, b []byte) (a answer, err error) {
	list, err := array.Places(bytes.NewReader(b))
	if err != nil {
		return a, err
	}
	for _, p := range list {
		ark, err := os.ReadFile(filepath.Join(filepath.Dir(file), p.File))
		if err != nil {
			return a, err
		}
		v, err := p.Read(bytes.NewReader(ark), int64(len(ark)))
		a.add(p.Name, v, err)
	}
	return a, nil
}

func (a *answer) add(name string, v *array.Array, err error) {
	if err != nil {
		a.Arrays = append(a.Arrays, values{Name: name, Error: err.Error()})
		return
	}
	a.Arrays = append(a.Arrays, values{Name: name, DType: v.DType.String(), Shape: v.Shape, Hex: hex.EncodeToString(v.Data)})
}
