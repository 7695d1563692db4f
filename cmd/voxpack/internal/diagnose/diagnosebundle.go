package diagnose

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"voxpack/cmd/voxpack/internal/bundle"
	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/action"
	"voxpack/internal/perf"
)

// checkBundle refuses a file that cannot be written, before anything is looked at.
func (o *DiagnoseOptions) checkBundle() error {
	if o.bundle == "" {
		if o.yes || o.force {
			return term.Usagef("--yes and --force are for --bundle")
		}
		return nil
	}
	if _, err := os.Lstat(o.bundle); !errors.Is(err, fs.ErrNotExist) && err == nil && !o.force {
		return term.Usagef("--bundle %s: it is there; name another file, or replace it with --force", o.bundle)
	}
	return feedrun.CheckFile("bundle", o.bundle)
}

// pack lists what a bundle would hold, asks, and writes it.
func (d *doctor) pack(ctx context.Context, stdin io.Reader) error {
	members, err := d.members(os.Environ())
	if err != nil {
		return err
	}
	bundle.List(d.stderr, d.bundle, members)
	if !d.yes {
		if agreed, err := d.agreed(ctx, stdin); err != nil || !agreed {
			return err
		}
	}
	// Somebody may have made the file meanwhile.
	if err := d.checkBundle(); err != nil {
		return err
	}
	if err := bundle.Write(d.bundle, members); err != nil {
		return fmt.Errorf("--bundle: %w", err)
	}
	fmt.Fprintf(d.stderr, "written: %s\n", term.Quoted(d.bundle))
	return nil
}

// agreed asks on a terminal.
func (d *doctor) agreed(ctx context.Context, stdin io.Reader) (bool, error) {
	f, ok := stdin.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return false, term.Usagef("the bundle was not written: there is no terminal to ask on; if the list is well, give --yes")
	}
	fmt.Fprint(d.stderr, "Write it? Nothing is sent anywhere. [y/N] ")
	answered := make(chan string, 1)
	go func() { // nothing ends a read of a terminal; after an interrupt the process ends
		line, _ := bufio.NewReader(stdin).ReadString('\n')
		answered <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return false, term.ErrInterrupted
	case answer := <-answered:
		if answer == "y" || answer == "yes" {
			return true, nil
		}
		fmt.Fprintln(d.stderr, "the bundle was not written")
		return false, nil
	}
}

// restFacts are what of a diagnosis has no member of its own.
type restFacts struct {
	Speed    *analysis     `json:"speed"`
	Live     liveFacts     `json:"live"`
	Runs     []runFacts    `json:"runs"`
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
	Unseen   []missingPart `json:"unseen"`
}

// members are the files of a bundle of what was seen.
func (d *doctor) members(environment []string) ([]bundle.Member, error) {
	out := d.out
	machine := out.Machine
	f := bundle.Facts{Version: out.Version, Machine: machine, Environment: environment,
		Rest:  restFacts{out.Speed, out.Live, out.Runs, out.Errors, out.Warnings, out.Unseen},
		Plain: []string{machine.CPU, machine.Go, machine.OS, machine.Arch}}
	if t := out.Devices; t != nil {
		f.Topology = t
		for _, g := range t.GPUs {
			f.Plain = append(f.Plain, g.Name)
		}
	}
	if out.Store != nil {
		f.Store = out.Store
	}
	f.Config = d.file
	for i := range out.Runs {
		switch r := &out.Runs[i].record; out.Runs[i].Kind {
		case buildRun:
			f.Build = r
		case feedRun:
			f.Feed = r
		}
	}
	for _, v := range out.Findings {
		f.Findings = append(f.Findings, bundle.Finding{State: string(v.State), Earlier: v.Run != "", Line: v.Line, Verdict: v.Verdict})
	}
	return bundle.Members(f, machine, topology{}, healthFacts{}, restFacts{}, perf.RunRecord{}, feedrun.Report{},
		compiler.RowCounts{}, compiler.ShardCounts{}, compiler.BlockCounts{}, action.Count{})
}
