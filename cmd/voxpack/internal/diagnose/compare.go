package diagnose

import (
	"bufio"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis/runs"
)

// CompareOptions are the flags of compare.
type CompareOptions struct {
	targets []string
	json    bool
}

// AddFlags declares the flags.
func (o *CompareOptions) AddFlags(f *pflag.FlagSet) {
	targetFlag(f, &o.targets)
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

// comparison is the JSON of compare.
type comparison struct {
	Groups []groupFacts `json:"groups"`
	*runs.Comparison
}

// groupFacts are what a group is of.
type groupFacts struct {
	Name    string `json:"name"` // A, B, ...
	From    string `json:"from"` // the argument
	Runs    int    `json:"runs"`
	Version string `json:"version"`
	CPU     string `json:"cpu"`
	Cores   int    `json:"cores"`
}

// mostGroups is how many groups have a letter.
const mostGroups = 26

// RunCompare prints run records side by side. An argument is a record, or several
// of the same thing with commas between; a dataset stands for its last feed.
func RunCompare(o *CompareOptions, args []string, stdout io.Writer) error {
	if len(args) < 2 || len(args) > mostGroups {
		return term.Usagef("compare takes 2 to %d runs, got %d; see voxpack compare --help", mostGroups, len(args))
	}
	targets, err := readTargets(o.targets)
	if err != nil {
		return err
	}
	c := &comparison{}
	var groups [][]runs.Figures
	for i, arg := range args {
		group, err := readGroup(arg)
		if err != nil {
			return err
		}
		groups = append(groups, group)
		c.Groups = append(c.Groups, groupFacts{string(rune('A' + i)), arg, len(group), group[0].Version, group[0].Host.CPU, group[0].Host.Cores})
	}
	if c.Comparison, err = runs.Compare(groups, targets); err != nil {
		return term.Usagef("%w", err)
	}
	return term.Buffered(stdout, func(b *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(b, c)
		}
		c.page(b)
		return nil
	})
}

// readGroup reads the records of an argument.
func readGroup(arg string) ([]runs.Figures, error) {
	var group []runs.Figures
	for name := range strings.SplitSeq(arg, ",") {
		record, err := ReadRecord(name)
		if err != nil {
			return nil, err
		}
		figures, err := runs.FiguresOf(record)
		if err != nil {
			return nil, term.Usagef("%s: %w", name, err)
		}
		group = append(group, figures)
	}
	return group, nil
}
