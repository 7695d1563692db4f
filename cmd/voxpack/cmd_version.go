package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/audio/resample"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/textnorm"
)

func newVersionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of the program and of its stages",
		Long:    "Print the version of the program and of its stages. A stage's version is part of\nevery key: with the same one, the same input gives the same bytes.\n\n" + exitCodesHelp,
		Example: "  voxpack version",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runVersion(cmd.OutOrStdout(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func runVersion(w io.Writer, asJSON bool) error {
	v := struct {
		release
		Go     string            `json:"go"`
		System string            `json:"system"`
		Stages map[string]string `json:"stages"`
	}{thisRelease(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, map[string]string{
		"audio":  codec.DecodeVersion + " " + resample.Version + " " + audio.ProcessVersion,
		"text":   textnorm.TextVersion,
		"tokens": textnorm.TokensVersion,
	}}
	for _, f := range audio.Features() {
		v.Stages[f.Name] = f.Version
	}
	for _, f := range codec.Formats() {
		if f.Version != "" && f.Name != "wav" {
			v.Stages["audio"] += " " + f.Key()
		}
	}
	if asJSON {
		return term.PrintJSON(w, v)
	}
	_, err := fmt.Fprintf(w, "%s, %s, %s\n", v.release, v.Go, v.System)
	for _, name := range stageNames {
		if err == nil {
			_, err = fmt.Fprintf(w, "%-7s %s\n", name, v.Stages[name])
		}
	}
	return err
}
