package intake

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestIDsOfClips: the section "Ids" of docs/en/formats.md, and that an id names a
// file in the folder whatever a clip is called.
func TestIDsOfClips(t *testing.T) {
	for name, want := range map[string]string{ // "": refused
		"a": "a", "a.wav": "a", "A.FLAC": "A", "wavs/a.wav": "a", "./wavs/a.wav": "a", "./a": "a",
		"wavs/ada/0001.wav": "ada/0001", "x/wavs/a.mp3": "x/wavs/a", "wavs/wavs/a": "wavs/a",
		"a.b": "a.b", "a.b.opus": "a.b", "a.wav.wav": "a.wav", "a.txt": "a.txt", "a b": "a b", "é": "é", "漢.ogg": "漢",
		"-": "-", "3:4": "3:4", "~": "~", "a\tb": "a\tb", "...": "...",
		"": "", ".wav": "", "wavs/": "", "/a": "", "a\\b": "", "c:/a": "", "a\x00": "", "a\nb": "", "..": "",
		"../a": "", "a/..": "", "a/../b": "", "a//b": "", "a/./b": "", "a/": "", "/": "",
		strings.Repeat("x", maxID): strings.Repeat("x", maxID), strings.Repeat("x", maxID+1): "",
	} {
		got, err := ID(name)
		if err != nil {
			got = ""
		}
		if got != want {
			t.Errorf("ID(%.40q) = %q, %v; want %q", name, got, err, want)
		}
	}
	for _, c := range []struct{ corpus, clip, id string }{
		{"", "a/b", "a/b"},
		{"en", "a", "en/a"},
		{"en", "en/a", "en/en/a"},
	} {
		named := Corpus{Name: c.corpus}
		if id := named.IDOf(c.clip); id != c.id || named.Local(id) != c.clip {
			t.Errorf("in %q %q is %q, and that is %q", c.corpus, c.clip, id, named.Local(id))
		}
	}
	for _, ext := range AudioExtensions {
		if !KnownAudio(ext) || !KnownAudio(strings.ToUpper(ext)) || KnownAudio(ext[1:]) || KnownAudio(ext+"x") {
			t.Errorf("the extension %s is not known, or more than it", ext)
		}
	}
}

// TestRowsThatSayTheSame: all but the place counts, and no audio is the same as an
// audio that says nothing.
func TestRowsThatSayTheSame(t *testing.T) {
	row := Row{
		Pos:      Position{"a", 1},
		ID:       "a",
		Text:     "b",
		Given:    "c",
		HasGiven: true,
		Speaker:  "d",
		Language: "en",
		Split:    Val,
	}
	same := row
	same.Pos, same.Audio = Position{"b", 2}, &Audio{}
	if !row.SameContent(&same) || !same.SameContent(&row) {
		t.Error("rows in two places differ")
	}
	for name, change := range map[string]func(r *Row){
		"id": func(r *Row) { r.ID = "x" }, "text": func(r *Row) { r.Text = "x" },
		"normalised text": func(r *Row) { r.Given = "x" }, "no normalised text": func(r *Row) { r.HasGiven = false },
		"speaker": func(r *Row) { r.Speaker = "" }, "language": func(r *Row) { r.Language = "fa" },
		"split": func(r *Row) { r.Split = Test }, "file": func(r *Row) { r.Audio = &Audio{Path: "x"} },
		"member":             func(r *Row) { r.Audio = &Audio{Member: 1} },
		"name of the member": func(r *Row) { r.Audio = &Audio{Inner: "x"} },
		"begin":              func(r *Row) { r.Audio = &Audio{From: 1} },
		"length":             func(r *Row) { r.Audio = &Audio{Length: 1} },
	} {
		other := row
		change(&other)
		if row.SameContent(&other) || other.SameContent(&row) {
			t.Errorf("another %s is the same", name)
		}
	}
}

// TestErrorsSayPlaceIDAndReason, in the form that commands print.
func TestErrorsSayPlaceIDAndReason(t *testing.T) {
	reason := errors.New("no such file")
	for _, c := range []struct {
		e    RowError
		want string
	}{
		{
			RowError{Pos: Position{"metadata.csv", 12}, ID: "a", Stage: "mel", Err: reason},
			"metadata.csv:12: a: mel: no such file",
		},
		{
			RowError{Pos: Position{"en/x.csv", 1}, Stage: StageMetadata, Err: reason},
			"en/x.csv:1: metadata: no such file",
		},
	} {
		if c.e.Error() != c.want || !errors.Is(&c.e, reason) {
			t.Errorf("%q, want %q with its reason", c.e.Error(), c.want)
		}
	}
}

// TestFaultsOfTheMachine: what a path brings about is a matter of its row; all else
// is the machine's, with a cure, whatever wraps it.
func TestFaultsOfTheMachine(t *testing.T) {
	for errno, machine := range map[error]bool{
		syscall.ENOENT: false, syscall.ENOTDIR: false, syscall.EISDIR: false, syscall.ELOOP: false,
		syscall.ENAMETOOLONG: false, syscall.EINVAL: false, fs.ErrNotExist: false, errors.New("bad"): false,
		syscall.EIO: true, syscall.ESTALE: true, syscall.EMFILE: true, syscall.ENFILE: true, syscall.ENOMEM: true,
		syscall.EDQUOT: true, syscall.ENOSPC: true,
		syscall.EACCES: true, syscall.EPERM: true, syscall.ETIMEDOUT: true, syscall.EHOSTDOWN: true,
		os.ErrDeadlineExceeded: true,
	} {
		err := fmt.Errorf("row 1: %w", &fs.PathError{Op: "open", Path: "x", Err: errno})
		said := Machine(err)
		var m *MachineError
		if IsMachine(err) != machine || errors.As(said, &m) != machine || !errors.Is(said, errno) {
			t.Errorf("%v is a fault of the machine: %v, want %v", errno, IsMachine(err), machine)
		}
		if machine && (m.Cure == "" || !strings.HasSuffix(m.Error(), m.Cure) || Machine(said) != said) {
			t.Errorf("%v has the cure %q in %q", errno, m.Cure, m)
		}
		if cure, ok := Cure(said); ok && cure != "" {
			t.Errorf("%v: a message that has its cure is told another: %q", errno, cure)
		}
		if !machine && said != err {
			t.Errorf("%v became %v", errno, said)
		}
	}
	if cure, ok := Cure(fmt.Errorf("write: %w", syscall.EMFILE)); !ok || !strings.Contains(cure, "ulimit -n") {
		t.Errorf("too many open files: %q, %v", cure, ok)
	}
	for _, err := range []error{nil, errors.New("x"), fs.ErrNotExist, syscall.EACCES} {
		if cure, ok := Cure(err); ok {
			t.Errorf("%v has the cure %q", err, cure)
		}
	}
}

// TestWhichFilesAreRead: the list of that section of docs/en/formats.md, and what
// is said where nothing, or too much, fits.
func TestWhichFilesAreRead(t *testing.T) {
	const (
		lj   = "a|one two\n"
		list = "x/a.wav|one two\n"
		kal  = "u1 1.wav\n"
		cv   = "client_id\tpath\tsentence\nc\ta.mp3\tone\n"
	)
	for _, c := range []struct {
		name   string
		files  tree
		corpus Corpus
		want   string // a format and the files that were read, or a piece of the error
	}{
		{
			"metadata.csv before a layout",
			tree{"metadata.csv": lj, "wav.scp": kal, "text": "u1 A\n"},
			Corpus{},
			"ljspeech [metadata.csv]",
		},
		{
			"a layout before the only file",
			tree{"x.csv": lj, "wav.scp": kal, "text": "u1 A\n"},
			Corpus{},
			"kaldi [text wav.scp]",
		},
		{
			"a named format goes before both",
			tree{"metadata.csv": lj, "wav.scp": kal, "text": "u1 A\n"},
			Corpus{Format: "kaldi"},
			"kaldi [text wav.scp]",
		},
		{
			"the only file in filelists",
			tree{"filelists/x.txt": list, "readme.txt": "nothing\nhere\n"},
			Corpus{},
			"filelist [filelists/x.txt]",
		},
		{"an ending that is not looked at", tree{"x.md": lj}, Corpus{}, "has no metadata.csv and nothing else"},
		{
			"two layouts",
			tree{"wav.scp": kal, "text": "u1 A\n", "validated.tsv": cv},
			Corpus{},
			"can be read as common-voice and as kaldi: say which in the config, as in format: common-voice",
		},
		{
			"two files",
			tree{"x.csv": lj, "y.csv": lj},
			Corpus{},
			"has no metadata.csv but x.csv, y.csv: say which with --metadata FILE",
		},
		{
			"two files of one of several corpora",
			tree{"x.csv": lj, "y.csv": lj},
			Corpus{Name: "en"},
			"say which in its item of datasets, as in metadata: x.csv",
		},
		{
			"a format that is not known",
			tree{"metadata.csv": lj},
			Corpus{Format: "klatt"},
			`format "klatt" is not known; this version reads ljspeech`,
		},
		{
			"a folder that is not laid out so",
			tree{"metadata.csv": lj},
			Corpus{Format: "vctk"},
			"is not laid out as vctk: folders txt/SPEAKER",
		},
		{"a file that is not there", tree{"metadata.csv": lj}, Corpus{Metadata: "DIR/x.csv"}, "x.csv: no such file"},
		{
			"a file that is a folder",
			tree{"metadata.csv": lj, "x.csv/y": ""},
			Corpus{Metadata: "DIR/x.csv"},
			"x.csv: it is not a file",
		},
		{"a file for training alone", tree{"a.csv": lj, "b.csv": lj}, Corpus{Train: "DIR/a.csv"}, "ljspeech [a.csv]"},
		{"a file for evaluation alone", tree{"a.csv": lj, "b.csv": lj}, Corpus{Eval: "DIR/b.csv"}, "ljspeech [b.csv]"},
		{
			"Kaldi by its text, without recordings",
			tree{"text": "u1 A\n"},
			Corpus{Metadata: "DIR/text", Format: "kaldi"},
			"there is no wav.scp beside it",
		},
		{
			"VCTK by its texts, without clips",
			tree{"txt/p1/p1_1.txt": "A"},
			Corpus{Metadata: "DIR/txt", Format: "vctk"},
			"txt: it is not a file",
		},
		{
			"a file that two formats fit alike",
			tree{"metadata.csv": "x/a.wav|1|one two\nb|ada|one two\n"},
			Corpus{},
			"metadata.csv can be read as speaker and as filelist; its first lines are",
		},
		{
			"a file that no format fits",
			tree{"metadata.csv": "one\ntwo\n"},
			Corpus{},
			"the format cannot be told; its first lines are\n    one\n    two\ntried:\n    ljspeech",
		},
		{"an empty file", tree{"metadata.csv": "\n\n"}, Corpus{}, "ljspeech [metadata.csv]"},
		{"a first line that is no text", tree{"x.csv": "\xff\nid,text\na,one\n"}, Corpus{Format: "csv"}, "csv [x.csv]"},
		{
			"a first line without an end",
			tree{"x.csv": strings.Repeat("x", maxLine+1)},
			Corpus{Format: "csv"},
			"line 1: the line has 1048577 bytes",
		},
	} {
		dir := c.files.write(t, t.TempDir())
		for _, file := range []*string{&c.corpus.Metadata, &c.corpus.Train, &c.corpus.Eval} {
			*file = strings.Replace(*file, "DIR", dir, 1)
		}
		c.corpus.Dir = dir
		m, err := Read(c.corpus)
		if found := Found(c.corpus); err == nil && found != nil || errors.Is(found, ErrNoMetadata) && !errors.Is(err, ErrNoMetadata) {
			t.Errorf("%s: Found says %v, Read %v", c.name, found, err)
		}
		got := fmt.Sprint(err)
		if err == nil {
			accounted(t, m)
			got = fmt.Sprint(m.Format, " ", m.Files)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestFoldersOfClipsThatNobodyLooksInto, which a build names when clips are missing.
func TestFoldersOfClipsThatNobodyLooksInto(t *testing.T) {
	dir := tree{
		"metadata.csv": "a|one\n", "a.wav": "", "wavs/a.wav": "", "clips/a.mp3": "", ".cache/a.wav": "",
		"notes/a.txt": "", "more/deep/a.wav": "",
	}.write(t, t.TempDir())
	if got := fmt.Sprint(Corpus{Name: "en", Dir: dir}.OtherClips()); got != "[en/clips/]" {
		t.Errorf("folders %s, want clips/ of en", got)
	}
}

// TestPartsOfRecordings: each format with times says them exactly; a part alone in
// its file keeps the file's id, and two are told apart by their times. So the id of
// the first changes when a second comes: its neighbours are part of what it reads.
func TestPartsOfRecordings(t *testing.T) {
	for _, c := range []struct{ format, src, ids string }{
		{"jsonl", `{"path": "r.wav", "text": "x", "offset": 0, "duration": 1}` + "\n", "r"},
		{
			"jsonl",
			`{"path": "r.wav", "text": "x", "offset": 0, "duration": 1}` + "\n" +
				`{"path": "r.wav", "text": "y", "offset": 1, "duration": 1}` + "\n",
			"r-00000000-00001000 r-00001000-00002000",
		},
		{
			"csv", "path,text,offset,duration\nr.wav,x,0,1\nr.wav,y,1,\nq.wav,z,2,1\n",
			"r-00000000-00001000 r-00001000 q",
		},
		{
			"tsv", "path\ttext\toffset\tduration\nr.wav\tx\t0.0004\t1.0004\nr.wav\ty\t0.0005\t1\n",
			"r-00000000-00001001 r-00000001-00001001",
		},
		{"csv", "id,path,text,offset,duration\nu1,r.wav,x,0,1\nu2,r.wav,y,1,1\n", "u1 u2"},
		{"csv", "path,text,duration\nr.wav,x,1\nr.wav,y,1\n", "r r"}, // whole files, and so one id in two rows
	} {
		m, err := parse("metadata.csv", c.src, c.format)
		if err != nil {
			t.Fatal(err)
		}
		accounted(t, m)
		var ids []string
		for _, r := range m.Rows {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); got != c.ids {
			t.Errorf("%s of %q has the ids %s, want %s", c.format, c.src, got, c.ids)
		}
	}
	m, err := parse("m.jsonl", `{"path": "r.wav", "id": "u", "text": "x", "offset": 12.3456789015, "duration": 1e-9}`+"\n", "jsonl")
	if err != nil || len(m.Rows) != 1 || m.Rows[0].Audio.From != 12345678902 || m.Rows[0].Audio.Length != time.Nanosecond {
		t.Errorf("a part to the nanosecond: %+v, %v", m, err)
	}
}

// TestATreeIsReadAlikeInAnyOrder: what a folder lists first depends on its file
// system; rows and errors do not.
func TestATreeIsReadAlikeInAnyOrder(t *testing.T) {
	files := tree{
		"txt/p1/p1_1.txt": "A", "txt/p1/p1_2.txt": "B", "wav48/p1/p1_1.wav": "", "txt/p2/p2_1.txt": "C",
		"wav48/p2/p2_1.wav": "", "wav48/p2/p2_2.wav": "", "wav48/p3/p3_1.wav": "",
	}
	names := slices.Sorted(maps.Keys(files))
	var first []string
	for turn := range 3 {
		dir := t.TempDir()
		for i := range names { // made in another order each time
			name := names[(i*(2*turn+1)+turn)%len(names)]
			writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(files[name]))
		}
		got := outcome(t, Corpus{Dir: dir})
		if first == nil {
			first = got
		}
		if !slices.Equal(got, first) || len(got) != 6 {
			t.Errorf("made in the order %d:\n%s\nbefore\n%s", turn, strings.Join(got, "\n"), strings.Join(first, "\n"))
		}
	}
}
