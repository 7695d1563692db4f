package main

import (
	"strings"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/term"
)

const exitCodesHelp = `Exit codes: 0 done; 1 findings (damage, an unknown id, a line that is no
UTF-8), rejected rows under --strict, or a build that would lose too many rows;
2 usage or config error, or no dataset there; 3 store missing, unusable or busy;
130 interrupted.`

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "voxpack",
		Short: "Compile a speech corpus into training shards",
		Long: `voxpack compiles a speech corpus (metadata and audio) into fixed-shape training
shards, and rebuilds only what an edit changed.

` + exitCodesHelp,
		Example:       "  voxpack build LJSpeech-1.1\n  voxpack show LJSpeech-1.1 LJ001-0002",
		Version:       toolVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          unknownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return term.Usagef("%w; see %s --help", err, cmd.CommandPath())
	})
	root.AddGroup(&cobra.Group{ID: "dataset", Title: "Dataset:"})
	for _, cmd := range []*cobra.Command{newBuildCommand(), newExplainCommand(), newShowCommand(), newVerifyCommand(), newTextCommand(), newLogCommand(), newDiffCommand(), newTagCommand(), newUntagCommand(), newRollbackCommand(), newRestoreCommand(), newRepairCommand(), newGCCommand(), newDuCommand(), newCopyCommand()} {
		cmd.GroupID = "dataset"
		root.AddCommand(cmd)
	}
	root.AddGroup(&cobra.Group{ID: "scale", Title: "Scale:"})
	for _, cmd := range []*cobra.Command{newPlanCommand(), newJoinCommand(), newLaunchCommand()} {
		cmd.GroupID = "scale"
		root.AddCommand(cmd)
	}
	root.AddGroup(&cobra.Group{ID: "training", Title: "Training:"})
	for _, cmd := range []*cobra.Command{newFeedCommand(), newServeCommand()} {
		cmd.GroupID = "training"
		root.AddCommand(cmd)
	}
	root.AddGroup(&cobra.Group{ID: "diagnosis", Title: "Diagnosis:"})
	for _, cmd := range []*cobra.Command{newCheckCommand(), newAnalyzeCommand(), newProfileCommand(), newDiagnoseCommand(), newTuneCommand(), newTopoCommand(), newEstimateCommand(), newCompareCommand(), newReportCommand(), newTopCommand()} {
		cmd.GroupID = "diagnosis"
		root.AddCommand(cmd)
	}
	root.AddCommand(newVersionCommand())
	complete(root)
	return root
}

// unknownCommand is reached by words that are no command.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "see " + cmd.CommandPath() + " --help"
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return term.Usagef("%s has no command %q; %s", cmd.CommandPath(), args[0], hint)
}

// argument is the only argument of a command, "" where none was given.
func argument(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// atMost refuses more than n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return term.Usagef("%s takes at most %d argument(s), got %d (%q); see %s --help", cmd.CommandPath(), n, len(args), args[n], cmd.CommandPath())
		}
		return nil
	}
}
