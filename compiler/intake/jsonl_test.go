package intake

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"voxpack/internal/steptest"
)

func TestJSONLines(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"NeMo's keys", `{"audio_filepath": "wavs/a.wav", "text": "one", "duration": 3.2, "speaker": 12, "lang": "en"}`, []string{"1: a (wavs/a.wav) one [12] [en]"}},
		{"other keys", `{"id": 7, "path": "x/a.flac", "sentence": " one ", "normalized_text": "One", "speaker_id": "ada", "locale": "fa-IR", "split": "dev"}`, []string{"1: 7 (x/a.flac) one/One [ada] [fa] [val]"}},
		{"an id alone", `{"id": "a", "text": "one"}`, []string{"1: a one"}},
		{"normalised text alone", `{"path": "a.wav", "normalized_text": "one"}`, []string{"1: a (a.wav) one"}},
		{"null is not there", `{"audio_filepath": "a.wav", "text": "one", "speaker": null, "offset": null}`, []string{"1: a (a.wav) one"}},
		{"the other keys are not read", `{"audio_filepath": "a.wav", "text": "one", "x": {"y": [1, 2]}, "duration": "long"}`, []string{"1: a (a.wav) one"}},
		{"escapes", `{"audio_filepath": "a.wav", "text": "\u0628\ud83d\ude00\ufffd"}`, []string{"1: a (a.wav) ب😀\ufffd"}},
		{"a key twice, and keys with escapes", ` { "text":"x" , "t\u0065xt" : "one","a":{"text":["}","\"",{}]} ,"path":"\u0061.wav","\\":[] } `, []string{"1: a (a.wav) one"}},
		{"a part of a file", `{"audio_filepath": "a.wav", "text": "one", "offset": 0.1, "duration": 2.50}`, []string{"1: a (a.wav) 100ms+2.5s one"}},
		{"a part to the end of a file", `{"audio_filepath": "a.wav", "text": "one", "offset": 1e-2}`, []string{"1: a (a.wav) 10ms+0s one"}},
		{"parts of one file", `{"audio_filepath": "wavs/a.wav", "text": "one", "offset": 0, "duration": 1.5}
{"audio_filepath": "wavs/b.wav", "text": "two", "offset": 0, "duration": 1.5}
{"audio_filepath": "a.wav", "text": "three", "offset": 1.5}
{"audio_filepath": "wavs/a.wav", "id": "own", "text": "four", "offset": 1.5}`,
			[]string{"1: a-00000000-00001500 (wavs/a.wav) 0s+1.5s one", "2: b (wavs/b.wav) 0s+1.5s two", "3: a-00001500 (a.wav) 1.5s+0s three", "4: own (wavs/a.wav) 1.5s+0s four"}},
		{"parts with one id of their own", `{"path": "a.wav", "id": "own", "text": "one", "offset": 1}
{"path": "a.wav", "id": "own", "text": "two", "offset": 2}`, []string{"1: own (a.wav) 1s+0s one", "2: own (a.wav) 2s+0s two"}},
		{"some lines without a speaker", `{"path": "a.wav", "text": "one", "speaker": "ada"}
{"path": "b.wav", "text": "two"}
{"path": "c.wav", "text": "three", "speaker": ""}`, []string{"1: a (a.wav) one [ada]", "2: b! it names no speaker, other lines do", "3: c! the speaker column is empty"}},
		{"no clip", `{"text": "one"}`, []string{"1: ! no key names the clip (audio_filepath, path, file, id, …)"}},
		{"no text", `{"audio_filepath": "wavs/a.wav"}`, []string{"1: a! no key holds the text (text, sentence, …)"}},
		{"a text that is none", `{"audio_filepath": "a.wav", "text": 12}
{"audio_filepath": "a.wav", "text": ["one"]}
{"audio_filepath": 12, "text": "one"}
{"audio_filepath": "a.wav", "text": "one", "speaker": true}`,
			[]string{"1: a! key text: 12 is not a string", `2: a! key text: ["one"] is not a string`, "3: ! key audio_filepath: 12 is not a string", "4: a! key speaker: true is not a string"}},
		{"half of a pair", `{"audio_filepath": "a.wav", "text": "\ud83d"}`, []string{"1: a! key text: half of a surrogate pair stands alone"}},
		{"a negative offset", `{"audio_filepath": "a.wav", "text": "one", "offset": -1}`, []string{`1: a! the offset: "-1" is not a number of seconds, as in 12.5`}},
		{"no duration", `{"audio_filepath": "a.wav", "text": "one", "offset": 1, "duration": 0.0}`, []string{"1: a! the duration is 0"}},
		{"no JSON", "{\"audio_filepath\": \"a.wav\"\n[1]\nnull\n17\n{}\n", []string{
			"1: ! the line is no JSON object: unexpected end of JSON input", "2: ! the line is JSON, but no object: [1]",
			"3: ! the line is JSON, but no object: null", "4: ! the line is JSON, but no object: 17", "5: ! no key names the clip (audio_filepath, path, file, id, …)"}},
		{"the folder above", `{"audio_filepath": "../a.wav", "text": "one"}`, []string{`1: ../a! "../a.wav" leaves the dataset's folder or names no file`}},
	} {
		t.Run(c.name, func(t *testing.T) { wantSaid(t, c.src, "jsonl", c.want) })
	}
}

// TestPartsOfOneFileInTwoManifests: the file is shared wherever its rows stand.
func TestPartsOfOneFileInTwoManifests(t *testing.T) {
	dir := t.TempDir()
	for name, offset := range map[string]string{"train.jsonl": "0.5", "dev.jsonl": "3"} {
		writeFile(t, filepath.Join(dir, name), []byte(`{"audio_filepath": "a.wav", "text": "one", "offset": `+offset+`, "duration": 1}`+"\n"))
	}
	table, err := Read(Corpus{Name: "x", Dir: dir})
	if err != nil || len(table.Rows) != 2 || table.Rows[0].ID != "x/a-00003000-00004000" || table.Rows[1].ID != "x/a-00000500-00001500" {
		t.Errorf("Read = %v, %v", table, err)
	}
}

func TestDecimalSeconds(t *testing.T) {
	for _, c := range []struct {
		s    string
		want time.Duration // -1: an error
	}{
		{"0", 0}, {"0.1", 100 * time.Millisecond}, {"12.345678901", 12345678901}, {"0.0000000005", 1}, {"0.0000000004999", 0},
		{"1e-3", time.Millisecond}, {"1.5E+1", 15 * time.Second}, {"25e-1", 2500 * time.Millisecond}, {"123.456e-2", 1234560 * time.Microsecond},
		{"1e-99", 0}, {"1e2", 100 * time.Second}, {"4.0e0", 4 * time.Second},
		{"", -1}, {"-1", -1}, {"1e", -1}, {"1e--2", -1}, {"1e99", -1}, {"1e999999999999", -1}, {"NaN", -1}, {"Infinity", -1}, {"1.2.3", -1}, {"1,5", -1}, {"9999999999", -1}, {"0x10", -1}, {"1e1e1", -1}, {"e5", -1},
	} {
		got, err := decimalSeconds(c.s)
		if err != nil {
			got = -1
		}
		if got != c.want {
			t.Errorf("decimalSeconds(%q) = %v, %v; want %v", c.s, got, err, c.want)
		}
	}
}

// TestLayoutsWithTables: which files of a folder are read, and what is in front
// of their paths.
func TestLayoutsWithTables(t *testing.T) {
	const (
		cv   = "client_id\tpath\tsentence\tlocale\n"
		line = "x\ta.mp3\tone\ten\n"
		af   = "file_name,text\na.wav,one\n"
	)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // format, then rows as file:id(audio)split
	}{
		{"validated.tsv has all", map[string]string{"validated.tsv": cv + line, "train.tsv": cv + line, "other.tsv": cv + line}, "common-voice validated.tsv:a(clips/a.mp3)"},
		{"else the splits", map[string]string{"train.tsv": cv + line, "dev.tsv": cv + "x\tclips/b.mp3\ttwo\ten\n", "test.tsv": cv + "x\tc\tthree\ten\n", "invalidated.tsv": cv + line},
			"common-voice train.tsv:a(clips/a.mp3)train dev.tsv:b(clips/b.mp3)val test.tsv:c(clips/c)test"},
		{"a table of another kind is none", map[string]string{"validated.tsv": "path\ttext\na.wav\tone\n"}, "tsv validated.tsv:a(a.wav)"},
		{"metadata.csv in the folder", map[string]string{"metadata.csv": "file_name,text\ntrain/a.wav,one\ntest/a.wav,two\nb.wav,three\n"},
			"audiofolder metadata.csv:train/a(train/a.wav)train metadata.csv:test/a(test/a.wav)test metadata.csv:b(b.wav)"},
		{"metadata.jsonl in the folder", map[string]string{"metadata.jsonl": `{"file_name": "x/a.wav", "text": "one"}` + "\n", "notes.txt": "a|b\n"}, "audiofolder metadata.jsonl:x/a(x/a.wav)"},
		{"one for each split", map[string]string{"train/metadata.csv": af, "validation/metadata.csv": af, "test/metadata.jsonl": `{"file_name": "a.wav", "text": "one"}`},
			"audiofolder train/metadata.csv:train/a(train/a.wav)train validation/metadata.csv:validation/a(validation/a.wav)val test/metadata.jsonl:test/a(test/a.wav)test"},
		{"in data/", map[string]string{"data/train/metadata.csv": af}, "audiofolder data/train/metadata.csv:data/train/a(data/train/a.wav)train"},
		{"paths that name the folder too", map[string]string{"train/metadata.csv": "file_name,text\ntrain/a.wav,one\n"}, "audiofolder train/metadata.csv:train/a(train/a.wav)train"},
		{"lists in filelists/", map[string]string{"filelists/x_train.txt": "DUMMY/a.wav|one two\n", "filelists/x_val.txt": "DUMMY/b.wav|one two\n"},
			"filelist filelists/x_train.txt:a(a.wav)train filelists/x_val.txt:b(b.wav)val"},
		{"lists of two corpora", map[string]string{"filelists/x_train.txt": "DUMMY/a.wav|one two\n", "filelists/y_train.txt": "DUMMY/b.wav|one two\n"},
			"filelists/x_train.txt, filelists/y_train.txt: say which"},
		{"a list with the ending of GPT-SoVITS", map[string]string{"voice.list": "wavs/a.wav|ada|en|one two\n"}, "speaker voice.list:a(wavs/a.wav)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, src := range c.files {
				writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(src))
			}
			table, err := Read(Corpus{Dir: dir})
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q", err, c.want)
				}
				return
			}
			got := table.Format
			for _, r := range table.Rows {
				got += fmt.Sprintf(" %s:%s(%s)%s", r.Pos.File, r.ID, r.Audio.Path, r.Split)
			}
			if got != c.want || len(table.Errors) > 0 {
				t.Errorf("Read = %s %v, want %s", got, table.Errors, c.want)
			}
		})
	}
}

// TestAbsolutePathsBelowTheCorpus: of an absolute path the longest end whose folder
// the corpus has counts, wherever the corpus lies.
func TestAbsolutePathsBelowTheCorpus(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	writeFile(t, filepath.Join(dir, "x", "a.wav"), nil)
	line := func(p string) string { return `{"audio_filepath": "` + p + `", "text": "one"}` + "\n" }
	writeFile(t, filepath.Join(dir, "m.jsonl"), []byte(line(dir+"/x/a.wav")+line("/elsewhere/x/b.wav")+line(`C:\\data\\c.wav`)+line(dir+"/../d.wav")+line(dir+"e.wav")+line("/")))
	for _, at := range []string{dir, link} {
		table, err := Read(Corpus{Dir: at})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range table.Rows {
			got += r.ID + " " + r.Audio.Path + "; "
		}
		if want := "x/a x/a.wav; x/b x/b.wav; c c.wav; d d.wav; " + filepath.Base(dir) + "e " + filepath.Base(dir) + "e.wav; "; got != want || len(table.Errors) != 1 {
			t.Errorf("%s: rows %q, %v; want %q and one error", at, got, table.Errors, want)
		}
	}
}

func FuzzJSONL(f *testing.F)       { fuzzFormat(f, "jsonl") }
func FuzzAudioFolder(f *testing.F) { fuzzFormat(f, "audiofolder") }

// FuzzJSONObject: the keys and values of a line are those that the library finds.
func FuzzJSONObject(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1}`, ` { "a" : [1,{"b":"]"}] , "c":"\"," , "d":null,"e":-1.5e3 } `, `{"a":{"a":{}},"a":true}`, `{"\u0061":"\\"}`, `[1]`, `7`, `"x"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var want map[string]json.RawMessage
		bad := json.Unmarshal([]byte(line), &want) != nil || want == nil
		got, err := jsonObject(line, nil)
		if bad != (err != nil) {
			t.Fatalf("jsonObject(%q) = %v, %v; the library finds %v", line, got, err, want)
		}
		keys := map[string]bool{}
		for _, field := range got {
			keys[field.key] = true
		}
		if len(keys) != len(want) && utf8.ValidString(line) {
			t.Errorf("jsonObject(%q) has the keys %v, want those of %s", line, keys, want)
		}
		for key, raw := range want {
			if have, _ := got.value(key); have != string(raw) && utf8.ValidString(line) {
				t.Errorf("jsonObject(%q): %q is %s, want %s", line, key, have, raw)
			}
		}
	})
}

// TestManyPartsOfAFile: a recording of hours has more parts than may be looked at
// once for each of them.
func TestManyPartsOfAFile(t *testing.T) {
	steptest.Linear(t, "voxpack/compiler/intake", 2000, []string{"parts"}, func(t *testing.T, _ string, n int) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "{\"audio_filepath\": \"long.wav\", \"offset\": %d, \"duration\": 1, \"text\": \"a\"}\n", i)
		}
		m, err := parse("m.jsonl", b.String(), "jsonl")
		if err != nil || len(m.Rows) != n {
			t.Fatalf("%d rows, %v, want %d", len(m.Rows), err, n)
		}
		if got, end := m.Rows[n-1].ID, fmt.Sprintf("%d000", n); !strings.HasPrefix(got, "long-") || !strings.HasSuffix(got, end) {
			t.Errorf("the last id is %q, want one of long that ends in %q", got, end)
		}
	})
}
