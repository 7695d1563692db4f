package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"voxpack/compiler/intake/parquet"
)

// shards is the form of data sets on the Hugging Face hub: Parquet files, in
// which a column audio holds the recordings themselves.
var shards = Format{
	Name:  "parquet",
	Shape: "files *.parquet in the folder or in data/, with a column audio of bytes and path, and one of text",
	Find: func(dir string) []Part {
		var parts []Part
		for _, sub := range []string{"", "data"} {
			entries, _ := os.ReadDir(filepath.Join(dir, sub))
			for _, e := range entries {
				if !e.IsDir() && path.Ext(e.Name()) == parquetExt && !strings.HasPrefix(e.Name(), ".") {
					_, word := splitWord(e.Name())
					split, _ := ParseSplit(word)
					parts = append(parts, Part{File: path.Join(sub, e.Name()), Split: split})
				}
			}
		}
		return parts
	},
	Read: readShard,
}

const parquetExt = ".parquet"

// recordings are the columns of a file that hold audio: bytes, and the name of
// the file that they were. Either may be nil.
type recordings struct {
	column      string // of the top
	bytes, name *parquet.Column
}

// embedded finds the recordings of a file: a column audio, else the only one
// that has a part named bytes.
// datasets writes a column of recordings as a structure of bytes and path (Audio in
// its features/audio.py), which are two leaves here. A list of recordings is left out.
func embedded(f *parquet.File) (recordings, error) {
	var found []recordings
	for _, c := range f.Columns {
		if c.Listed || c.Kind != parquet.ByteArray {
			continue
		}
		top, whole := c.Path[0], len(c.Path) == 1
		if whole && top == "audio" || len(c.Path) == 2 && c.Path[1] == "bytes" {
			a := recordings{column: top, bytes: c, name: f.Column(top, "path")}
			if a.name != nil && a.name.Kind != parquet.ByteArray {
				a.name = nil
			}
			if whole && c.String {
				a.bytes, a.name = nil, c // a path
			}
			found = append(found, a)
		}
	}
	if i := slices.IndexFunc(found, func(a recordings) bool { return a.column == "audio" }); i >= 0 {
		return found[i], nil
	}
	if len(found) > 1 {
		return recordings{}, fmt.Errorf("%d columns hold recordings (%s, %s); name the one that is meant audio", len(found), found[0].column, found[1].column)
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return recordings{}, nil
}

// shard is a file on its way into rows.
type shard struct {
	in      *Input
	audio   recordings
	cursors [columnCount]*parquet.Cursor
	columns [columnCount]*parquet.Column
	labels  [columnCount][]string // of numbers that stand for names
	bytes   *parquet.Cursor
	name    *parquet.Cursor
	room    int64 // bytes that further rows may take
}

// rowBytes is about what a row takes beside its texts.
const rowBytes = 256

// room bounds what a file's rows may take of memory. Of Parquet a file of a
// kilobyte can claim thousands of millions of rows, each with a megabyte of text:
// constants take no bytes. Metadata takes 64 times its file where a row has less
// than ten bytes of it, which is no corpus; small files may be what they like.
func room(size int64) int64 { return 64<<20 + 64*size }

// What fill finds wrong refuses the row; any other error ends the read of the corpus.
func readShard(in *Input) error {
	r, size, done, err := in.openShard()
	if err != nil {
		return err
	}
	defer done()
	f, err := parquet.Open(r, size)
	if err != nil {
		return err
	}
	s := shard{in: in, room: room(size)}
	if s.audio, err = embedded(f); err != nil {
		return err
	}
	if err := s.choose(f); err != nil {
		return err
	}
	defer s.close()
	in.table.Rows = slices.Grow(in.table.Rows, int(min(f.Rows, 1<<16, s.room/rowBytes)))
	for n := 1; n <= int(f.Rows); n++ {
		if s.room < 0 {
			return fmt.Errorf("%d rows in %d bytes, whose texts have %d MiB before row %d: such a file is not a corpus", f.Rows, size, room(size)>>20, n)
		}
		if err := s.row(n); err != nil {
			return fmt.Errorf("row %d: %w", n, err)
		}
	}
	return nil
}

// openShard opens the part. A link that leads out of the corpus is not followed.
// The caller calls done, where err is nil.
func (in *Input) openShard() (r io.ReaderAt, size int64, done func() error, err error) {
	in.table.Files = append(in.table.Files, in.File)
	if s, ok := in.texts[in.File]; ok {
		return strings.NewReader(s), int64(len(s)), func() error { return nil }, nil
	}
	if !path.IsAbs(in.File) {
		if _, err := in.linkedTo(in.File); err != nil {
			return nil, 0, nil, errAstray
		}
	}
	info, err := os.Stat(in.path(in.File))
	if err == nil && !info.Mode().IsRegular() {
		err = errNoFile // before it is opened: a pipe would wait for a writer
	}
	if err != nil {
		return nil, 0, nil, err
	}
	file, err := os.Open(in.path(in.File))
	if err != nil {
		return nil, 0, nil, err
	}
	return file, info.Size(), file.Close, nil
}

// choose finds the columns that rows are made of.
// What the config names goes before what is found, also before the recordings.
func (s *shard) choose(f *parquet.File) error {
	var header []string
	for _, c := range f.Columns {
		if !slices.Contains(header, c.Path[0]) {
			header = append(header, c.Path[0])
		}
	}
	named := map[string]string{}
	if s.audio.column != "" {
		named["audio"] = s.audio.column
	}
	maps.Copy(named, s.in.Columns)
	at, _, err := columnsOf(header, named)
	if errors.Is(err, errNoColumns) {
		return fmt.Errorf("its columns do not tell where the recordings (audio) and their text (text, sentence, transcription, …) are:%s\n%w", shown(header), errNoColumns)
	}
	if err != nil {
		return err
	}
	// Usual names of these mean something else beside a recording: a row's number,
	// and how long the recording is.
	for _, col := range []column{colID, colOffset, colDuration} {
		if _, ok := named[columnWords[col].name]; !ok {
			at[col] = -1
		}
	}
	for col, i := range at {
		if i < 0 {
			continue
		}
		s.in.table.took(columnWords[col].name, header[i])
		if column(col) == colAudio && header[i] == s.audio.column {
			if s.bytes, err = cursorOf(f, s.audio.bytes); err == nil {
				s.name, err = cursorOf(f, s.audio.name)
			}
		} else {
			err = s.column(f, column(col), header[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cursorOf is File.Read that takes nil for a column that is not there.
func cursorOf(f *parquet.File, c *parquet.Column) (*parquet.Cursor, error) {
	if c == nil {
		return nil, nil
	}
	return f.Read(c)
}

// column begins to read one of our columns.
func (s *shard) column(f *parquet.File, col column, name string) (err error) {
	c := f.Column(name)
	if c == nil || c.Listed {
		return fmt.Errorf("column %s is not of plain values, and cannot be the %s", name, columnWords[col].name)
	}
	if c.Foreign != "" {
		return fmt.Errorf("column %s is %s in %v, which cannot be the %s; write it as text or as a number", name, c.Foreign, c.Kind, columnWords[col].name)
	}
	s.columns[col], s.labels[col] = c, labelsOf(f, name)
	s.cursors[col], err = f.Read(c)
	return err
}

// labelsOf are the names that the numbers of a column stand for, as the library
// datasets notes them in its files (ClassLabel).
func labelsOf(f *parquet.File, name string) []string {
	var note struct {
		Info struct {
			Features map[string]json.RawMessage `json:"features"`
		} `json:"info"`
	}
	var feature struct {
		Names []string `json:"names"`
	}
	if json.Unmarshal([]byte(f.Notes["huggingface"]), &note) == nil {
		_ = json.Unmarshal(note.Info.Features[name], &feature) // another kind of feature has no names
	}
	return feature.Names
}

// close gives up the cursors, of which zstd's decoders hold memory.
func (s *shard) close() {
	for _, c := range append(s.cursors[:], s.bytes, s.name) {
		if c != nil {
			c.Close()
		}
	}
}

// row makes a row of the next values. Its error is for a file that cannot be
// read on.
// The bytes of a recording are not kept, only whether there are any: a build
// asks for them by file and row (Audio.Member).
func (s *shard) row(n int) error {
	var v [columnCount]string
	var there [columnCount]bool
	for col, c := range s.cursors {
		if c == nil {
			continue
		}
		b, err := c.Next()
		if err != nil {
			return err
		}
		if v[col], err = s.text(column(col), b); err != nil {
			return fmt.Errorf("column %s: %w", s.columns[col].Name(), err)
		}
		there[col] = b != nil
		s.room -= int64(len(v[col]))
	}
	held := false
	s.room -= rowBytes
	if s.bytes != nil {
		null, err := s.bytes.Null()
		if err != nil {
			return err
		}
		held = !null
	}
	if s.name != nil {
		b, err := s.name.Next()
		if err != nil {
			return err
		}
		v[colAudio] = string(b)
		s.room -= int64(len(b))
	}
	r := Row{ID: v[colID]}
	if err := s.fill(&r, n, held, v, there); err != nil {
		s.in.refuse(n, r.ID, err)
		return nil
	}
	s.in.Row(n, r)
	return nil
}

// text is a value as a row takes it.
// A number beyond the labels is taken as it is, so that it shows in what is refused.
func (s *shard) text(col column, b []byte) (string, error) {
	if b == nil {
		return "", nil
	}
	t, err := s.columns[col].Text(b)
	if labels := s.labels[col]; labels != nil {
		if i, err := strconv.Atoi(t); err == nil && i < len(labels) {
			if i < 0 {
				return "", nil // datasets writes -1 for no label
			}
			return labels[i], nil
		}
	}
	return t, err
}

// fill gives a row what the values say; held: they hold its recording.
// The id is the config's column, else the recording's name, else file and row.
func (s *shard) fill(r *Row, n int, held bool, v [columnCount]string, there [columnCount]bool) (err error) {
	switch name := s.in.inside(v[colAudio]); {
	case held:
		r.Audio = &Audio{Path: s.in.File, Member: n, Inner: name}
		if r.ID == "" {
			r.ID = name
		}
		if r.ID == "" {
			r.ID = fmt.Sprintf("%s/%08d", strings.TrimSuffix(path.Base(s.in.File), parquetExt), n)
		}
	case name != "":
		s.in.clipAt(r, name)
		if r.Audio == nil {
			r.Audio = &Audio{Path: name}
		}
	default:
		return errors.New("neither a recording nor the path of one")
	}
	for col, value := range v {
		if _, err := badLine(value); err != nil {
			return fmt.Errorf("the column of the %s: %w", columnWords[col].name, err)
		}
	}
	if s.columns[colText] != nil && !there[colText] {
		return errors.New("the text column is empty")
	}
	r.Text = oneLine(v[colText])
	r.Given, r.HasGiven = oneLine(v[colNormalised]), there[colNormalised]
	if r.Speaker = v[colSpeaker]; s.columns[colSpeaker] != nil && r.Speaker == "" {
		return errNoSpeaker
	}
	r.Language = v[colLanguage]
	if r.Split, err = ParseSplit(v[colSplit]); err != nil {
		return err
	}
	if there[colOffset] {
		if r.Audio.From, err = parseSeconds(v[colOffset]); err != nil {
			return fmt.Errorf("the offset: %w", err)
		}
	}
	if there[colDuration] {
		if r.Audio.Length, err = parseSeconds(v[colDuration]); err != nil {
			return fmt.Errorf("the duration: %w", err)
		}
	}
	return nil
}
