package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/plan"
)

// launchOptions are what all engines are told.
type launchOptions struct {
	settings.Flags
	parts   int    // 0: as many as the plan has, but at most mostParts
	atATime int    // 0: as many as the engine gives
	work    string // folder of the plan, the parts and what they say; "": beside the dataset
	program string // on the nodes; "": this one
	submit  bool
	own     []string // the engine's own options, after --
}

// mostParts is how many parts a launch makes where it is not told: 64 tasks fit the limits that clusters set.
const mostParts = 64

func newLaunchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "launch",
		Short: "Build a dataset on a cluster: parts, and the join after them",
		Long: `Print what makes a cluster build a dataset in parts and join them, or give it to the
cluster at once (--submit). Parts that are there already are left out, so that the same
command again does what is missing after a task was killed or a node was lost.

` + exitCodesHelp,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLaunchSlurmCommand())
	return cmd
}

// flags are those of every engine.
func (o *launchOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Config, "config", "", "config `FILE`")
	f.StringVarP(&o.Store, "store", "o", "", "folder of the `STORE` (default: the dataset's own)")
	f.StringVar(&o.work, "work", "", "`FOLDER` for the plan, the parts and their logs, which all nodes see (default: DATASET.parts)")
	f.IntVar(&o.parts, "parts", 0, fmt.Sprintf("`N` parts (default: as many as have rows, at most %d)", mostParts))
	f.IntVar(&o.atATime, "at-a-time", 0, "at most `N` parts at the same time")
	f.StringVar(&o.program, "program", "", "voxpack on the nodes, a `PATH` (default: this one)")
	f.BoolVar(&o.submit, "submit", false, "submit it instead of printing it")
}

// job is what an engine is to do. All paths are absolute.
type job struct {
	program, dataset, config, work, store string
	rows, parts, atATime                  int
	missing                               []int // parts that have to be built
	own                                   []string
}

// part is the store of a part, below the work folder. i is a number or a variable of a shell.
func (j *job) part(i any) string { return fmt.Sprintf("part-%v-of-%d", i, j.parts) }

// job reads the metadata and looks which parts are there.
func (o *launchOptions) job(ctx context.Context, stderr io.Writer) (*job, error) {
	if o.parts < 0 || o.atATime < 0 {
		return nil, term.Usagef("--parts and --at-a-time: want a number above 0")
	}
	opts, _, err := o.Options(stderr)
	if err != nil {
		return nil, err
	}
	p, err := compiler.NewPlan(ctx, opts)
	if err != nil {
		return nil, err
	}
	j := &job{rows: p.Rows, parts: cmp.Or(o.parts, min(1<<p.Bits, mostParts)), atATime: o.atATime, own: o.own}
	if j.program = o.program; j.program == "" {
		if j.program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	for _, path := range []struct {
		to   *string
		from string
	}{
		{&j.dataset, opts.Dataset}, {&j.config, o.Config}, {&j.work, cmp.Or(o.work, strings.TrimSuffix(filepath.Clean(opts.Dataset), "/")+".parts")},
		{&j.store, cmp.Or(o.Store, filepath.Join(opts.Dataset, compiler.StoreName))},
	} {
		if path.from == "" {
			continue
		}
		if *path.to, err = filepath.Abs(path.from); err != nil {
			return nil, err
		}
	}
	for i := range j.parts {
		if r, err := plan.ReadResult(filepath.Join(j.work, j.part(i))); err != nil || r.Plan.Digest() != p.Digest() {
			j.missing = append(j.missing, i)
		}
	}
	return j, nil
}

// shell is a word that a shell is to read as it stands, with its variables.
type shell string

// command is voxpack with arguments, as a line of a shell.
func (j *job) command(args ...any) string {
	words := []string{term.Quoted(j.program)}
	for _, a := range args {
		if word, ok := a.(shell); ok {
			words = append(words, string(word))
			continue
		}
		words = append(words, term.Quoted(fmt.Sprint(a)))
	}
	if j.config != "" {
		words = append(words, "--config", term.Quoted(j.config))
	}
	return strings.Join(words, " ")
}

// ranges writes numbers as job arrays name them: "0-3,7".
func ranges(numbers []int) string {
	var list []string
	for i := 0; i < len(numbers); {
		n := i + 1
		for n < len(numbers) && numbers[n] == numbers[n-1]+1 {
			n++
		}
		one := fmt.Sprint(numbers[i])
		if n > i+1 {
			one += fmt.Sprint("-", numbers[n-1])
		}
		list, i = append(list, one), n
	}
	return strings.Join(list, ",")
}

// give prints a script, or lets a shell do it.
func (o *launchOptions) give(ctx context.Context, script string, stdout, stderr io.Writer) error {
	if !o.submit {
		_, err := io.WriteString(stdout, script)
		return err
	}
	sh := exec.CommandContext(ctx, "sh")
	sh.Stdin, sh.Stdout, sh.Stderr = strings.NewReader(script), stdout, stderr
	if err := sh.Run(); err != nil {
		return fmt.Errorf("submit: %w; without --submit the commands are printed", err)
	}
	return nil
}
