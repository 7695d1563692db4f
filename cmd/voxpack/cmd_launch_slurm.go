package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/term"
)

func newLaunchSlurmCommand() *cobra.Command {
	var o launchOptions
	cmd := &cobra.Command{
		Use:   "slurm [DATASET_DIR] [-- SBATCH_OPTION...]",
		Short: "A job array that builds the parts, and a job that joins them",
		Long: `Print a shell script that makes the plan and submits two jobs: an array whose tasks build
the parts that are missing, and a job that joins all parts when every task has ended well.
If a task fails or is cancelled, the join is cancelled too; the same command again submits
what is missing. Dataset, work folder, store and program have to be on a file system that
all nodes see.

What stands after -- goes to sbatch, of both jobs: a partition, an account, memory, time.

` + exitCodesHelp,
		Example: `  voxpack launch slurm /shared/corpus -- --partition cpu --cpus-per-task 16
  voxpack launch slurm /shared/corpus --parts 256 --at-a-time 64 --submit`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, o.own = args[:at], args[at:]
			}
			if err := atMost(1)(cmd, args); err != nil {
				return err
			}
			o.Dataset, o.Tool = argument(args), toolVersion()
			j, err := o.job(cmd.Context(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return o.give(cmd.Context(), j.slurm(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.flags(cmd)
	return cmd
}

// slurm is the script that submits a job.
func (j *job) slurm() string {
	var b strings.Builder
	own := ""
	for _, s := range j.own {
		own += " " + term.Quoted(s)
	}
	work, logs := term.Quoted(j.work), term.Quoted(j.work+"/logs")
	output := strings.ReplaceAll(logs, "%", "%%") // which sbatch reads
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#!/bin/sh")
	line("# %s of %s, %d of them missing; then their join", term.Count(j.parts, "part"), term.Count(j.rows, "row"), len(j.missing))
	line("set -eu")
	line("mkdir -p %s", logs)
	line("%s >&2", j.command("plan", j.dataset, "-o", j.work+"/plan.json"))
	after := ""
	if len(j.missing) > 0 {
		array := ranges(j.missing)
		if j.atATime > 0 {
			array += fmt.Sprint("%", j.atATime)
		}
		line("parts=$(sbatch --parsable --job-name voxpack-parts --array %s --requeue --output %s/part-%%a.txt%s <<'END'", array, output, own)
		line("#!/bin/sh")
		line("cd %s", work)
		line("exec %s", j.command("build", j.dataset, "--plan", "plan.json", "--part", shell(fmt.Sprintf(`"$SLURM_ARRAY_TASK_ID/%d"`, j.parts)), "-o", shell(j.part(`"$SLURM_ARRAY_TASK_ID"`)), "-j", shell(`"${SLURM_CPUS_ON_NODE:-$(nproc)}"`), "-q"))
		line("END")
		line(")")
		line("parts=${parts%%%%;*}")
		line(`echo "parts: job $parts"`)
		after = ` --dependency "afterok:$parts" --kill-on-invalid-dep=yes`
	}
	line("join=$(sbatch --parsable --job-name voxpack-join%s --output %s/join.txt%s <<'END'", after, output, own)
	line("#!/bin/sh")
	line("cd %s", work)
	line("exec %s", j.command("join", shell(fmt.Sprintf("$(seq -f part-%%.0f-of-%d 0 %d)", j.parts, j.parts-1)), "--dataset", j.dataset, "-o", j.store, "-q"))
	line("END")
	line(")")
	line(`echo "join: job ${join%%%%;*}"`)
	line("echo %s", term.Quoted("logs: "+j.work+"/logs"))
	return b.String()
}
