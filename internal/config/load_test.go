package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"voxpack/internal/near"
)

// problems loads src as config.yaml and returns what String gives for each.
func problems(src string) []string {
	_, list := Load("config.yaml", []byte(src), formats)
	var got []string
	for _, p := range list {
		got = append(got, p.String())
	}
	return got
}

// One test for each rule of a single key and of the file.
func TestLoadReports(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // the start of each problem, in order
	}{
		{"an empty file is the defaults", "", nil},
		{"so are a file of comments, null and an empty section", "# nothing\ndata:\nmodel:\n", nil},
		{"null is the default", "data:\n  fmax: null\n  overlong: ~\n  speakers:\n", nil},
		{"a byte order mark and CRLF are ignored", "\ufeffdata:\r\n  n_mels: x\r\n",
			[]string{`config.yaml:2:3: data.n_mels: "x" is not a whole number`}},
		{"foreign sections are not read", "data:\n  n_mels: 80\ntraining:\n  sample_rate: wrong\nother: [1, {a: b}]\n", nil},
		{"keys of the model are its own", "model:\n  n_mels: 80\n  enable_gradient_checkpointing: true\n  batch_size: x\n", nil},
		{"an int in quotes is no int", "data:\n  batch_size: \"16\"\n",
			[]string{`config.yaml:2:3: data.batch_size: "16" in quotes is not a whole number; take the quotes away`}},
		{"1e3 is a whole number", "data:\n  rows_per_shard: 1e3\n", nil},
		{"1.5 is not", "data:\n  rows_per_shard: 1.5\n", []string{`config.yaml:2:3: data.rows_per_shard: "1.5" is not a whole number`}},
		{"a leading 0 is ambiguous", "data:\n  hop_length: 0256\n", []string{`config.yaml:2:3: data.hop_length: 0256 begins with 0`}},
		{"a word is not a number", "data:\n  fmax: high\n", []string{`config.yaml:2:3: data.fmax: "high" is not a number`}},
		{"infinity is not a number", "data:\n  fmax: .inf\n", []string{`config.yaml:2:3: data.fmax: ".inf" is not a number`}},
		{"nor is what Go calls one", "data:\n  fmax: Inf\n  fmin: NaN\n", []string{`config.yaml:2:3: data.fmax`, `config.yaml:3:3: data.fmin`}},
		{"a list is not a number", "data:\n  n_mels: [80]\n", []string{`config.yaml:2:3: data.n_mels: a list is not a whole number`}},
		{"a section is not a number", "data:\n  n_mels:\n    a: 1\n", []string{`config.yaml:2:3: data.n_mels: a section is not a whole number`}},
		{"a number outside the range", "data:\n  rows_per_shard: 0\n  batch_size: -4\n  sample_rate: 1e300\n", []string{
			`config.yaml:2:3: data.rows_per_shard: 0 is outside 1 to 4096`,
			`config.yaml:3:3: data.batch_size: -4 is outside 1 to 65536`,
			`config.yaml:4:3: data.sample_rate: 1e300 is outside 4000 to 192000`}},
		{"yes and off are booleans, as the trainer reads them", "data:\n  add_blank: yes\n  add_bos: Off\n", nil},
		{"a number is no boolean", "data:\n  add_blank: 1\n", []string{`config.yaml:2:3: data.add_blank: "1" is not true or false`}},
		{"a word outside an enum has the nearest", "data:\n  overlong: truncat\n",
			[]string{`config.yaml:2:3: data.overlong: "truncat" is not one of reject, truncate, error; did you mean truncate?`}},
		{"the language no is Norwegian", "data:\n  language: no\n", nil},
		{"a list item that is no text", "data:\n  speakers: [a, [b]]\n", []string{`config.yaml:2:3: data.speakers: item 2: a list is not a text`}},
		{"a tag is refused", "data:\n  n_mels: !!int \"80\"\n", []string{`config.yaml:2:3: data.n_mels: a YAML tag is not a whole number`}},
		{"an unknown key is a warning with the nearest", "data:\n  smaple_rate: 1\n  zzzzzzzzzz: 2\n", []string{
			`config.yaml:2:3: warning: data.smaple_rate: is not a key of voxpack and is not read; did you mean sample_rate?`,
			`config.yaml:3:3: warning: data.zzzzzzzzzz: is not a key of voxpack and is not read`}},
		{"no line end of the file gets into a message", "data:\n  \"a\\n\\e[31m\": 1\n  n_mels: 80\n", []string{"config.yaml:2:3: warning: data.a\ufffd\ufffd[31m: is not"}},
		{"a key outside data is pointed out", "sample_rate: 16000\ndata:\n",
			[]string{`config.yaml:1:1: warning: sample_rate: stands outside ` + "`data:`" + ` and is not read; move it to data.sample_rate`}},
		{"a key that is there twice names the first", "data:\n  n_mels: 80\n  fmax: 8000\n  n_mels: 40\n",
			[]string{`config.yaml:4:3: data.n_mels: is there twice: first as n_mels at line 2`}},
		{"so does its alias", "data:\n  fmax: 8000\n  mel_fmax: 7000\n", []string{`config.yaml:3:3: data.mel_fmax: is there twice: first as fmax at line 2`}},
		{"a section that is there twice", "data:\n  n_mels: 80\ndata:\n  n_mels: 40\n", []string{`config.yaml:3:1: data: the section is there twice: first at line 1`}},
		{"a section has keys", "data: 5\n", []string{`config.yaml:1:1: data: must be a section with keys`}},
		{"a file has sections", "- a\n", []string{`config.yaml:1:1: not a config`}},
		{"what is no YAML has a place", "data:\n  a: [1\nb: 2\n", []string{`config.yaml:3:1: not YAML: `}},
		{"what is no UTF-8 has a place", "data:\n  é: \xff\n", []string{`config.yaml:2:6: not UTF-8`}},
		{"one document", "data:\n---\ndata:\n", []string{`config.yaml:3:`}},
		{"data and model may agree", "data:\n  sample_rate: 16000\nmodel:\n  sample_rate: 1.6e4\n", nil},
		{"data and model that differ name both lines", "model:\n  n_mels: 100\ndata:\n  n_mels: 80\n",
			[]string{`config.yaml:4:3: data.n_mels: is 80, and 100 at line 2 (model.n_mels); give both the same value`}},
		{"in either order", "data:\n  n_mels: 80\nmodel:\n  n_mels: 100\n",
			[]string{`config.yaml:4:3: model.n_mels: is 100, and 80 at line 2 (data.n_mels)`}},
		{"on one line too", "{data: {n_mels: 80}, model: {n_mels: 100}}\n", []string{`config.yaml:1:`}},
		{"text cleaners are replaced", "data:\n  text_cleaners: [english_cleaners]\n",
			[]string{`config.yaml:2:3: warning: data.text_cleaners: english_cleaners not run`}},
		{"no text cleaners are none", "data:\n  text_cleaners: []\n", nil},
		{"work that is always done is reported when refused", "data:\n  enable_caching: false\n  enable_map_fusion: true\n",
			[]string{`config.yaml:2:3: warning: data.enable_caching: false changes nothing`}},
		{"all problems come out at once, in the order of the file", "data:\n  fmax: 12000\n  n_mels: x\n  typo_key: 1\n  hop_length: 2000\n", []string{
			`config.yaml:2:3: data.fmax: 12000 is over half of sample_rate 22050 (11025); no frequency above 11025 exists there`,
			`config.yaml:3:3: data.n_mels: "x" is not`, `config.yaml:4:3: warning: data.typo_key`,
			`config.yaml:5:3: data.hop_length: hop_length 2000 is over win_length 1024`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, problems(tt.src), tt.want) })
	}
}

func TestKeysAgainstEachOther(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"fmax of a low rate", "data:\n  sample_rate: 8000\n", []string{"config.yaml:2:3: data.sample_rate: the default fmax 8000 is over half of sample_rate 8000 (4000)"}},
		{"fmax of half the rate", "data:\n  fmax: 11025\n", nil},
		{"fmin over fmax", "data:\n  fmin: 8000\n", []string{"config.yaml:2:3: data.fmin: fmin 8000 is not below fmax 8000"}},
		{"an alias keeps its place", "data:\n  f_max: 20000\n", []string{"config.yaml:2:3: data.fmax: 20000 is over half"}},
		{"n_fft", "data:\n  n_fft: 1000\n  win_length: 1000\n", []string{"config.yaml:2:3: data.n_fft: 1000 is not a power of two"}},
		{"win over n_fft", "data:\n  n_fft: 512\n", []string{"config.yaml:2:3: data.n_fft: win_length 1024 is over n_fft 512"}},
		{"hop over win", "data:\n  win_length: 200\n", []string{"config.yaml:2:3: data.win_length: hop_length 256 is over win_length 200"}},
		{"more bands than bins", "data:\n  n_mels: 200\n  n_fft: 256\n  win_length: 256\n", []string{"config.yaml:2:3: data.n_mels: n_mels 200 is not below the 129 bins"}},
		{"a key that could not be read has no second problem", "data:\n  n_fft: x\n  win_length: 4096\n", []string{"config.yaml:2:3: data.n_fft: \"x\""}},
		{"in the section model as well", "model:\n  hop_length: 4000\n", []string{"config.yaml:2:3: model.hop_length: hop_length 4000 is over"}},
		{"splits over 1", "data:\n  train_split: 0.9\n  val_split: 0.2\n", []string{"config.yaml:3:3: data.val_split: train_split 0.9 and val_split 0.2 are more than 1"}},
		{"splits of 1", "data:\n  train_split: 0.9\n  val_split: 0.1\n", nil},
		{"a depth that begins over its bound", "data:\n  prefetch_buffer_size: 16\n  pipeline_buffer_size: 8\n", []string{"config.yaml:2:3: data.prefetch_buffer_size: prefetch_buffer_size 16 is over"}},
		{"languages are codes", "data:\n  language: english\n  languages: [en, 5]\n", []string{`config.yaml:2:3: data.language: "english" is not`, `config.yaml:3:3: data.languages: "5" is not`}},
		{"tags are languages", "data:\n  language: fa_IR\n  languages: [en-US, fa]\n", nil},
		{"a language can be told by the text", "data:\n  language: auto\n", nil},
		{"to tell by the text is no language", "data:\n  languages: [auto]\n", []string{`config.yaml:2:3: data.languages: "auto" is not a language code`}},
		{"speakers have numbers, so none is there twice", "data:\n  speakers: [anna, bert, anna]\n", []string{`config.yaml:2:3: data.speakers: "anna" is there twice: at 0 and at 2`}},
		{"features are columns, so none is there twice", "data:\n  features: [pcm, f0, pcm]\n", []string{`config.yaml:2:3: data.features: "pcm" is there twice: at 0 and at 2`}},
		{"a clip can be long enough", "data:\n  max_seconds: 2\n  min_seconds: 5\n", []string{`config.yaml:3:3: data.min_seconds: min_seconds 5 is over max_seconds 2`}},
		{"evaluation alone trains on nothing", "data:\n  metadata_eval: b.csv\n", []string{"config.yaml:2:3: data.metadata_eval: metadata_eval without metadata_train"}},
		{"training and evaluation are two files", "data:\n  metadata_train: a.csv\n  metadata_eval: ./a.csv\n", []string{"config.yaml:3:3: data.metadata_eval: metadata_eval and metadata_train are one file"}},
		{"training alone is well", "data:\n  metadata_train: a.csv\n", nil},
		{"a row can have enough characters", "data:\n  min_chars_per_second: 30\n  max_chars_per_second: 3\n", []string{"config.yaml:2:3: data.min_chars_per_second: min_chars_per_second 30 is over max_chars_per_second 3"}},
		{"without a bound above it can too", "data:\n  min_chars_per_second: 30\n", nil},
		{"the languages of a filter are codes", "data:\n  only_languages: [en, english]\n", []string{`config.yaml:2:3: data.only_languages: "english" is not`}},
		{"a speaker is kept or left out", "data:\n  not_speakers: [a]\n  only_speakers: [b, a]\n", []string{`config.yaml:3:3: data.only_speakers: "a" is in only_speakers and in not_speakers`}},
		{"speakers are names", "data:\n  speakers: [\"\", a]\n", []string{`config.yaml:2:3: data.speakers: speaker 0 "" is not a name`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, problems(tt.src), tt.want) })
	}
}

// Every key that this version knows and cannot obey is refused, and its neutral
// value is not.
func TestWhatCannotBeObeyedIsAnError(t *testing.T) {
	refused := map[string]string{
		"pad_to_fixed_length": "false", "mel_variant": "whisper",
	}
	neutral := map[string]string{
		"pad_to_fixed_length": "true", "mel_variant": "hifigan",
	}
	for key, value := range refused {
		got := problems("data:\n  " + key + ": " + value + "\n")
		if len(got) != 1 || !strings.Contains(got[0], "is not in this version") || strings.Contains(got[0], "warning") {
			t.Errorf("%s: %s gives %q, want one error that says so", key, value, got)
		}
		if got := problems("data:\n  " + key + ": " + neutral[key] + "\n"); len(got) > 0 {
			t.Errorf("%s: %s gives %q, want nothing", key, neutral[key], got)
		}
	}
	for _, k := range Keys() {
		if _, tested := refused[k.Name]; (k.OnlyDefault || len(k.Later) > 0) != tested {
			t.Errorf("%s: refuses values %v, and is in this test %v", k.Name, k.OnlyDefault || len(k.Later) > 0, tested)
		}
	}
}

func TestLoadValues(t *testing.T) {
	src := `
base: &base {n_mels: 100, fmin: 50, batch_size: 8}
data:
  <<: *base
  dataset_path: ../voices
  language: fa
  speakers: [anna, 225]
  sample_rate: 24000
  mel_fmax: 12e3
  batch_size: 16
  add_blank: true
  symbols: ["_", a, b]
  pad_symbol: _
  num_workers: 32
  data_gpu: 0
  prefetch_to_gpu: true
  metadata_train: lists/train.csv
  metadata_eval: /eval.csv
  format: csv
  only_speakers: anna
  not_speakers: [bert, carl]
  only_languages: [fa]
  min_chars_per_second: 2
  max_chars_per_second: 30
model:
  win_length: 512
`
	want := Default()
	want.Dataset.Path = filepath.Join("conf", "..", "voices")
	want.Rows.Language, want.Rows.Speakers = "fa", []string{"anna", "225"}
	want.Audio.SampleRate, want.Mel.NMels, want.Mel.FMin, want.Mel.FMax, want.Mel.WinLength = 24000, 100, 50, 12000, 512
	want.Feed.BatchSize, want.Feed.DataGPU, want.Feed.PrefetchToGPU, want.Workers = 16, 0, true, 32
	want.Tokens.AddBlank, want.Tokens.Symbols, want.Tokens.Pad = true, []string{"_", "a", "b"}, "_"
	want.Rows.MetadataTrain, want.Rows.MetadataEval, want.Rows.Format = filepath.Join("conf", "lists", "train.csv"), "/eval.csv", "csv"
	want.Filter = Filter{OnlySpeakers: []string{"anna"}, NotSpeakers: []string{"bert", "carl"}, OnlyLanguages: []string{"fa"}, MinCharsPerSecond: 2, MaxCharsPerSecond: 30}
	got, list := Load(filepath.Join("conf", "config.yaml"), []byte(src), formats)
	if len(list) > 0 {
		t.Fatalf("problems = %v", list)
	}
	p := got.Problem("n_mels", "message", "hint")
	if at := (place{p.Key, p.Line, p.Col}); at != (place{"data.n_mels", 2, 14}) {
		t.Errorf("Problem at a merged key = %v", at)
	}
	if p := got.Problem("win_length", "message", ""); p.String() != filepath.Join("conf", "config.yaml")+":26:3: model.win_length: message" {
		t.Errorf("Problem at a key of the model = %v", p)
	}
	got.file, got.places = "", nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Load = %+v\nwant   %+v", got, want)
	}
}

func TestSymbols(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("crlf.txt", "\ufeff<pad>\r\n \r\nch\r\n\u200c")
	write("gap.txt", "a\n\nb\n")
	write("bad.txt", "a\n\xff\n")
	specials := []string{"<pad>", "<unk>", "<bos>", "<eos>", "<blank>"}
	tests := []struct {
		name, src string
		want      []string
		problem   string
	}{
		{"none is the built-in table", "data:\n  n_mels: 80\n", nil, ""},
		{"a list stands as it is", "data:\n  symbols: [\"<pad>\", \" \", ch]\n", []string{"<pad>", " ", "ch"}, ""},
		{"a text follows the specials", "data:\n  symbols: \" ab\u200c\"\n", append(slices.Clone(specials), " ", "a", "b", "\u200c"), ""},
		{"a section is neither", "data:\n  symbols: {a: 1}\n", nil, "a section is not a list or a text of characters"},
		{"a file has one symbol a line", "data:\n  symbols_file: crlf.txt\n", []string{"<pad>", " ", "ch", "\u200c"}, ""},
		{"an empty line is an empty symbol", "data:\n  symbols_file: gap.txt\n", []string{"a", "", "b"}, ""},
		{"a file that is no UTF-8", "data:\n  symbols_file: bad.txt\n", nil, "bad.txt:2:1: not UTF-8"},
		{"a vocabulary is no table", "data:\n  symbols_file: sp.model\n", nil, "no table of symbols"},
		{"a file that is not there", "data:\n  symbols_file: none.txt\n", nil, "none.txt"},
		{"a folder is no file", "data:\n  symbols_file: .\n", nil, "not a file"},
		{"not both", "data:\n  symbols: ab\n  symbols_file: crlf.txt\n", nil, "given twice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, list := Load(filepath.Join(dir, "config.yaml"), []byte(tt.src), formats)
			if tt.problem != "" {
				if len(list) != 1 || !strings.Contains(list[0].Message, tt.problem) || list[0].Line < 2 {
					t.Errorf("problems = %v, want one with %q", list, tt.problem)
				}
				return
			}
			if len(list) > 0 || !slices.Equal(c.Tokens.Symbols, tt.want) || (c.Tokens.Symbols == nil) != (tt.want == nil) {
				t.Errorf("symbols = %q, %v, want %q", c.Tokens.Symbols, list, tt.want)
			}
		})
	}
}

func TestFilesAreThoseThatWereRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "table.txt"), []byte("a\nb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	config, table := filepath.Join(dir, "config.yaml"), filepath.Join(dir, "table.txt")
	for _, tt := range []struct {
		name string
		src  string
		want []string
	}{
		{"the config itself", "data:\n  n_mels: 80\n", []string{config}},
		{"and the table of symbols that it names", "data:\n  symbols_file: table.txt\n", []string{config, table}},
		{"by any path", "data:\n  symbols_file: " + table + "\n", []string{config, table}},
	} {
		if c, list := Load(config, []byte(tt.src), formats); len(list) > 0 || !slices.Equal(c.Files(), tt.want) {
			t.Errorf("%s: Files = %q, %v; want %q", tt.name, c.Files(), list, tt.want)
		}
	}
	if files := Default().Files(); files != nil {
		t.Errorf("the defaults come from %q", files)
	}
}

func expect(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("problems = %q, want %d of them", got, len(want))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("problem %d = %q, want %q", i, got[i], want[i])
		}
	}
}

// Every number has bounds, every kind refuses the others, and each refusal has
// the place of its key.
func TestEveryKeyRefusesWhatItIsNot(t *testing.T) {
	wrong := map[Kind][]string{
		Int: {"x", "1.5", "true", "[1]", "{a: 1}", "\"1\"", ".nan", "1e400", "!!int 1"}, Float: {"x", "true", "[1]", "{a: 1}", "\"1\"", ".nan", ".inf", "1e400"},
		Bool: {"x", "2", "[true]", "{a: 1}", "\"true\""}, String: {"[a]", "{a: 1}"}, Path: {"[a]", "{a: 1}"}, Enum: {"[a]", "{a: 1}", "no-such-word"},
		List: {"{a: 1}", "[[a]]", "[{a: 1}]"}, Symbols: {"{a: 1}", "[[a]]"}, Table: {"a", "1", "[a]", "{a: 1}"}, Names: {"a", "1", "[a]", "{a: [b]}"}, Corpora: {"{a: 1}", "[[a]]", "[{name: a}]"},
	}
	for _, k := range Keys() {
		values := slices.Clone(wrong[k.Kind])
		if k.Kind == Int || k.Kind == Float {
			values = append(values, number(k.Min-1), number(k.Max+1), "-1e18", "1e18")
		}
		for _, v := range values {
			got := problems(k.Section + ":\n  " + k.Short() + ": " + v + "\n")
			if len(got) != 1 || !strings.HasPrefix(got[0], "config.yaml:2:") || !strings.Contains(got[0], ": "+k.Section+"."+k.Short()) || strings.Contains(got[0], "warning") {
				t.Errorf("%s: %s gives %q, want one error in line 2", k.Name, v, got)
			}
		}
	}
}

// A misspelt key is one letter from the name that the warning gives.
func TestEveryMisspeltKeyGetsItsName(t *testing.T) {
	for _, k := range Keys() {
		name := k.Short()
		for _, misspelt := range []string{name[1:], name + "s", "x" + name, strings.ReplaceAll(name, "_", "-"), strings.ToUpper(name[:1]) + name[1:]} {
			if _, known := findKey(Keys(), under(k.Section)+misspelt); known {
				continue
			}
			got := problems(k.Section + ":\n  " + misspelt + ": 1\n")
			if len(got) != 1 || !strings.HasPrefix(got[0], "config.yaml:2:3: warning: "+k.Section+"."+misspelt+": is not a key") || !strings.Contains(got[0], "did you mean ") {
				t.Errorf("%s: %q, want one warning with the nearest name", misspelt, got)
				continue
			}
			_, guess, _ := strings.Cut(got[0], "did you mean ")
			if guess = strings.TrimSuffix(guess, "?"); guess != name && near.Distance(misspelt, guess, 1) > 1 { // another name may be as near
				t.Errorf("%s: did you mean %s, want %s", misspelt, guess, name)
			}
		}
	}
}
