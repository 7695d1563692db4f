package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/store"
)

func newTagCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tag [STORE] [NAME]",
		Short: "Name a version of a dataset, and keep it",
		Long: `Give a snapshot a name that stays: no merge drops what it needs, and every command
takes it behind @. Without NAME list the tags.

STORE is a dataset's folder, a store, or one of them with @REF: the snapshot to
name, which is main without it.

` + exitCodesHelp,
		Example: `  voxpack tag LJSpeech-1.1 paper-2026
  voxpack tag @main~1 before-the-cleanup
  voxpack feed LJSpeech-1.1@paper-2026
  voxpack tag`,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, name, err := placeAndName(cmd, args)
			if err != nil {
				return err
			}
			return runTag(where, name, asJSON, cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: snapshots by the names of their tags")
	return cmd
}

func newUntagCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "untag [STORE] NAME",
		Short: "Take the name of a version away",
		Long: `Take a tag away. Nothing is removed by that; but what only this tag led to goes when a
merge needs its room.

` + exitCodesHelp,
		Example: "  voxpack untag LJSpeech-1.1 paper-2026",
		RunE: func(cmd *cobra.Command, args []string) error {
			where, name, err := placeAndName(cmd, args)
			if err == nil && name == "" {
				err = term.Usagef("untag takes the name of a tag; voxpack tag lists them")
			}
			if err != nil {
				return err
			}
			return runUntag(where, name, cmd.OutOrStdout())
		},
	}
}

func placeAndName(cmd *cobra.Command, args []string) (where, name string, err error) {
	where, names := locate.SplitArgs(args, cmd.ArgsLenAtDash())
	if len(names) > 1 {
		return "", "", term.Usagef("%s takes one name, got %d (%q is not a folder)", cmd.Name(), len(names), names[0])
	}
	if len(names) == 1 {
		name = names[0]
	}
	return where, name, nil
}

func runTag(where, name string, asJSON bool, stdout io.Writer) error {
	v, err := openVersion(where, "main")
	if err != nil {
		return err
	}
	defer v.Close()
	if name == "" {
		return listTags(v.Store, asJSON, stdout)
	}
	was, err := v.Ref("tags/" + name)
	switch {
	case err == nil && was != v.Digest:
		return term.Findings(fmt.Sprintf("tag %s names snapshot %s already; take it away with voxpack untag %s", name, was.Short(), term.Quoted(name)))
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return term.Usage{Err: err}
	}
	if err := v.SetRef("tags/"+name, v.Digest); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s names snapshot %s\n", name, v.Digest.Short())
	return err
}

func listTags(st *store.Store, asJSON bool, stdout io.Writer) error {
	refs, err := st.Refs()
	if err != nil {
		return err
	}
	tags := map[string]string{}
	var damaged error // of single tags: the others are listed
	err = term.Buffered(stdout, func(w *bufio.Writer) error {
		for _, ref := range refs {
			name, is := strings.CutPrefix(ref, "tags/")
			if !is {
				continue
			}
			d, err := st.Ref(ref)
			if err != nil {
				damaged = errors.Join(damaged, err)
				continue
			}
			if tags[name] = d.String(); asJSON {
				continue
			}
			snap, err := st.ReadSnapshot(d)
			if err != nil {
				damaged = errors.Join(damaged, fmt.Errorf("tag %s: %w", name, err))
				continue
			}
			fmt.Fprintf(w, "%s  %s  %s, dataset %s  %s\n", d.Short(), snap.Made().Format(time.DateTime), term.Count(snap.Kept, "row"), snap.Root.Short(), name)
		}
		if asJSON {
			return term.PrintJSON(w, tags)
		}
		if len(tags) == 0 && damaged == nil {
			fmt.Fprintln(w, "no tags; voxpack tag NAME gives main one")
		}
		return nil
	})
	return cmp.Or(err, damaged)
}

func runUntag(where, name string, stdout io.Writer) error {
	p, err := locate.Find(where)
	if err != nil {
		return err
	}
	st, err := p.Open()
	if err != nil {
		return err
	}
	defer st.Close()
	d, err := st.Ref("tags/" + name)
	if errors.Is(err, store.ErrNotFound) {
		return term.Findings(fmt.Sprintf("%s has no tag %q; voxpack tag lists those it has", p.Store, name))
	}
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return err
	}
	if err := st.DeleteRef("tags/" + name); err != nil {
		return err
	}
	if d.IsZero() {
		_, err = fmt.Fprintf(stdout, "%s is taken away; its file was damaged\n", name)
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s named snapshot %s\n", name, d.Short())
	return err
}
