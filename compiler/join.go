package compiler

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/plan"
	"voxpack/store"
)

// JoinOptions says what is joined, and where to.
type JoinOptions struct {
	Parts []string // stores of finished parts, in any order
	Store string   // made where there is none
	Tool  string   // name and version of the program, kept in the snapshot
	Now   func() time.Time
	// Progress, if not nil, is told how many parts are linked.
	Progress func(done int)
	// Build builds the dataset into Store, where it finds everything already: for the few cases in
	// which the pages of parts are not those of one build. why says which.
	Build func(ctx context.Context, why string) (*Report, error)
}

// JoinReport says what Join did.
type JoinReport struct {
	Store    string    `json:"store"`
	Parts    int       `json:"parts"`
	Dataset  string    `json:"dataset"` // root digest
	Snapshot string    `json:"snapshot"`
	Rows     RowCounts `json:"rows"`
	Shards   int       `json:"shards"`
	store.ImportReport
	Built    string   `json:"built"` // why a build had to lay out the rows; "": the parts' pages were taken as they are
	UpToDate bool     `json:"up_to_date"`
	Seconds  float64  `json:"seconds"`
	Warnings []string `json:"warnings"`
}

// join is one call of Join.
type join struct {
	JoinOptions
	parts  []*joined // by their numbers
	w      *store.Writer
	report *JoinReport
}

// joined is one part.
type joined struct {
	plan.Result
	dir  string
	st   *store.Store
	snap *store.Snapshot
	root *store.Root
}

// Join makes of finished parts of one plan the dataset that one build would have made: packs are linked or
// copied, pages below whole prefixes are taken as they are, and what the caches know goes along. What it
// reads and writes grows with the number of parts, their rejections and what their caches hold, not with their samples.
//
// Parts that are missing, doubled, unfinished or of other plans: plan.ErrPlan, with all of them.
func Join(ctx context.Context, o JoinOptions) (report *JoinReport, err error) {
	since := o.Now()
	j := &join{JoinOptions: o, report: &JoinReport{Store: o.Store, Parts: len(o.Parts), Warnings: []string{}}}
	defer func() { err = errors.Join(err, j.close()) }()
	if err := j.open(); err != nil {
		return nil, err
	}
	if err := j.bring(ctx); err != nil {
		return nil, err
	}
	if j.report.Built, err = j.odd(); err != nil {
		return nil, err
	}
	if j.report.Built == "" {
		err = j.publish(ctx)
	} else {
		err = j.build(ctx)
	}
	j.report.Seconds = o.Now().Sub(since).Seconds()
	return j.report, err
}

func (j *join) close() (err error) {
	if j.w != nil {
		err = j.w.Close()
	}
	for _, p := range j.parts {
		if p != nil && p.st != nil {
			err = errors.Join(err, p.st.Close())
		}
	}
	return err
}

// open reads what each part says of itself and puts them into their order.
func (j *join) open() error {
	var problems []error
	if len(j.Parts) == 0 {
		return fmt.Errorf("%w: no part to join", plan.ErrPlan)
	}
	var all []*joined
	for _, dir := range j.Parts {
		r, err := plan.ReadResult(dir)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		all = append(all, &joined{Result: r, dir: dir})
	}
	if problems = append(problems, inOrder(all)...); len(problems) > 0 {
		return errors.Join(problems...)
	}
	slices.SortFunc(all, func(a, b *joined) int { return cmp.Compare(a.Part, b.Part) })
	for j.parts = all; len(all) > 0; all = all[1:] {
		if err := all[0].open(); err != nil {
			return fmt.Errorf("part %d, %s: %w", all[0].Part, all[0].dir, err)
		}
	}
	return nil
}

// inOrder says what is wrong with parts as a whole.
func inOrder(parts []*joined) (problems []error) {
	at := map[int]string{}
	for _, p := range parts {
		first := parts[0]
		switch before, again := at[p.Part]; {
		case p.Plan.Digest() != first.Plan.Digest():
			problems = append(problems, fmt.Errorf("%w: %s is a part of another plan than %s", plan.ErrPlan, p.dir, first.dir))
			continue
		case p.Parts != first.Parts:
			problems = append(problems, fmt.Errorf("%w: %s is one of %d parts, %s one of %d", plan.ErrPlan, p.dir, p.Parts, first.dir, first.Parts))
			continue
		case again:
			problems = append(problems, fmt.Errorf("%w: %s and %s are both part %d", plan.ErrPlan, before, p.dir, p.Part))
		}
		at[p.Part] = p.dir
	}
	if len(parts) == 0 || len(problems) > 0 {
		return problems
	}
	var missing []string
	for i := range parts[0].Parts {
		if _, there := at[i]; !there {
			missing = append(missing, fmt.Sprintf("%d/%d", i, parts[0].Parts))
		}
	}
	if n := len(missing); n > 0 {
		return []error{fmt.Errorf("%w: %s not there: --part %s", plan.ErrPlan, counted(n, "part is", "parts are"), strings.Join(missing[:min(n, 20)], ", "))}
	}
	return nil
}

// open opens the store of a part.
func (p *joined) open() error {
	digest, err := store.ParseDigest(p.Snapshot)
	if err != nil {
		return fmt.Errorf("%w: the snapshot %q of its result: %w", plan.ErrPlan, p.Snapshot, err)
	}
	if p.st, err = store.Open(p.dir); err != nil {
		return err
	}
	if p.snap, err = p.st.ReadSnapshot(digest); err != nil {
		return err
	}
	p.root, err = p.st.ReadRoot(p.snap.Root)
	return err
}

// bring takes over packs and caches.
func (j *join) bring(ctx context.Context) (err error) {
	if j.w, err = store.OpenWriter(j.Store, store.WriterOptions{}); err != nil {
		return err
	}
	if store.HasLeftovers(j.Store) {
		if _, _, err := j.w.Adopt(ctx); err != nil {
			return err
		}
	}
	for i, p := range j.parts {
		if j.Progress != nil {
			j.Progress(i)
		}
		r, err := j.w.Import(ctx, p.st)
		j.report.Packs, j.report.Linked, j.report.Copied = j.report.Packs+r.Packs, j.report.Linked+r.Linked, j.report.Copied+r.Copied
		if err != nil {
			return err
		}
	}
	if err := j.caches(ctx); ctx.Err() == nil && err != nil {
		j.report.Warnings = append(j.report.Warnings, fmt.Sprintf("what the parts remember could not be taken over (%v); the next build hashes and reads more than it must", err))
	}
	return ctx.Err()
}

// caches puts together what the caches of the parts know, and what that of the store knew.
func (j *join) caches(ctx context.Context) (err error) {
	into, err := store.OpenCache(j.Store)
	if err != nil {
		return err
	}
	from := []*store.Cache{into}
	defer func() {
		for _, cache := range from {
			err = errors.Join(err, cache.Close())
		}
	}()
	for _, p := range j.parts {
		cache, open := store.OpenCacheReadOnly(p.dir) // nil where it cannot be opened, and then it misses
		from, err = append(from, cache), errors.Join(err, open)
	}
	run := runs[store.Pair]{put: func(list []store.Pair) error { return into.Put(list...) }}
	put := func(key, value []byte) error {
		return run.add(ctx, store.Pair{Key: key, Value: value}, len(key)+len(value))
	}
	err = errors.Join(err, clip.JoinStats(from, put))
	for _, cache := range from[1:] {
		err = errors.Join(err, action.CopyMemo(cache, put))
	}
	return errors.Join(err, run.flush(ctx))
}

// odd says why the parts' pages cannot be those of one build, "" where they are.
func (j *join) odd() (string, error) {
	first := j.parts[0]
	for _, p := range j.parts[1:] {
		if !bytes.Equal(bare(p.root), bare(first.root)) {
			return fmt.Sprintf("the settings of part %d are not those of part 0", p.Part), nil
		}
	}
	kept := 0
	for _, p := range j.parts {
		kept += p.root.Rows
	}
	if kept == 0 {
		return "no row was kept", nil
	}
	if first.Speakers != nil {
		names := map[string]bool{}
		for _, p := range j.parts {
			for _, name := range p.Speakers {
				names[name] = true
			}
		}
		if !slices.Equal(slices.Sorted(maps.Keys(names)), first.Plan.Speakers) {
			return "some speakers have no row that was kept, so that others have other numbers", nil
		}
	}
	return j.folded()
}

// bare is a root without what differs between parts.
func bare(r *store.Root) []byte {
	c := *r
	c.Trie, c.Rows, c.Shards = store.Digest{}, 0, 0
	return c.Encode()
}

// folded looks for prefixes that one build would not have split, since too few of their rows were kept.
func (j *join) folded() (string, error) {
	bits := j.parts[0].Plan.Bits
	if bits == 0 {
		return "", nil
	}
	rows := map[uint64]int{}
	for _, p := range j.parts {
		below, err := store.RowsByPrefix(p.root.Trie, bits, j.page)
		if err != nil {
			return "", err
		}
		for prefix, n := range below {
			rows[prefix>>(65-bits)] += n
		}
	}
	for _, n := range rows {
		if n <= j.parts[0].root.PerShard {
			return "so few rows were kept that one build would have fewer shards", nil
		}
	}
	return "", nil
}

func (j *join) page(d store.Digest) ([]byte, error) { return j.w.Store().Get(store.KindPage, d) }

// publish makes the root and the snapshot and moves main.
func (j *join) publish(ctx context.Context) error {
	r := &records{}
	root := *j.parts[0].root
	root.Rows, root.Shards = 0, 0
	var tries, origins []store.Digest
	for _, p := range j.parts {
		tries, origins = append(tries, p.root.Trie), append(origins, p.snap.Origins)
		root.Rows, root.Shards = root.Rows+p.root.Rows, root.Shards+p.root.Shards
	}
	put := func(page []byte) (store.Digest, error) { return r.add(store.KindPage, page), nil }
	var err error
	if root.Trie, err = store.JoinTries(tries, j.page, put); err != nil {
		return err
	}
	if r.snap.Origins, err = store.JoinTries(origins, j.page, put); err != nil {
		return err
	}
	r.root = r.add(store.KindRoot, root.Encode())
	r.snap.Root = r.root
	if err := j.rejections(ctx, r); err != nil {
		return err
	}
	j.sum(&r.snap)
	return j.commit(ctx, r, root.Shards)
}

// rejections merges those of the parts, in file order.
func (j *join) rejections(ctx context.Context, r *records) error {
	var all []store.Rejection
	for _, p := range j.parts {
		list, err := p.st.ReadRejectionsUntil(ctx, p.snap)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b store.Rejection) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	list, pages, err := store.EncodeRejections(ctx, all)
	if err != nil {
		return err
	}
	for _, p := range pages {
		r.add(store.KindList, p)
	}
	r.snap.Rejections, r.snap.Rejected = r.add(store.KindList, list), len(all)
	return nil
}

// sum adds up what snapshots count. Parts are in the order of places, and so are the examples of their notes.
func (j *join) sum(into *store.Snapshot) {
	ran := map[string]int{}
	for _, p := range j.parts {
		s := p.snap
		into.Kept, into.Noted = into.Kept+s.Kept, into.Noted+s.Noted
		into.Notes = append(into.Notes, s.Notes...)
		for _, c := range s.Ran {
			at, seen := ran[c.Stage]
			if !seen {
				at, ran[c.Stage] = len(into.Ran), len(into.Ran)
				into.Ran = append(into.Ran, store.StageCount{Stage: c.Stage})
			}
			into.Ran[at].Run, into.Ran[at].Hit = into.Ran[at].Run+c.Run, into.Ran[at].Hit+c.Hit
		}
	}
	into.Read = j.parts[0].snap.Read
	slices.SortStableFunc(into.Notes, compareNotes)
	sums := into.Notes[:0]
	for _, n := range into.Notes {
		if last := len(sums) - 1; last >= 0 && compareNotes(sums[last], n) == 0 {
			sums[last].Count, sums[last].Rows = sums[last].Count+n.Count, sums[last].Rows+n.Rows
			examples := append(slices.Clip(sums[last].Examples), n.Examples...)
			sums[last].Examples = examples[:min(len(examples), noteExamples)]
			continue
		}
		sums = append(sums, n)
	}
	into.Notes = sums
}

// commit stores what is new and moves main, unless it says the same already. Another dataset there is for a
// build to compare with.
func (j *join) commit(ctx context.Context, r *records, shards int) error {
	rep := j.report
	rep.Dataset, rep.Shards = r.root.String(), shards
	rep.Rows = RowCounts{Total: r.snap.Kept + r.snap.Rejected, Kept: r.snap.Kept, Rejected: r.snap.Rejected, Noted: r.snap.Noted}
	head, err := j.w.Store().Ref(MainRef)
	if err == nil {
		if was, err := j.w.Store().ReadSnapshot(head); err == nil && was.Content() == r.snap.Content() {
			rep.UpToDate, rep.Snapshot = true, head.String()
			return nil
		}
	}
	if !errors.Is(err, store.ErrNotFound) {
		rep.Built = "the store has a dataset already"
		return j.build(ctx)
	}
	r.snap.Time, r.snap.Tool = j.Now().UnixNano(), j.Tool
	digest := r.add(store.KindSnapshot, r.snap.Encode())
	if err := j.w.Put(r.entries); err != nil {
		return err
	}
	rep.Snapshot = digest.String()
	return j.w.Commit(ctx, MainRef, digest)
}

// build leaves the rest to a build, which finds all that the parts have made.
func (j *join) build(ctx context.Context) error {
	if err := j.w.Close(); err != nil {
		return err
	}
	report, err := j.Build(ctx, j.report.Built)
	if err != nil {
		return err
	}
	rep := j.report
	rep.Dataset, rep.Snapshot, rep.Rows, rep.Shards, rep.UpToDate = report.Dataset, report.Snapshot, report.Rows, report.Shards.Total, report.UpToDate
	rep.Warnings = append(rep.Warnings, report.Warnings...)
	return nil
}
