package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"voxpack/cmd/voxpack/internal/term"
)

// FuzzLineFilter: whatever the input is, each line of it gives one line, in
// both forms, and the findings decide the error.
func FuzzLineFilter(f *testing.F) {
	for _, s := range []string{"", "a\nb\n", "no end", "\n\n", "\r\n x \r\n", "bad \xff byte\nfine\n", "\xed\xa0\x80", strings.Repeat("long ", 20_000) + "\nx"} {
		f.Add([]byte(s))
	}
	stages, err := newTextStages(context.Background(), textOptions{}, io.Discard)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		want := bytes.Count(input, []byte("\n"))
		if len(input) > 0 && input[len(input)-1] != '\n' {
			want++
		}
		for _, asJSON := range []bool{false, true} {
			for name, stage := range map[string]func(string) textResult{"normalize": stages.normalize, "tokenize": stages.tokenize} {
				var out, problems bytes.Buffer
				f := lineFilter{in: bytes.NewReader(input), out: &out, problems: &problems, line: stage, language: "und", json: asJSON}
				err := f.run(context.Background())
				if got := bytes.Count(out.Bytes(), []byte("\n")); got != want {
					t.Errorf("%s, json %v: %q gave %d lines, want %d", name, asJSON, input, got, want)
				}
				var findings term.Findings
				if errors.As(err, &findings) != (problems.Len() > 0) || err != nil && problems.Len() == 0 {
					t.Errorf("%s: %q: error %v with problems %q", name, input, err, &problems)
				}
				for line := range strings.Lines(out.String()) {
					if asJSON && !json.Valid([]byte(line)) {
						t.Errorf("%s: %q gave %q, no JSON", name, input, line)
					}
				}
			}
		}
	})
}

func TestLineTooLong(t *testing.T) {
	f := lineFilter{in: io.MultiReader(strings.NewReader("a\n"), io.LimitReader(zeros{}, maxLine+2)), out: io.Discard, problems: io.Discard,
		line: func(s string) textResult { return textResult{output: s} }}
	err := f.run(context.Background())
	if want := "line 2 is over 16.8 MB long"; err == nil || err.Error() != want {
		t.Errorf("error = %v, want %q", err, want)
	}
}

// zeros is an endless line.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
