package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/textnorm"
)

// maxLine bounds what one line of stdin may take in memory.
const maxLine = 16 << 20

// lineFilter reads lines and writes one for each.
type lineFilter struct {
	in       io.Reader
	out      io.Writer
	problems io.Writer // for people
	line     func(string) textResult
	language string
	explain  bool
	json     bool

	number   int // of the line, from 1
	findings int
}

// textLine is the JSON of one line. spans are found by detect; rules are filled
// by languages that have rules of their own.
type textLine struct {
	Input    string          `json:"input"`
	Output   string          `json:"output"`
	Language string          `json:"language"`
	Spans    []textSpan      `json:"spans"`
	IDs      []int32         `json:"ids"`
	Phonemes string          `json:"phonemes,omitempty"` // that the ids are made of
	Rules    []string        `json:"rules"`
	Notes    []textnorm.Note `json:"notes"`
	Forms    []textForm      `json:"forms,omitempty"`      // what the rules read, with --explain
	Sure     *float64        `json:"confidence,omitempty"` // of detect: from 0 to 1, as in its output
}

// textForm is a form that a rule read, in JSON.
type textForm struct {
	Rule     string        `json:"rule"`
	At       int           `json:"at"`
	Form     string        `json:"form"`
	Words    string        `json:"words"`
	Class    string        `json:"class,omitempty"`
	Evidence string        `json:"evidence,omitempty"`
	Readings []textReading `json:"readings,omitempty"` // where the class was left open
	Table    string        `json:"table,omitempty"`
}

// textReading is one way to say a form, in JSON.
type textReading struct {
	Class string `json:"class"`
	Words string `json:"words"`
}

func textForms(rules []textnorm.Rule) (list []textForm) {
	for _, r := range rules {
		list = append(list, textForm{r.Name, r.At, r.Form, r.Words, r.Class, r.Evidence, textReadings(r.Open), r.Table})
	}
	return list
}

func textReadings(open []textnorm.Reading) (list []textReading) {
	for _, o := range open {
		list = append(list, textReading(o))
	}
	return list
}

// run reads until the end of the input. Output is flushed whenever no more
// input is at hand, so that a program can talk to us through two pipes.
func (f *lineFilter) run(ctx context.Context) error {
	in, out := bufio.NewReaderSize(f.in, 64<<10), bufio.NewWriterSize(f.out, 64<<10)
	for ctx.Err() == nil {
		raw, err := f.read(in)
		if errors.Is(err, io.EOF) && raw == nil {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			out.Flush()
			return err
		}
		f.number++
		if err := f.write(out, raw); err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return fmt.Errorf("write the result: %w", err)
			}
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	if f.findings > 0 {
		return term.Findings("")
	}
	return ctx.Err()
}

// read returns a line without its end, LF or CR LF; nil and io.EOF behind the last.
func (f *lineFilter) read(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, fmt.Errorf("line %d is over %s long", f.number+1, term.Size(maxLine))
		}
		if len(part) > 0 {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return line, err
		}
		line = line[:len(line)-1]
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		return line, nil
	}
}

func (f *lineFilter) write(out *bufio.Writer, raw []byte) error {
	input := string(raw)
	var r textResult
	if at := textnorm.CheckUTF8(raw); at >= 0 {
		f.findings++
		fmt.Fprintf(f.problems, "line %d: invalid UTF-8 at byte %d (0x%02X); the line was left empty\n", f.number, at, raw[at])
		input = strings.ToValidUTF8(input, "\ufffd")
		r.notes = []textnorm.Note{{Kind: textnorm.NoteInvalid, At: at, Detail: fmt.Sprintf("0x%02X", raw[at])}}
	} else {
		r = f.line(input)
	}
	if r.err != nil {
		f.findings++
		fmt.Fprintf(f.problems, "line %d: %v\n", f.number, r.err)
	}
	if f.explain {
		f.explainLine(input, r)
	}
	if !f.json {
		_, err := fmt.Fprintln(out, r.output)
		return err
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	var forms []textForm
	if f.explain {
		forms = textForms(r.rules)
	}
	return e.Encode(textLine{Forms: forms, Input: input, Output: r.output, Sure: r.sure, Language: cmp.Or(r.language, f.language), Spans: append([]textSpan{}, r.spans...), Rules: ruleNames(r.rules),
		Phonemes: r.phonemes, IDs: append([]int32{}, r.ids...), Notes: append([]textnorm.Note{}, r.notes...)})
}

// ruleNames lists the rules that fired, in order.
func ruleNames(rules []textnorm.Rule) []string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.Name
	}
	return names
}

// because is what told a rule that a form is what it is, and the row of a table that its
// words are from.
func because(r textnorm.Rule) string {
	var parts []string
	if len(r.Open) == 2 {
		parts = append(parts, fmt.Sprintf("left open: %s or %s", r.Open[0].Class, r.Open[1].Class))
	} else if r.Class != "" {
		parts = append(parts, strings.TrimSuffix(r.Class+": "+r.Evidence, ": "))
	}
	if r.Table != "" {
		parts = append(parts, r.Table)
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// explainLine says what was done to a line: nothing is said of one that was
// left as it is.
func (f *lineFilter) explainLine(input string, r textResult) {
	if r.ids != nil {
		fmt.Fprintf(f.problems, "line %d: %s\n", f.number, term.Count(len(r.ids), "id"))
	} else if r.output != input {
		fmt.Fprintf(f.problems, "line %d: %q became %q\n", f.number, input, r.output)
	}
	if r.phonemes != "" {
		fmt.Fprintf(f.problems, "line %d: phonemes %q\n", f.number, r.phonemes)
	}
	for _, rule := range r.rules {
		fmt.Fprintf(f.problems, "line %d: %s: %q is %q%s\n", f.number, rule.Name, rule.Form, rule.Words, because(rule))
	}
	for _, n := range r.notes {
		fmt.Fprintf(f.problems, "line %d: %v\n", f.number, n)
	}
}
