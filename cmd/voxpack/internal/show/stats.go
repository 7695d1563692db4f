package show

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed/stats"
	"voxpack/store"
)

// trainer is one whose file of statistics show writes.
type trainer struct {
	name string
	file func(s *stats.Stats) (any, error)
}

var trainers = []trainer{
	{"fastspeech2", fastSpeech2},
	{"matcha", matcha},
}

func trainerNames() string {
	var names []string
	for _, t := range trainers {
		names = append(names, t.name)
	}
	return strings.Join(names, " or ")
}

// checkStats refuses flags that do not go with --stats.
func (o Options) checkStats() error {
	switch known := slices.ContainsFunc(trainers, func(t trainer) bool { return t.name == o.For }); {
	case o.Stats && (o.ID != "" || o.Column != "" || o.IDs || o.Rejected):
		return term.Usagef("--stats stands alone, or with --json or --for")
	case o.For != "" && (!o.Stats || o.JSON):
		return term.Usagef("--for is for --stats, without --json")
	case o.For != "" && !known:
		return term.Usagef("--for %s: want %s", o.For, trainerNames())
	}
	return nil
}

// showStats prints the statistics of the columns, as text or JSON, or as the file of a
// trainer. A store that cannot be written is told in a note.
func showStats(ctx context.Context, d *store.Dataset, o Options) error {
	s, work, err := stats.Of(ctx, d, stats.Folder(d))
	if err != nil {
		return err
	}
	if work.Unkept != nil {
		fmt.Fprintf(o.Stderr, "voxpack: note: the statistics could not be kept, and are computed again the next time: %v\n", work.Unkept)
	}
	for _, t := range trainers {
		if t.name == o.For {
			file, err := t.file(s)
			if err != nil {
				return term.Findings(err.Error())
			}
			o.JSON = true
			return o.print(file, nil)
		}
	}
	return o.print(s, func(w *bufio.Writer) { printStats(w, s) })
}

// printStats writes a line for each column, and one for each of its speakers, where
// there are several.
func printStats(w io.Writer, s *stats.Stats) {
	line := func(column, speaker, count string, rest ...string) {
		fmt.Fprintf(w, "%-16s %-16s %14s", column, speaker, count)
		for _, r := range rest {
			fmt.Fprintf(w, " %12s", r)
		}
		fmt.Fprintln(w)
	}
	value := func(column, speaker string, v stats.Value) {
		if v.Count == 0 {
			line(column, speaker, "0")
			return
		}
		var rest []string
		for _, x := range []float64{v.Mean, v.Std, v.Min, v.Max} {
			rest = append(rest, fmt.Sprintf("%.7g", x))
		}
		line(column, speaker, term.Commas(v.Count), rest...)
	}
	line("column", "speaker", "values", "mean", "std", "min", "max")
	const most = 20
	for _, c := range s.Columns {
		value(c.Name, "", c.Value)
		if len(c.Speakers) < 2 {
			continue
		}
		for _, one := range c.Speakers[:min(len(c.Speakers), most)] {
			value("", term.Line(one.Speaker), one.Value)
		}
		if more := len(c.Speakers) - most; more > 0 {
			line("", fmt.Sprintf("… and %s more: --json", term.Commas(more)), "")
		}
	}
}

// fastSpeech2 is stats.json of ming024's FastSpeech2 with normalization: of pitch and
// of energy the least and the greatest value after normalising, the mean and the deviation.
func fastSpeech2(s *stats.Stats) (any, error) {
	var file struct {
		Pitch  [4]float64 `json:"pitch"`
		Energy [4]float64 `json:"energy"`
	}
	for _, f := range []struct {
		to   *[4]float64
		from []string
	}{{&file.Pitch, []string{"pitch", "f0"}}, {&file.Energy, []string{"phone_energy", "energy"}}} {
		c, err := columnOf(s, "fastspeech2", f.from...)
		if err != nil {
			return nil, err
		}
		*f.to = [4]float64{0, 0, c.Mean, c.Std}
		if c.Std > 0 {
			f.to[0], f.to[1] = (c.Min-c.Mean)/c.Std, (c.Max-c.Mean)/c.Std
		}
	}
	return file, nil
}

// matcha is data_statistics of Matcha-TTS.
func matcha(s *stats.Stats) (any, error) {
	c, err := columnOf(s, "matcha", "mel")
	if err != nil {
		return nil, err
	}
	return struct {
		Mean float64 `json:"mel_mean"`
		Std  float64 `json:"mel_std"`
	}{c.Mean, c.Std}, nil
}

// columnOf is the first of some columns that the dataset has.
func columnOf(s *stats.Stats, trainer string, names ...string) (*stats.Column, error) {
	for _, name := range names {
		if c := s.Column(name); c != nil && c.Count > 0 {
			return c, nil
		}
	}
	name := names[len(names)-1]
	return nil, fmt.Errorf("%s needs values of %s, which the dataset does not have; features: [f0, energy] in the config computes f0 and energy", trainer, name)
}
