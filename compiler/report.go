package compiler

import (
	"encoding/json"
	"slices"

	"voxpack/compiler/action"
	"voxpack/compiler/kind"
	"voxpack/store"
	"voxpack/textnorm"
)

// Report is what a build did; its JSON is that of build --json.
type Report struct {
	Dataset         string                  `json:"dataset"` // root digest
	Snapshot        string                  `json:"snapshot"`
	Parent          string                  `json:"parent"`
	Store           string                  `json:"store"`
	Read            []ReadCorpus            `json:"read"`
	Rows            RowCounts               `json:"rows"`
	Shards          ShardCounts             `json:"shards"`
	Blocks          BlockCounts             `json:"blocks"`
	Stages          map[string]action.Count `json:"stages"`
	Rejections      []RejectedRow           `json:"rejections"` // all, in file order; the first 1,000 in JSON
	RejectionsTotal int                     `json:"rejections_total"`
	Notes           []NoteCount             `json:"notes"`
	Languages       map[string]int          `json:"languages"` // kept rows by code
	Suggestions     []Suggestion            `json:"suggestions"`
	BytesWritten    int64                   `json:"bytes_written"`
	Seconds         float64                 `json:"seconds"`
	Warnings        []string                `json:"warnings,omitempty"`
	DryRun          bool                    `json:"dry_run,omitempty"`
	WouldWrite      int64                   `json:"would_write,omitempty"` // bytes of samples, of a dry run
	Loss            *Loss                   `json:"loss,omitempty"`        // for which the build has stopped

	speakers    []string // of the rows that were kept; of a part alone, and nil where the config lists them
	Told        int      `json:"-"` // kept rows whose language their text has told
	UpToDate    bool     `json:"-"` // the ref was left alone
	RootChanged bool     `json:"-"` // the dataset's identity is another
	AtMost      bool     `json:"-"` // of a dry run: some of what would be written may turn out to be there
}

// RowCounts counts rows: total = kept + rejected. Equal repeated rows are one.
type RowCounts struct {
	Total    int `json:"total"`
	Kept     int `json:"kept"`
	Rejected int `json:"rejected"`
	Noted    int `json:"noted"` // kept, with at least one note
}

// ShardCounts counts shards of the new root.
type ShardCounts struct {
	Total   int `json:"total"`
	Written int `json:"written"`
	Reused  int `json:"reused"`
}

// BlockCounts counts blocks of the new root.
type BlockCounts struct {
	Written int `json:"written"`
	Reused  int `json:"reused"`
}

// RejectedRow is a row that was left out.
type RejectedRow struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	ID     string `json:"id"`
	Stage  string `json:"stage"`
	Kind   string `json:"kind"` // one of kind.Rejections
	Reason string `json:"reason"`
}

// RejectedRowOf is what a report says of a rejection.
func RejectedRowOf(x *store.Rejection) RejectedRow {
	return RejectedRow{x.File, x.Line, x.ID, x.Stage, string(kind.Of(x.Kind)), x.Reason}
}

// String is "metadata.csv:12: LJ001-0001: mel: 831 frames, …".
func (r RejectedRow) String() string {
	return (&store.Rejection{File: r.File, Line: r.Line, ID: r.ID, Stage: r.Stage, Reason: r.Reason}).String()
}

// ReadCorpus is what a snapshot keeps of how the metadata of a corpus was read.
type ReadCorpus = store.Source

// NoteCount is what a snapshot keeps of the notes of its rows.
type NoteCount = store.NoteCount

// Suggestion is one setting with the number of rows that would be kept with it.
type Suggestion struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	Keeps int    `json:"keeps"`
}

// report counts what the build did. same: the snapshot is the previous one.
func (b *build) report(r *records, same bool) *Report {
	rep := &Report{
		Dataset: r.root.String(), Store: b.Store, Read: append([]ReadCorpus{}, r.snap.Read...), Stages: map[string]action.Count{}, Languages: map[string]int{}, Rejections: []RejectedRow{}, Notes: append([]NoteCount{}, r.snap.Notes...),
		Rows:            RowCounts{Total: r.snap.Kept + r.snap.Rejected, Kept: r.snap.Kept, Rejected: r.snap.Rejected, Noted: r.snap.Noted},
		RejectionsTotal: len(b.rejected), Suggestions: b.suggestions(), Warnings: b.warnings,
		UpToDate: same, RootChanged: b.prev == nil || b.prev.Snapshot.Root != r.root,
	}
	b.countStages(rep)
	for _, it := range b.layout.rows {
		end := it.end()
		rep.Languages[end.language]++
		if end.told {
			rep.Told++
		}
	}
	blocks := len(b.layout.schema.Blocks())
	// Blocks of leaves that nobody worked are reused without a look.
	worked := b.counts.blocksWritten + b.counts.blocksReused
	written := min(b.counts.shardsWritten, len(b.layout.tasks)) // more where leaves were laid out again
	rep.Shards = ShardCounts{Total: len(b.layout.tasks), Written: written, Reused: len(b.layout.tasks) - written}
	rep.Blocks = BlockCounts{Written: b.counts.blocksWritten, Reused: max(0, b.counts.blocksReused+blocks*len(b.layout.tasks)-worked)}
	if b.Part != nil && b.has.speaker && b.Config.Speakers == nil {
		rep.speakers = append([]string{}, speakerTable(&b.Config, b.layout.rows)...)
	}
	for i := range b.rejected {
		rep.Rejections = append(rep.Rejections, RejectedRowOf(&b.rejected[i]))
	}
	rep.Seconds = b.Now().Sub(b.since).Seconds()
	return rep
}

// countStages counts rows by what became of them in each stage. A row that is
// left out never reaches the mel.
func (b *build) countStages(rep *Report) {
	stages := b.Config.stages()
	var counts [action.Most]action.Count
	for i := range b.items {
		it := &b.items[i]
		for at := range stages.End() {
			switch {
			case it.computed.Has(at) || b.Config.isNumber(at) && it.own != nil && it.own.ran.Has(at) || at < action.Mel && it.ran[at]:
				counts[at].Run++
			case at >= action.Mel && it.kept() || at < action.Mel && it.reached[at]:
				counts[at].Hit++
			}
		}
	}
	for at := range stages.End() {
		if stages.Has(at) {
			rep.Stages[stages.Name(at)] = counts[at]
		}
	}
}

// ran is what the snapshot keeps of the counts: explain tells by them what was computed and
// what came from the memo. In the order of the stages, since a snapshot has one form.
func (r *Report) ran(stages action.Set) []store.StageCount {
	var list []store.StageCount
	for at := range stages.End() {
		if c, used := r.Stages[stages.Name(at)]; used {
			list = append(list, store.StageCount{Stage: stages.Name(at), Run: uint64(c.Run), Hit: uint64(c.Hit)})
		}
	}
	return list
}

// suggestions are the settings that would keep rejected rows, the one that
// keeps the most first. A row counts only where nothing else is wrong with it.
func (b *build) suggestions() []Suggestion {
	kept := len(b.layout.rows)
	frames, tokens, unknown := 0, 0, 0
	framesRows, tokensRows := 0, 0
	for i := range b.items {
		it := &b.items[i]
		if len(it.problems) != 1 {
			continue
		}
		switch p := it.problems[0]; {
		case p.stage == action.NameMel && int(it.made.Frames) > b.Config.Shape.MaxMelFrames:
			frames, framesRows = max(frames, int(it.made.Frames)), framesRows+1
		case p.stage == action.NameTokens && int(it.made.Tokens) > b.Config.Shape.MaxTextLength:
			tokens, tokensRows = max(tokens, int(it.made.Tokens)), tokensRows+1
		case p.stage == action.NameTokens && b.Config.Tokens.Unknown == textnorm.UnknownReject && hasUnknown(it.made):
			unknown++
		}
	}
	out := []Suggestion{}
	add := func(key string, value any, rows int) {
		if rows > 0 {
			out = append(out, Suggestion{key, value, kept + rows})
		}
	}
	add("max_mel_frames", frames, framesRows)
	add("max_text_length", tokens, tokensRows)
	add("unknown", "drop", unknown)
	slices.SortStableFunc(out, func(a, b Suggestion) int { return b.Keeps - a.Keeps })
	return out
}

// hasUnknown reports whether the tokenizer met a character without a symbol.
func hasUnknown(r *store.OriginRow) bool {
	return slices.ContainsFunc(r.Notes, func(n store.Note) bool { return n.Stage == action.NameTokens && n.Kind == textnorm.NoteUnknown })
}

// maxRejectionsJSON bounds an object that programs read whole; the store has
// the rest, and rejections_total says how many there are.
const maxRejectionsJSON = 1000

// MarshalJSON is the report with the first 1,000 rejections.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report // without this method
	r.Rejections = r.Rejections[:min(len(r.Rejections), maxRejectionsJSON)]
	return json.Marshal(plain(r))
}
