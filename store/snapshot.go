package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	snapshotMagic    = "VXN2"
	snapshotMagic1   = "VXN1" // without sources
	listMagic        = "VXL1"
	pageOfListMagic  = "VXJ2"
	pageOfListMagic1 = "VXJ1" // without kinds
)

// Snapshot is a root with what does not define its content.
type Snapshot struct {
	Root       Digest
	Origins    Digest // first page of the trie of origin records, leaf for leaf beside the root's
	Rejections Digest // list record; zero: none
	Kept       int
	Rejected   int
	Noted      int // kept rows with at least one note
	Notes      []NoteCount

	// What follows is of the build, not of the dataset: Content leaves it out.
	Parent Digest
	Time   int64 // Unix nanoseconds
	Tool   string
	Ran    []StageCount
	Read   []Source
}

// Source says what the metadata of a corpus was read as. Formats are told by what is
// there, so that a person has to be able to see which one was, and from what each column
// was taken. Its JSON is part of the reports of build and show.
type Source struct {
	Corpus  string         `json:"corpus"` // its name in the dataset, "" for the only one
	Format  string         `json:"format"`
	Files   []string       `json:"files"`       // the first few that were read
	All     uint64         `json:"files_total"` // how many they are
	Columns []SourceColumn `json:"columns"`
	Rows    uint64         `json:"rows"` // lines that are not empty
}

// SourceColumn is a column of rows with what it was taken from: a header, a key of JSON, or
// the number of a column from 1.
type SourceColumn struct {
	Column string `json:"column"`
	From   string `json:"from"`
}

// String is "csv metadata.csv: audio=file text=transcript, 12 rows".
func (r Source) String() string {
	s := r.Format + " " + strings.Join(r.Files, " ")
	if r.Corpus != "" {
		s = r.Corpus + ": " + s
	}
	if more := int(r.All) - len(r.Files); more > 0 {
		s += fmt.Sprintf(" and %d more files", more)
	}
	for i, c := range r.Columns {
		if i == 0 {
			s += ":"
		}
		s += " " + c.Column + "=" + c.From
	}
	if r.Rows == 1 {
		return s + ", 1 row"
	}
	return s + fmt.Sprintf(", %d rows", r.Rows)
}

// NoteCount sums up the notes of one kind and detail. Its JSON is part of the reports of
// build and show.
type NoteCount struct {
	Stage    string   `json:"stage"`
	Kind     string   `json:"kind"`
	Detail   string   `json:"detail"`
	Count    uint64   `json:"count"`    // occurrences
	Rows     uint64   `json:"rows"`     // rows with at least one
	Examples []string `json:"examples"` // ids, at most a few, smallest first
}

// StageCount says how many rows a stage computed and how many it took over.
type StageCount struct {
	Stage    string
	Run, Hit uint64
}

// Rejection is a row that was left out, and why.
type Rejection struct {
	File   string // relative to the dataset, "/"-separated
	Line   int    // from 1
	ID     string
	Stage  string // the first that refused it
	Kind   string // of its cause; "" in a store of a version that kept none
	Reason string // everything wrong with it
	// Row is as far as the stages came, and Refusals the actions that refused
	// it, so that the next build need not run them to know.
	Row      OriginRow
	Refusals []Refusal
}

// String is "metadata.csv:12: LJ001-0001: mel: 831 frames, …".
func (r *Rejection) String() string {
	s := fmt.Sprintf("%s:%d: ", r.File, r.Line)
	if r.ID != "" {
		s += r.ID + ": "
	}
	return s + r.Stage + ": " + r.Reason
}

// Refusal is an action that found its input unusable.
type Refusal struct {
	Stage  string
	Action Key
	Reason string
}

// Encode is the record's bytes; Sum of them is the snapshot's digest.
func (s *Snapshot) Encode() []byte {
	e := &encoder{buf: s.content()}
	e.name(s.Parent)
	e.u64(uint64(s.Time))
	e.str(s.Tool)
	e.u32(uint32(len(s.Ran)))
	for _, c := range s.Ran {
		e.str(c.Stage)
		e.u64(c.Run)
		e.u64(c.Hit)
	}
	e.u32(uint32(len(s.Read)))
	for _, r := range s.Read {
		e.str(r.Corpus)
		e.str(r.Format)
		e.strs(r.Files)
		e.u64(r.All)
		e.u32(uint32(len(r.Columns)))
		for _, c := range r.Columns {
			e.str(c.Column)
			e.str(c.From)
		}
		e.u64(r.Rows)
	}
	return e.buf
}

// Made is when the build ended.
func (s *Snapshot) Made() time.Time { return time.Unix(0, s.Time).UTC() }

// Content is the digest of all that a person would call the snapshot's content:
// two builds with the same one have nothing to tell apart, and the second
// leaves the ref alone.
func (s *Snapshot) Content() Digest { return Sum(s.content()) }

// content is the record without the fields of the build (Parent to Read). Encode appends them to it, so the
// two share their bytes.
func (s *Snapshot) content() []byte {
	e := newEncoder(snapshotMagic)
	e.name(s.Root)
	e.name(s.Origins)
	e.name(s.Rejections)
	e.u64(uint64(s.Kept))
	e.u64(uint64(s.Rejected))
	e.u64(uint64(s.Noted))
	e.u32(uint32(len(s.Notes)))
	for _, n := range s.Notes {
		e.str(n.Stage)
		e.str(n.Kind)
		e.str(n.Detail)
		e.u64(n.Count)
		e.u64(n.Rows)
		e.strs(n.Examples)
	}
	return e.buf
}

// DecodeSnapshot reads a record, one of an older version too.
func DecodeSnapshot(b []byte) (*Snapshot, error) {
	magic := snapshotMagic
	if bytes.HasPrefix(b, []byte(snapshotMagic1)) {
		magic = snapshotMagic1
	}
	d := newDecoder("snapshot", magic, b)
	s := &Snapshot{Root: d.name(), Origins: d.name(), Rejections: d.name()}
	s.Kept, s.Rejected, s.Noted = int(d.u64()), int(d.u64()), int(d.u64())
	// The sizes are the least that one element takes: all its lengths and numbers, with empty texts.
	for range d.count(32) {
		s.Notes = append(s.Notes, NoteCount{d.str(), d.str(), d.str(), d.u64(), d.u64(), d.strs()})
	}
	s.Parent, s.Time, s.Tool = d.name(), int64(d.u64()), d.str()
	for range d.count(20) {
		s.Ran = append(s.Ran, StageCount{d.str(), d.u64(), d.u64()})
	}
	if magic == snapshotMagic1 {
		return s, d.end()
	}
	for range d.count(32) {
		r := Source{Corpus: d.str(), Format: d.str(), Files: d.strs(), All: d.u64(), Columns: []SourceColumn{}}
		for range d.count(8) {
			r.Columns = append(r.Columns, SourceColumn{d.str(), d.str()})
		}
		r.Rows = d.u64()
		s.Read = append(s.Read, r)
	}
	return s, d.end()
}

// rejectionPage is how many bytes of rejections stand in one page. All rows of a
// corpus may be rejected, when its disk is not mounted, and no value of a pack
// may grow with the corpus.
const rejectionPage = 1 << 20

// EncodeRejections makes the list record of rejections, which are in file
// order, and its pages. Sum of a page is its name in the list.
func EncodeRejections(ctx context.Context, all []Rejection) (list []byte, pages [][]byte, err error) {
	e := newEncoder(listMagic)
	e.u64(uint64(len(all)))
	page, n := newEncoder(pageOfListMagic), 0
	flush := func() {
		if n > 0 {
			e.u32(uint32(n))
			e.name(Sum(page.buf))
			pages = append(pages, page.buf)
			page, n = newEncoder(pageOfListMagic), 0
		}
	}
	for i := range all {
		all[i].encode(page)
		if n++; len(page.buf) >= rejectionPage {
			flush()
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
	}
	flush()
	return e.buf, pages, nil
}

// DecodeRejections reads a list record; page fetches a page by its digest.
func DecodeRejections(b []byte, page func(Digest) ([]byte, error)) ([]Rejection, error) {
	pages, total, err := decodeList(b)
	if err != nil {
		return nil, err
	}
	var all []Rejection
	for _, p := range pages {
		b, err := page(p.digest)
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", p.digest.Short(), err)
		}
		magic := pageOfListMagic
		if bytes.HasPrefix(b, []byte(pageOfListMagic1)) {
			magic = pageOfListMagic1
		}
		d := newDecoder("page of rejections", magic, b)
		for range p.rows {
			if d.err != nil {
				break
			}
			var r Rejection
			r.decode(d, magic != pageOfListMagic1)
			all = append(all, r)
		}
		if err := d.end(); err != nil {
			return nil, err
		}
	}
	if uint64(len(all)) != total {
		return nil, fmt.Errorf("list of rejections: it counts %d, its pages hold %d: %w", total, len(all), ErrDamaged)
	}
	return all, nil
}

// listPage is one entry of a list record: how many rejections a page holds and the page's digest.
type listPage struct {
	rows   uint32
	digest Digest
}

func decodeList(b []byte) (pages []listPage, total uint64, err error) {
	d := newDecoder("list of rejections", listMagic, b)
	total = d.u64()
	for d.err == nil && d.off < len(d.buf) {
		pages = append(pages, listPage{d.u32(), d.name()})
	}
	return pages, total, d.end()
}

func (r *Rejection) encode(e *encoder) {
	e.str(r.File)
	e.u32(uint32(r.Line))
	e.str(r.ID)
	e.str(r.Stage)
	e.str(r.Kind)
	e.str(r.Reason)
	r.Row.encode(e)
	e.u32(uint32(len(r.Refusals)))
	for _, f := range r.Refusals {
		e.str(f.Stage)
		e.name(f.Action)
		e.str(f.Reason)
	}
}

// decode reads one rejection; kinds is false for a page of the first version, which has no kinds.
func (r *Rejection) decode(d *decoder, kinds bool) {
	r.File, r.Line, r.ID, r.Stage = d.str(), int(d.u32()), d.str(), d.str()
	if kinds {
		r.Kind = d.str()
	}
	r.Reason = d.str()
	r.Row.decode(d)
	for range d.count(40) {
		r.Refusals = append(r.Refusals, Refusal{d.str(), d.name(), d.str()})
	}
}

// ReadSnapshot fetches and decodes a snapshot.
func (s *Store) ReadSnapshot(digest Digest) (*Snapshot, error) {
	return readRecord(s, KindSnapshot, "snapshot", digest, DecodeSnapshot)
}

// ReadRejections fetches the rejected rows of a snapshot.
func (s *Store) ReadRejections(snap *Snapshot) ([]Rejection, error) {
	return s.ReadRejectionsUntil(context.Background(), snap)
}

// ReadRejectionsUntil is ReadRejections until ctx ends: a million rows take 2 s.
func (s *Store) ReadRejectionsUntil(ctx context.Context, snap *Snapshot) ([]Rejection, error) {
	if snap.Rejections.IsZero() {
		return nil, nil
	}
	b, err := s.Get(KindList, snap.Rejections)
	if err != nil {
		return nil, fmt.Errorf("rejections: %w", err)
	}
	return DecodeRejections(b, func(d Digest) ([]byte, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return s.Get(KindList, d)
	})
}

// ReadLeaves returns the leaves of the trie whose first page is given.
func (s *Store) ReadLeaves(trie Digest) ([]Leaf, error) { return ReadTrie(trie, s.page) }

// page is a copy of a page of a trie: walks hold several of them, and keep their names.
func (s *Store) page(digest Digest) (page []byte, err error) {
	err = Shielded(func() error {
		b, err := s.record(KindPage, digest)
		page = slices.Clone(b)
		return err
	})
	return page, err
}

// ReadRoot fetches and decodes a root.
func (s *Store) ReadRoot(digest Digest) (*Root, error) {
	return readRecord(s, KindRoot, "root", digest, DecodeRoot)
}

// ReadShard fetches and decodes a shard record.
func (s *Store) ReadShard(digest Digest, schema Schema) (*Shard, error) {
	return readRecord(s, KindShard, "shard", digest, func(b []byte) (*Shard, error) { return DecodeShard(b, schema) })
}

// ReadOrigin fetches and decodes an origin record.
func (s *Store) ReadOrigin(digest Digest) (*Origin, error) {
	return readRecord(s, KindOrigin, "origin", digest, DecodeOrigin)
}

func readRecord[T any](s *Store, kind Kind, what string, digest Digest, decode func([]byte) (*T, error)) (*T, error) {
	var record *T
	err := Shielded(func() error {
		b, err := s.record(kind, digest)
		if err != nil {
			return fmt.Errorf("%s %s: %w", what, digest.Short(), err)
		}
		record, err = decode(b)
		return err
	})
	return record, err
}

// record is the mapped bytes of a record, checked against its digest, or a copy of
// sound ones that a damaged record covers. A decoder copies what it keeps.
func (s *Store) record(kind Kind, digest Digest) ([]byte, error) {
	if b, err := s.View(kind, digest); err == nil && intact(append([]byte{byte(kind)}, digest[:]...), b) {
		return b, nil
	}
	return s.Get(kind, digest)
}
