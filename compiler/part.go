package compiler

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"voxpack/compiler/intake"
	"voxpack/compiler/plan"
	"voxpack/store"
)

// NewPlan reads the metadata of a dataset and says what its parts have to share. No audio is opened.
func NewPlan(ctx context.Context, o Options) (p plan.Plan, err error) {
	if o, _, err = o.ready(ctx); err != nil {
		return p, err
	}
	var m metadata
	if m.corpora, err = o.openCorpora(); err != nil {
		return p, err
	}
	if m.has, m.lines, err = readCorpora(m.corpora); err != nil {
		return p, err
	}
	if err := checkBlockSize(o.Config.schema(m.has), o.Config.PerShard); err != nil {
		return p, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	p = o.planned(&m)
	p.Dataset, p.Tool = o.Dataset, o.Tool
	p.Bits = plan.BitsFor(p.Rows, o.Config.PerShard)
	if p.HasSpeaker {
		p.Speakers = speakersOf(&o.Config, m.corpora)
	}
	return p, ctx.Err()
}

// planned is what a plan says of settings and metadata.
func (o *Options) planned(m *metadata) plan.Plan {
	p := plan.Plan{Format: plan.Format, Order: o.order(), HasSpeaker: m.has.speaker, HasLanguage: m.has.language, HasSplit: m.has.split}
	p.Rows, p.Metadata = sumMetadata(m.corpora)
	return p
}

// order is the digest of all that makes equal rows equal samples, but for programs in keys.
func (o *Options) order() string {
	var b []byte
	for _, list := range [][]store.Named{o.Config.settings(), o.Config.stages().Versions()} {
		for _, n := range list {
			b = fmt.Appendf(b, "%q=%q\n", n.Name, n.Value)
		}
		b = append(b, '\n')
	}
	b = fmt.Appendf(b, "%q", o.Config.Speakers)
	return store.Sum(b).String()
}

// fits refuses to build a part of a plan that was made of something else: its rows would not be those
// that the other parts leave to it.
func (o *Options) fits(m *metadata) error {
	if o.Part == nil {
		return nil
	}
	now, was := o.planned(m), o.Part.Plan
	switch {
	case now.Order != was.Order:
		return fmt.Errorf("%w: the config or this program is another than the one that the plan was made with (%s); make a new plan", plan.ErrPlan, was.Tool)
	case now.Metadata != was.Metadata || now.HasSpeaker != was.HasSpeaker || now.HasLanguage != was.HasLanguage || now.HasSplit != was.HasSplit:
		return fmt.Errorf("%w: the metadata is not what the plan was made of (%d rows now, %d then); make a new plan", plan.ErrPlan, now.Rows, was.Rows)
	}
	return nil
}

// sumMetadata counts the rows and sums them and the refused lines up, in no order: files of a tree are read
// side by side. The sum is that of 256-bit numbers, word by word, which is enough against mistakes.
func sumMetadata(corpora []*corpusFolder) (rows int, digest string) {
	var total [4]uint64
	add := func(line []byte) {
		d := store.Sum(line)
		for i := range total {
			total[i] += binary.LittleEndian.Uint64(d[8*i:])
		}
	}
	var line []byte
	for _, c := range corpora {
		rows += len(c.table.Rows)
		for i := range c.table.Rows {
			line = appendRow(line[:0], &c.table.Rows[i])
			add(line)
		}
		for _, e := range c.table.Errors {
			add(fmt.Appendf(line[:0], "refused %q %d %q %q", e.Pos.File, e.Pos.Line, e.ID, e.Err))
		}
	}
	var b []byte
	for _, v := range total {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return rows, store.Sum(binary.LittleEndian.AppendUint64(b, uint64(rows))).String()
}

// appendRow writes all that metadata says of a row.
func appendRow(b []byte, r *intake.Row) []byte {
	for _, s := range []string{r.Pos.File, r.ID, r.Text, r.Given, r.Speaker, r.Language, string(r.Split)} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	b = binary.AppendUvarint(b, uint64(r.Pos.Line))
	if r.HasGiven {
		b = append(b, 'g')
	}
	if a := r.Audio; a != nil {
		b = fmt.Appendf(b, "%q %d %q %d %d", a.Path, a.Member, a.Inner, a.From, a.Length)
	}
	return b
}

// speakersOf is the config's list, else the names of all rows, sorted. If none of a name's rows is kept the
// join cannot take the parts' numbers, since one build would not have had the name.
func speakersOf(cfg *Config, corpora []*corpusFolder) []string {
	if cfg.Speakers != nil {
		return cfg.Speakers
	}
	names := map[string]bool{}
	for _, c := range corpora {
		for i := range c.table.Rows {
			names[c.table.Rows[i].Speaker] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// BuildPart builds one part of a plan into o.Store, and leaves its result there.
func BuildPart(ctx context.Context, o Options) (*Report, error) {
	if err := plan.Forget(o.Store); err != nil {
		return nil, err
	}
	report, err := Build(ctx, o)
	if err != nil || report.DryRun {
		return report, err
	}
	r := plan.Result{Plan: o.Part.Plan, Part: o.Part.Index, Parts: o.Part.Of, Snapshot: report.Snapshot, Speakers: report.speakers}
	if err := r.Write(o.Store); err != nil {
		return report, fmt.Errorf("the part is built, but not marked as finished: %w", err)
	}
	return report, nil
}
