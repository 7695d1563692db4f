package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// textOptions are the flags of the text commands.
type textOptions struct {
	language  string
	tokenizer string
	config    string
	store     string
	verbalise *bool // nil: as the config says
	explain   bool
	json      bool
	tokenizes bool // not only normalizes
}

func newTextCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "text",
		Short: "Run the text stages on lines of stdin",
		Long: `Run a text stage on lines of stdin: one line in, one line out. A line that is
no UTF-8 is reported on stderr, and an empty line stands for it.

` + exitCodesHelp,
		Example: "  echo 'Hello,  world' | voxpack text normalize\n  voxpack text tokenize --store LJSpeech-1.1 <lines.txt",
		Args:    unknownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTextStageCommand("normalize", "Print what is spoken of each line",
		"Print what is spoken of each line: composed, without control characters, with\nsingle spaces.", (*textStages).normalize))
	cmd.AddCommand(newTextStageCommand("tokenize", "Print the token ids of each line",
		"Print the token ids of each line, separated by spaces. Lines are taken as they\nare; pipe through normalize first for what a build would do.", (*textStages).tokenize))
	cmd.AddCommand(newTextNumberCommand())
	cmd.AddCommand(newTextDetectCommand())
	return cmd
}

func newTextStageCommand(name, short, long string, stage func(*textStages, string) textResult) *cobra.Command {
	o := textOptions{tokenizes: name == "tokenize"}
	var verbalise bool
	cmd := &cobra.Command{
		Use:     name,
		Short:   short,
		Long:    long + "\n\n" + exitCodesHelp,
		Example: "  voxpack text " + name + " --lang fa <lines.txt\n  voxpack text " + name + " --json --store LJSpeech-1.1 <lines.txt",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("verbalise") {
				o.verbalise = &verbalise
			}
			return runText(cmd.Context(), o, stage, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.language, "lang", "", "language `CODE` of the lines, or auto to tell it from each (default: the config's, else auto)")
	f.StringVar(&o.tokenizer, "tokenizer", "", "tokenizer.json, SentencePiece model (.model), or table of symbols, one a line, in `FILE`; or char, tacotron or phoneme")
	f.StringVar(&o.config, "config", "", "take settings and symbols from config `FILE`")
	f.StringVar(&o.store, "store", "", "take settings and symbols from `STORE` (or a dataset's folder, or either with @REF)")
	if name == "normalize" {
		f.BoolVar(&verbalise, "verbalise", true, "say numbers, abbreviations and signs in words (default: as the config or the store says)")
	}
	f.BoolVar(&o.explain, "explain", false, "say on stderr what was done to each line")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line")
	return cmd
}

func runText(ctx context.Context, o textOptions, stage func(*textStages, string) textResult, stdin io.Reader, stdout, stderr io.Writer) error {
	stages, err := newTextStages(ctx, o, stderr)
	if err != nil {
		return err
	}
	defer stages.Close()
	return runLines(ctx, &lineFilter{in: stdin, out: stdout, problems: stderr, explain: o.explain, json: o.json,
		line: func(s string) textResult { return stage(stages, s) }, language: stages.Config.Language})
}

// runLines is interrupted at once: reading stdin cannot be, and what waits for
// it is left behind.
func runLines(ctx context.Context, f *lineFilter) error {
	done := make(chan error, 1)
	go func() { done <- f.run(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
