package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/textnorm"
	spellout "voxpack/textnorm/numbers"
)

// numberOptions are the flags of text number.
type numberOptions struct {
	language string
	kind     string
	form     string
	explain  bool
	json     bool
}

func newTextNumberCommand() *cobra.Command {
	var o numberOptions
	cmd := &cobra.Command{
		Use:   "number",
		Short: "Print each line's number in words",
		Long: `Print each line's number in words. A line is digits, with "." as the decimal
mark and a leading "-" in every language, as in 1984, -3 or 12.50. An empty line
stands for one that is no such number, or that the kind has no words for. A kind
such as currency:EUR takes amounts of money, of the ISO code that it names.

Languages: ` + strings.Join(spellout.Languages(), " ") + `

` + exitCodesHelp,
		Example: "  echo 1984 | voxpack text number --lang en --kind year\n  voxpack text number --lang ru --form feminine-genitive <lines.txt\n  echo 12.50 | voxpack text number --lang cs --kind currency:CZK",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runTextNumber(cmd.Context(), o, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.language, "lang", "", "language `CODE` of the words")
	f.StringVar(&o.kind, "kind", spellout.Cardinal.String(), "what the digits stand for: cardinal, ordinal, year, decimal or currency:CODE")
	f.StringVar(&o.form, "form", "", "gender, case or style, as in feminine; a wrong `FORM` lists those of the language")
	f.BoolVar(&o.explain, "explain", false, "say on stderr what was done to each line")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line")
	return cmd
}

func runTextNumber(ctx context.Context, o numberOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	code, ok := numberLanguage(o.language)
	if !ok {
		return term.Usagef("--lang %s: numbers are read in %s", cmp.Or(o.language, `""`), strings.Join(spellout.Languages(), " "))
	}
	filter := &lineFilter{in: stdin, out: stdout, problems: stderr, explain: o.explain, json: o.json, language: code}
	if money, ok := strings.CutPrefix(o.kind, currencyKind); ok {
		if err := checkCurrency(code, money, o.form); err != nil {
			return err
		}
		filter.line = func(line string) textResult { return speakCurrency(code, money, line) }
		return runLines(ctx, filter)
	}
	kind, ok := spellout.ParseKind(o.kind)
	if !ok {
		return term.Usagef("--kind %s: write cardinal, ordinal, year, decimal or a currency, as in currency:EUR", cmp.Or(o.kind, `""`))
	}
	if forms := spellout.Forms(code, kind); o.form != "" && !slices.Contains(forms, o.form) {
		return term.Usagef("--form %s: %s has these for --kind %s: %s", o.form, code, kind, cmp.Or(strings.Join(forms, " "), "none"))
	}
	filter.line = func(line string) textResult { return speakNumber(code, kind, o.form, line) }
	return runLines(ctx, filter)
}

// currencyKind stands before the code of a currency in --kind.
const currencyKind = "currency:"

func checkCurrency(language, money, form string) error {
	if known := textnorm.Currencies(language); !slices.Contains(known, money) {
		return term.Usagef("--kind currency:%s: write currency: and an ISO code in capitals, as in currency:EUR; %s has words for %s", money, language, strings.Join(known, " "))
	}
	if form != "" {
		return term.Usagef("--form %s: the currency decides; leave it out with --kind currency:%s", form, money)
	}
	return nil
}

func speakCurrency(language, money, line string) textResult {
	if line == "" {
		return textResult{}
	}
	words, ok := textnorm.SpeakCurrency(language, line, money)
	if !ok {
		return textResult{err: fmt.Errorf("%q cannot be read as an amount of %s; write digits, as in -12.50", clip(line), money)}
	}
	return textResult{output: words}
}

// numberLanguage finds the language of a tag; the country counts where it has
// rules of its own.
func numberLanguage(tag string) (string, bool) {
	codes := spellout.Languages()
	if i := slices.IndexFunc(codes, func(code string) bool { return strings.EqualFold(code, tag) }); i >= 0 {
		return codes[i], true
	}
	code, ok := textnorm.ParseLanguage(tag)
	return code, ok && slices.Contains(codes, code)
}

// speakNumber leaves the line empty where there is nothing to say.
func speakNumber(code string, kind spellout.Kind, form, line string) textResult {
	if line == "" {
		return textResult{}
	}
	words, ok := spellout.SpeakForm(code, kind, form, line)
	if !ok {
		return textResult{err: fmt.Errorf("%q cannot be read as %s; write digits, as in -12.50", clip(line), kind)}
	}
	return textResult{output: words}
}

// clip keeps a message short whatever the line holds.
func clip(line string) string {
	const most = 60
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
