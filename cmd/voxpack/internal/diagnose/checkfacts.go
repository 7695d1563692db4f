package diagnose

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/diagnosis"
	"voxpack/diagnosis/runs"
	"voxpack/internal/config"
	"voxpack/internal/perf"
	"voxpack/store"
)

// configFacts are what rules read of a config.
func configFacts(path string, src []byte, file *config.Trainer) *diagnosis.Config {
	c := &diagnosis.Config{Ours: filepath.Base(path) == locate.ConfigName, Program: file.Program}
	open := map[diagnosis.Position]bool{}
	for _, s := range file.Settings {
		at := diagnosis.Position{Line: s.Line, Col: s.Col}
		c.Settings = append(c.Settings, diagnosis.Setting{Name: s.Name, Path: s.Path, Value: s.Text, At: at})
		open[at] = s.Named() || !c.Ours && trainersOwn(c.Settings[len(c.Settings)-1])
	}
	for _, s := range file.Strays {
		at := diagnosis.Position{Line: s.Line, Col: s.Col}
		c.Strays = append(c.Strays, diagnosis.Stray{Path: s.Path, Key: s.Key, Meant: s.Meant, Program: s.Program, At: at})
	}
	if file.Program == "" {
		c.Faults = faults(path, src, open)
	}
	return c
}

// autotune is the number by which TensorFlow chooses.
const autotune = "-1"

// frameworkChosen are the settings of which it chooses.
var frameworkChosen = []string{"num_workers", "prefetch_buffer_size", "pipeline_buffer_size"}

// trainersOwn reports whether a trainer reads a value that a dataset's config may not
// have: a choice of its framework, or a GPU by a name, as cuda:0.
func trainersOwn(s diagnosis.Setting) bool {
	_, whole := s.Whole()
	return s.Value == autotune && slices.Contains(frameworkChosen, s.Name) || !whole && (s.Name == "data_gpu" || s.Name == "model_gpu")
}

// bounds are further keys that contradict each other in any trainer.
var bounds = []string{"train_split", "val_split", "min_seconds", "max_seconds", "fmin", "fmax", "win_length", "hop_length"}

// faults are what the reader of a dataset's config says of numbers that an audit
// looks at: ranges, and bounds that contradict each other. Of other keys a trainer
// may have other ideas.
// Open is what the trainer or its framework fills in, which is no fault.
func faults(path string, src []byte, open map[diagnosis.Position]bool) (list []diagnosis.Fault) {
	numbers := slices.Clone(bounds)
	for _, k := range config.Keys() {
		if k.Kind == config.Int && slices.Contains(config.AuditedNames(), k.Name) {
			numbers = append(numbers, k.Name)
		}
	}
	_, problems := config.Load(path, src, intake.FormatNames())
	for _, p := range problems {
		at := diagnosis.Position{Line: p.Line, Col: p.Col}
		if _, name, _ := strings.Cut(p.Key, "."); !p.Warning && p.Line > 0 && !open[at] && slices.Contains(numbers, name) {
			list = append(list, diagnosis.Fault{Path: p.Key, Text: p.Message, Cure: p.Hint, At: at})
		}
	}
	return list
}

// lengths reads how long the rows of a dataset are, those that were too long too.
func (a *audited) lengths(ctx context.Context, c *diagnosis.Config, place locate.Place) error {
	if place.Store == "" {
		a.Unseen = append(a.Unseen, "no dataset here: how long its rows are (--dataset)")
		return nil
	}
	d, err := place.OpenDataset()
	if err != nil {
		return err
	}
	defer d.Store.Close()
	tokens, frames, _, err := rowLengths(d, func(int) error { return ctx.Err() })
	if err != nil {
		return err
	}
	a.Dataset, a.Rows = place.Store, len(tokens)
	if place.Dataset != "" {
		a.Dataset = place.Dataset
	}
	c.Made = map[string]string{}
	for _, n := range d.Root.Config {
		c.Made[n.Name] = n.Value
	}
	c.Text, c.Mel = lengthsOf(tokens, "tokens", c, "max_text_length"), lengthsOf(frames, "frames", c, "max_mel_frames")
	return nil
}

// rowLengths are the tokens and frames of each row of a dataset, of those that were
// too long too. Of untold rows, which an older version refused, nobody knows them.
// each is told of every shard before it is read.
func rowLengths(d *store.Dataset, each func(leaf int) error) (tokens, frames []int, untold int, err error) {
	for leaf := range d.Origins {
		if err := each(leaf); err != nil {
			return nil, nil, 0, err
		}
		o, err := d.Origin(leaf)
		if err != nil {
			return nil, nil, 0, err
		}
		for i := range o.Rows {
			tokens, frames = append(tokens, int(o.Rows[i].Tokens)), append(frames, int(o.Rows[i].Frames))
		}
	}
	rejected, err := d.Store.ReadRejections(d.Snapshot)
	for i := range rejected {
		r := &rejected[i]
		switch {
		case kind.Of(r.Kind) != kind.Overlong:
		case r.Row.Tokens > 0 && r.Row.Frames > 0:
			tokens, frames = append(tokens, int(r.Row.Tokens)), append(frames, int(r.Row.Frames))
		default:
			untold++
		}
	}
	return tokens, frames, untold, err
}

// lengthsOf sums up lengths, held against a maximum of the config.
func lengthsOf(list []int, unit string, c *diagnosis.Config, name string) *diagnosis.Lengths {
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	at := func(percent int) int { return list[min(len(list)-1, (len(list)*percent+99)/100-1)] }
	l := &diagnosis.Lengths{Rows: len(list), Median: at(50), P99: at(99), Longest: list[len(list)-1], Unit: unit}
	for _, s := range c.Settings {
		if most, whole := s.Whole(); s.Name == name && whole {
			fit, _ := slices.BinarySearch(list, most+1)
			l.Over = len(list) - fit
			break
		}
	}
	return l
}

// lastWork are the times of the dataset's last feed, if it had a trainer; a config can
// be checked without them.
func lastWork(place locate.Place) (diagnosis.Work, string) {
	record, err := perf.Latest(filepath.Join(place.Store, feedrun.RecordsName), "feed")
	if err != nil {
		return diagnosis.Work{}, ""
	}
	w, err := runs.WorkOf(record)
	if err != nil {
		return diagnosis.Work{}, ""
	}
	return w, fmt.Sprintf("of the last feed (%s)", record.Started.UTC().Format("2006-01-02 15:04"))
}
