package settings

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"voxpack/compiler"
	"voxpack/compiler/column"
	"voxpack/internal/config"
	"voxpack/store"
)

// translateColumns turns the sections of `columns` into columns of the user's own, and
// says what is wrong with them at the lines of their keys.
func translateColumns(c config.Config, found []config.Problem) (list []column.Config, problems []config.Problem) {
	of := map[string]config.Column{}
	for _, own := range c.Columns.Own {
		of[own.Name] = own
		if _, err := strconv.Atoi(own.Length); err == nil && own.Max != 0 {
			problems = append(problems, c.ColumnProblem(own, "max", "is for length: own alone", "the length says it already: take max away"))
		}
		one := translateColumn(c, own)
		run, bad := translateRun(c, own)
		one.Run, problems = run, append(problems, bad...)
		one.Sound, bad = translateSound(c, own)
		problems = append(problems, bad...)
		list = append(list, one)
	}
	list = column.Resolve(list, translateMel(c))
	for _, err := range compiler.CheckColumns(list, column.Limits{Tokens: c.Shape.MaxTextLength, Frames: c.Shape.MaxMelFrames}) {
		var part *column.PartError
		if !errors.As(err, &part) {
			problems = append(problems, c.Problem("columns", err.Error(), ""))
			continue
		}
		p, own := c.ColumnProblem(of[part.Column], part.Part, part.What, ""), of[part.Column]
		said := slices.ContainsFunc(found, func(f config.Problem) bool { return f.Key == p.Key && f.Part == p.Part })
		if said || own.Wrong() && !own.Has(part.Part) { // what could not be read is not complained of twice
			continue
		}
		problems = append(problems, p)
	}
	return list, problems
}

// translateSound turns the keys of a column that is made of sound into its feature; nil: it is not.
func translateSound(c config.Config, own config.Column) (s *column.Sound, problems []config.Problem) {
	wrong, what := []string{"by", "n_mels", "fmin", "fmax"}, "is for a column of a feature, which has feature"
	if own.Has("feature") {
		s = &column.Sound{Feature: own.Feature, NMels: own.NMels, By: own.By}
		if own.Has("fmin") {
			s.FMin = &own.FMin
		}
		if own.Has("fmax") {
			s.FMax = &own.FMax
		}
		wrong, what = []string{"length", "max", "shape"}, "follows from the feature"
	}
	for _, key := range wrong {
		if own.Has(key) {
			problems = append(problems, c.ColumnProblem(own, key, what, "take it away"))
		}
	}
	return s, problems
}

func translateColumn(c config.Config, own config.Column) column.Config {
	out := column.Config{Name: own.Name, From: own.From, Field: own.Field, Length: column.Length(own.Length), Steps: own.Max, Shape: own.Shape, Pad: own.Pad,
		Tier: own.Tier, Unit: column.Unit(own.Unit), Symbols: own.Symbols, Silence: own.Silence}
	for _, t := range []store.DType{store.Float32, store.Float16, store.BFloat16, store.Int32, store.Int16} {
		if t.String() == own.DType {
			out.DType = t
		}
	}
	if n, err := strconv.Atoi(own.Length); err == nil {
		out.Length, out.Steps = column.Fixed, n
	}
	if out.ReadsFrames() { // an alignment: numbers of frames or symbols, one for each token unless it is said
		out.Rate, out.Hop = c.Audio.SampleRate, c.Mel.HopLength
		if !own.Has("dtype") {
			out.DType = store.Int32
		}
		out.Length = cmp.Or(out.Length, column.Tokens)
	}
	return out
}
