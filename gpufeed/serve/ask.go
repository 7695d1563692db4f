package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/stats"
	"voxpack/store"
)

// Question is what a consumer asks besides batches. An answer, a refusal too,
// leaves its batches as they are.
type Question struct {
	Texts    json.RawMessage `json:"texts,omitempty"`    // encode: a list of strings
	Language string          `json:"language,omitempty"` // encode: of the texts; "": as the dataset's config says
	IDs      json.RawMessage `json:"ids,omitempty"`      // decode: a list of lists of ids
	ID       string          `json:"id,omitempty"`       // row
	From     int             `json:"from,omitempty"`     // rows: the number of the first one
	Count    int             `json:"count,omitempty"`    // rows: how many at most; 0: mostRows
	Place    bool            `json:"place,omitempty"`    // row: where in the metadata it stands, which takes reading that
	Epoch    uint64          `json:"epoch,omitempty"`    // batch
	Index    int             `json:"index,omitempty"`    // batch: in its epoch
	Session  int             `json:"session,omitempty"`  // steps: its id
	Last     int             `json:"last,omitempty"`     // steps: how many at most
}

// Words are what only those know who know text and metadata; nil: nobody does.
type Words struct {
	FrontEnd func() (*FrontEnd, error)       // what the dataset's text is read by; called once, when it is first wanted
	Place    func(id string) string          // file:line of a row, "" where it is not known
	Missing  func(id string) (string, error) // a sentence on an id that the dataset does not have
	Page     func() (any, error)             // what a person wants to know of the dataset, as JSON
}

// FrontEnd reads text as that of the rows was read. Its functions are called
// from several goroutines at once.
type FrontEnd struct {
	Encode   func(ctx context.Context, text, language string) (Line, error) // an error is about the question
	Decode   func(ids []int32) string
	Warnings []string // in what its results can differ from those of the build
}

// Line is what became of a text.
type Line struct {
	IDs      []int32    `json:"ids"`
	Spoken   string     `json:"spoken"`
	Phonemes string     `json:"phonemes,omitempty"` // that the ids are made of
	Language string     `json:"language"`
	Notes    []LineNote `json:"notes"`
	Error    string     `json:"error,omitempty"` // why it has no ids: a build would reject the row
}

// LineNote is something that a stage did to a text.
type LineNote struct {
	Stage  string `json:"stage"` // lexicon, text or tokens
	Kind   string `json:"kind"`
	At     int    `json:"at"` // byte in the text that the stage read
	Detail string `json:"detail"`
}

// Encoded answers encode, a line for each text.
type Encoded struct {
	Type     string   `json:"type"`
	Lines    []Line   `json:"lines"`
	Warnings []string `json:"warnings"`
}

// Decoded answers decode, a text for each list.
type Decoded struct {
	Type  string   `json:"type"`
	Texts []string `json:"texts"`
}

// Row answers row; the descriptor of its columns' values comes with it.
type Row struct {
	Type string `json:"type"`
	About
	Place  string   `json:"place"` // file:line
	Fields []Tensor `json:"fields"`
	Bytes  int      `json:"bytes"` // of the file
}

// RowNote is something that a stage of the build did to a row.
type RowNote struct {
	Stage  string `json:"stage"`
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
	Count  uint32 `json:"count"`
}

// Batch answers batch; the descriptor of its memory comes with it, in the layout
// of its bucket.
type Batch struct {
	Type   string   `json:"type"`
	Epoch  uint64   `json:"epoch"`
	Index  int      `json:"index"`
	Bucket int      `json:"bucket"`
	Lost   int      `json:"lost"`
	Rows   []uint32 `json:"rows"`
	IDs    []string `json:"ids"`
	Bytes  int      `json:"bytes"`
}

// Described answers describe.
type Described struct {
	Type   string         `json:"type"`
	Page   any            `json:"page"`
	Splits map[string]int `json:"splits"` // rows of all, train, val and test
}

// Statistics answers stats.
type Statistics struct {
	Type  string       `json:"type"`
	Stats *stats.Stats `json:"stats"`
}

// Refusal is a Failure to answer: the session goes on.
type Refusal struct {
	Failure
	Of string `json:"of"` // type of the question
}

// library is what questions need, made when the first one does.
type library struct {
	mu     sync.Mutex
	front  *FrontEnd
	reader *gpufeed.Reader
	set    *plan.Set // of all rows
	layout *gpufeed.Layout
}

// ask answers a question. An error is that of the connection.
func (x *session) ask(ctx context.Context, r Request) error {
	answer, file, err := x.reply(ctx, r)
	if err != nil {
		return x.send(Refusal{Failure{"error", kind(err), err.Error()}, r.Type})
	}
	if file < 0 {
		return x.send(answer)
	}
	defer unix.Close(file)
	return x.send(answer, file)
}

// reply is the answer to a question, with its descriptor, which is -1 for none.
func (x *session) reply(ctx context.Context, r Request) (answer any, file int, err error) {
	if err := r.check(); err != nil {
		return nil, -1, err
	}
	switch r.Type {
	case "encode":
		answer, err = x.server.encode(ctx, r.Question)
	case "decode":
		answer, err = x.server.decode(r.Question)
	case "describe":
		answer, err = x.server.page(r.Val)
	case "stats":
		answer, err = x.server.statistics(ctx)
	case "row":
		return x.server.row(r.ID, r.Place)
	case "rows":
		answer, err = x.server.list(ctx, r.From, r.Count)
	case "batch":
		return x.batch(r.Epoch, r.Index)
	case "sessions":
		answer = x.server.sessionsNow()
	case "steps":
		answer, err = x.server.stepsOf(r.Session, r.Last)
	}
	return answer, -1, err
}

// askedError is an error in what was asked for, and reads as its cause.
type askedError struct{ error }

// Unwrap says that something else may be had.
func (e askedError) Unwrap() []error { return []error{e.error, plan.ErrConfig} }

func asked(format string, args ...any) error { return askedError{fmt.Errorf(format, args...)} }

func (s *Server) encode(ctx context.Context, q Question) (any, error) {
	front, err := s.frontEnd()
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(q.Texts) {
		return nil, asked("encode: the texts are not UTF-8")
	}
	texts, err := list[string](q.Texts, mostTexts)
	if err != nil {
		return nil, asked("encode: texts: %w", err)
	}
	total := 0
	for i, text := range texts {
		if total += len(text); total > mostText {
			return nil, asked("encode: over %d bytes up to text %d; ask in portions", mostText, i)
		}
	}
	e := Encoded{Type: "encoded", Lines: make([]Line, 0, len(texts)), Warnings: append([]string{}, front.Warnings...)}
	for i, text := range texts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line, err := front.Encode(ctx, text, q.Language)
		if err != nil {
			return nil, asked("encode: text %d: %w", i, err)
		}
		e.Lines = append(e.Lines, line)
	}
	return e, nil
}

func (s *Server) decode(q Question) (any, error) {
	front, err := s.frontEnd()
	if err != nil {
		return nil, err
	}
	lists, err := list[json.RawMessage](q.IDs, mostTexts)
	if err != nil {
		return nil, asked("decode: ids: %w", err)
	}
	left := mostIDs
	d := Decoded{Type: "decoded", Texts: make([]string, 0, len(lists))}
	for i, raw := range lists {
		ids, err := numbers(raw, left)
		if err != nil {
			return nil, asked("decode: list %d: %w", i, err)
		}
		left -= len(ids)
		d.Texts = append(d.Texts, front.Decode(ids))
	}
	return d, nil
}

// numbers reads a list of ids in JSON, at most `most` of them.
func numbers(raw json.RawMessage, most int) (ids []int32, err error) {
	const longest = len("-2147483648, ")
	if len(raw) <= longest*(most+1) {
		err = json.Unmarshal(raw, &ids)
	}
	switch {
	case err != nil:
		return nil, err
	case len(raw) > longest*(most+1) || len(ids) > most:
		return nil, fmt.Errorf("more than one question takes, %d in all; ask in portions", mostIDs)
	case ids == nil:
		return nil, errors.New("want a list")
	}
	return ids, nil
}

// list reads a list in JSON, at most `most` of its elements: what a consumer
// sends is short, and what it would become can be long.
func list[T any](raw json.RawMessage, most int) ([]T, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, errors.New("want a list")
	}
	var all []T
	for d.More() {
		if len(all) == most {
			return nil, fmt.Errorf("more than one question takes, %d; ask in portions", most)
		}
		var one T
		if err := d.Decode(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// frontEnd makes the front-end at the first call; where that
// fails, the next call tries again.
func (s *Server) frontEnd() (*FrontEnd, error) {
	s.library.mu.Lock()
	defer s.library.mu.Unlock()
	if s.library.front != nil {
		return s.library.front, nil
	}
	if s.options.Words.FrontEnd == nil {
		return nil, asked("this feeder does not know how text is read")
	}
	front, err := s.options.Words.FrontEnd()
	if err != nil {
		return nil, asked("the front-end of this dataset: %w", err)
	}
	s.library.front = front
	return front, nil
}

// row is all that is stored of a row, its columns in a file of their own.
func (s *Server) row(id string, place bool) (any, int, error) {
	lib, err := s.rows()
	if err != nil {
		return nil, -1, err
	}
	row, err := lib.set.Row(id)
	if errors.Is(err, store.ErrNotFound) && s.options.Words.Missing != nil {
		text, err := s.options.Words.Missing(id)
		if err == nil {
			err = asked("%s", text)
		}
		return nil, -1, err
	} else if errors.Is(err, store.ErrNotFound) {
		return nil, -1, asked("%w", err)
	}
	if err != nil {
		return nil, -1, err
	}
	from, err := lib.set.Origin(row)
	if err != nil {
		return nil, -1, err
	}
	file, err := filled("voxpack-row", lib.layout.Bytes, func(mem []byte) error {
		return lib.reader.Fill(lib.layout, gpufeed.Delivery{Rows: []uint32{row}}, mem)
	})
	if err != nil {
		return nil, -1, err
	}
	answer := Row{Type: "row", About: s.about(row, &from), Bytes: lib.layout.Bytes}
	if place && s.options.Words.Place != nil {
		answer.Place = s.options.Words.Place(id)
	}
	for _, f := range lib.layout.Fields {
		answer.Fields = append(answer.Fields, Tensor{f.Column.Name, f.Column.DType.String(), append([]int{}, f.Column.Shape...), f.Offset, f.Along})
	}
	return answer, file, nil
}

// rows is what single rows are read by. Every value's checksum is compared.
func (s *Server) rows() (*library, error) {
	lib := &s.library
	lib.mu.Lock()
	defer lib.mu.Unlock()
	if lib.reader != nil {
		return lib, nil
	}
	set, err := s.set(plan.Selection{})
	if err != nil {
		return nil, err
	}
	if lib.layout, err = gpufeed.NewLayout(s.options.Dataset.Root.Schema, 1, gpufeed.Form{}); err != nil {
		return nil, err
	}
	lib.set = set
	if lib.reader, err = gpufeed.NewReader(set, gpufeed.ChecksAlways); err == nil {
		lib.reader.Mender = s.options.Config.Mender
	}
	return lib, err
}

// batch is one batch of an epoch in a file of its own.
func (x *session) batch(epoch uint64, index int) (any, int, error) {
	if x.feed == nil {
		return nil, -1, asked("batch %d: start comes first, which says of what size", index)
	}
	a, err := x.feed.BatchAt(epoch, index)
	if err != nil {
		return nil, -1, err
	}
	bytes := x.feed.Layouts()[a.Bucket].Bytes
	file, err := filled("voxpack-batch", bytes, func(mem []byte) error { return x.feed.FillApart(&a, mem) })
	return Batch{"batch", a.Epoch, a.Index, a.Bucket, a.Lost, append([]uint32{}, a.Rows...), append([]string{}, a.IDs...), bytes}, file, err
}

// filled is a file of shared memory that fill has written.
func filled(name string, bytes int, fill func(mem []byte) error) (file int, err error) {
	file, mem, err := sharedFile(name, bytes)
	if err != nil {
		return -1, fmt.Errorf("shared memory of %d bytes: %w", bytes, err)
	}
	if err = errors.Join(fill(mem), unix.Munmap(mem)); err != nil {
		_ = unix.Close(file)
		return -1, err
	}
	return file, nil
}

// page is what a person wants to know. val is the part of the rows that the
// split val has; nil: as the feeder was told.
func (s *Server) page(val *float64) (any, error) {
	d := Described{Type: "described", Splits: map[string]int{}}
	selection := s.options.Selection
	take(&selection.Val, val)
	for _, split := range []plan.Split{plan.All, plan.Train, plan.Val, plan.Test} {
		selection.Split = split
		set, err := s.set(selection)
		if errors.Is(err, plan.ErrCorrupt) {
			return nil, err
		}
		d.Splits[string(split)] = 0
		if err == nil { // else it has no rows
			d.Splits[string(split)] = set.Selected()
		}
	}
	if s.options.Words.Page == nil {
		return d, nil
	}
	var err error
	d.Page, err = s.options.Words.Page()
	return d, err
}

// statistics answers with those of the dataset.
func (s *Server) statistics(ctx context.Context) (any, error) {
	known, err := s.known(ctx)
	return Statistics{"stats", known}, err
}

// known is the statistics of the dataset. The first who asks waits until they are
// computed, and others with it.
func (s *Server) known(ctx context.Context) (*stats.Stats, error) {
	s.counted.Lock()
	defer s.counted.Unlock()
	if s.stats != nil {
		return s.stats, nil
	}
	known, err := stats.Kept(ctx, s.options.Dataset)
	if err == nil {
		s.stats = known
	}
	return known, err
}
