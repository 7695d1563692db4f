package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/textnorm"
	"voxpack/textnorm/detect"
)

// detectOptions are the flags of text detect.
type detectOptions struct {
	languages string
	config    string
	json      bool
}

// textSpan is a run of a line in another script than the line's language has.
type textSpan struct {
	At       int    `json:"at"`  // byte offset of its first letter
	End      int    `json:"end"` // byte offset behind its last
	Language string `json:"language"`
}

func newTextDetectCommand() *cobra.Command {
	var o detectOptions
	cmd := &cobra.Command{
		Use:   "detect",
		Short: "Print the language of each line",
		Long: `Print the language of each line: its code, a tab, and how sure that is, from 0 to
1. A line without a letter of the languages to choose from is und, and 0.000.

Languages: ` + strings.Join(detect.Codes(), " ") + `

` + exitCodesHelp,
		Example: "  echo 'Das ist ein Haus' | voxpack text detect\n  voxpack text detect --lang fa,en --json <lines.txt",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runTextDetect(cmd.Context(), o, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.languages, "lang", "", "choose among these `CODES`, as in en,fa (default: the config's languages, else all)")
	f.StringVar(&o.config, "config", "", "take the languages from config `FILE`")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line, with the runs of other scripts")
	return cmd
}

func runTextDetect(ctx context.Context, o detectOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	among, err := detectAmong(o, stderr)
	if err != nil {
		return err
	}
	d := detect.New()
	return runLines(ctx, &lineFilter{in: stdin, out: stdout, problems: stderr, json: o.json, language: detect.Undetermined,
		line: func(line string) textResult {
			code, confidence := d.Detect(line, among)
			r := textResult{output: fmt.Sprintf("%s\t%.3f", code, confidence), language: code}
			if o.json {
				sure := math.Round(confidence*1000) / 1000
				r.sure = &sure
				for _, s := range d.Spans(line, code, among) {
					r.spans = append(r.spans, textSpan{s.Start, s.End, s.Code})
				}
			}
			return r
		}})
}

// detectAmong is the languages to choose from: the flag's, else the config's,
// else every one that the detector knows.
func detectAmong(o detectOptions, stderr io.Writer) ([]string, error) {
	c, err := settings.Load(o.config, stderr)
	if err != nil {
		return nil, err
	}
	source, tags := "languages", c.Config.Rows.Languages
	if o.languages != "" {
		source, tags = "--lang", strings.Split(o.languages, ",")
	}
	if len(tags) == 0 {
		return detect.Codes(), nil
	}
	var among []string
	for _, tag := range tags {
		code, ok := textnorm.ParseLanguage(strings.TrimSpace(tag))
		if !ok || !slices.Contains(detect.Codes(), code) {
			return nil, term.Usagef("%s: %q cannot be told from the others; detection knows %s", source, tag, strings.Join(detect.Codes(), " "))
		}
		among = append(among, code)
	}
	return among, nil
}
