package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
)

// offered says what the arguments of commands may be, for shells that complete them.
// Where nothing is offered a shell completes files.
var offered = map[string]locate.Offer{
	"show": locate.Places | locate.IDs, "explain": locate.Places | locate.IDs, "tag": locate.Places, "untag": locate.Tags, "copy": locate.Places, "gc": locate.Places, "du": locate.Places,
	"restore": locate.Places | locate.IDs, "verify": locate.Places, "repair": locate.Places, "log": locate.Places, "diff": locate.Places, "rollback": locate.Places, "plan": locate.Places, "feed": locate.Places, "serve": locate.Places,
	"analyze": locate.Places, "profile": locate.Places, "diagnose": locate.Places, "tune": locate.Places, "report": locate.Places, "top": locate.Places,
}

// offeredFlags are flags whose values a dataset has.
var offeredFlags = map[string]locate.Offer{"column": locate.Columns, "rows": locate.IDs, "row": locate.IDs, "row-filter": locate.RowFilters}

func complete(root *cobra.Command) {
	by := func(offer locate.Offer) cobra.CompletionFunc {
		return func(_ *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			list := locate.Complete(args, word, offer)
			if len(list) == 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		}
	}
	for _, cmd := range root.Commands() {
		offer, ok := offered[cmd.Name()]
		if !ok {
			continue
		}
		cmd.ValidArgsFunction = by(offer)
		for flag, offer := range offeredFlags {
			if cmd.Flags().Lookup(flag) != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag, by(offer)) // it fails for an unknown flag only
			}
		}
	}
}
