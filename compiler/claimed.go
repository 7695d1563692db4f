package compiler

import (
	"context"
	"errors"
)

// The survey takes a compressed file at its word for how long it is (codec's Claim), so
// that a build decodes it once, in the work, which proves the word. A row is refused
// only for what was decoded, and nothing is remembered of a claim. Where one turns out to
// be wrong, the leaf of that row is not written; when all leaves are worked, such rows are
// surveyed again with decoding, and the rows that are left are laid out again. The work
// then finds what it did by the traces in the pack that is being written. A dry run and
// verify decode first, so that they say what a build comes to.

// errUnproven: the samples of a clip are not what its file claimed, or there are none.
var errUnproven = errors.New("a file does not hold what it claims")

// prove finds out the fate of rows that are doubted, and reports whether there were any.
func (b *build) prove(ctx context.Context, doubted func(*item) bool) (again bool, err error) {
	var list []*item
	for i := range b.items {
		if it := &b.items[i]; doubted(it) {
			list = append(list, it)
		}
	}
	if len(list) == 0 {
		return false, nil
	}
	b.proved = true
	surveyors := make([]*surveyor, b.Workers)
	filter := newRowFilter(b.cfg)
	for w := range surveyors {
		if surveyors[w], err = b.newSurveyor(filter); err != nil {
			return false, err
		}
		surveyors[w].firstBuild = b.st == nil
	}
	return true, parallel(ctx, b.Workers, len(list), func(w, i int) (err error) {
		it := list[i]
		it.work = work{}
		if it.fate, err = surveyors[w].proven(ctx, &it.input); err != nil {
			return err
		}
		return b.fault()
	})
}

// proven surveys a row whose file is not taken at its word.
func (s *surveyor) proven(ctx context.Context, in *input) (fate, error) {
	claims := s.clips.Claims
	s.clips.Claims = false
	defer func() { s.clips.Claims = claims }()
	return s.survey(ctx, in)
}
