package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestCorporaAreRead(t *testing.T) {
	src := `
common: &fa {language: fa, weight: 2}
data:
  language: en
  format: csv
  columns: {text: sentence}
  datasets:
    - voices/anna
    - path: ../vctk
      name: vctk-mic1
      format: vctk
      metadata: lists/train.txt
      speaker: "225"
      weight: 0.5
    - <<: *fa
      path: /data/fa
      columns: {text: 2, id: path}
      format: auto
`
	c, list := Load(filepath.Join("conf", "config.yaml"), []byte(src), formats)
	if len(list) > 0 {
		t.Fatalf("problems = %v", list)
	}
	whole := map[string]string{"text": "sentence"}
	vctk := filepath.Join("conf", "..", "vctk")
	want := []Corpus{
		{Path: filepath.Join("conf", "voices", "anna"), Name: "anna", Format: "csv", Weight: 1, Columns: whole, Line: 8, Col: 7},
		{Path: vctk, Name: "vctk-mic1", Metadata: filepath.Join(vctk, "lists", "train.txt"), Format: "vctk", Speaker: "225", Weight: 0.5, Line: 9, Col: 7},
		{Path: "/data/fa", Name: "fa", Format: "auto", Language: "fa", Weight: 2, Columns: map[string]string{"text": "2", "id": "path"}, Line: 15, Col: 7},
	}
	if !reflect.DeepEqual(c.Dataset.Datasets, want) {
		t.Errorf("datasets = %+v\nwant       %+v", c.Dataset.Datasets, want)
	}
}

func TestCorporaReport(t *testing.T) {
	head := "data:\n  datasets:\n"
	tests := []struct {
		name, src string
		want      []string
	}{
		{"a single path needs no brackets", "data:\n  datasets: voices/anna\n", nil},
		{"an empty list is none", "data:\n  dataset_path: a\n  datasets: []\n", nil},
		{"null is none", "data:\n  datasets:\n", nil},
		{"a section is no list", "data:\n  datasets: {path: a}\n", []string{"config.yaml:2:3: data.datasets: a section is not a list"}},
		{"an item is a path or a section", head + "    - [a]\n", []string{"config.yaml:3:7: data.datasets[0]: a list is not a path or a section with a path"}},
		{"an item has a path", head + "    - a\n    - name: b\n", []string{"config.yaml:4:7: data.datasets[1]: has no path; write"}},
		{"an empty path is none", head + "    - \"\"\n", []string{"config.yaml:3:7: data.datasets[0]: has no path"}},
		{"a null item is none", head + "    - a\n    -\n", []string{"config.yaml:4:7: data.datasets[1]: an empty value is not a path"}},
		{"a weight in its range", head + "    - path: a\n      weight: 1001\n    - {path: b, weight: -1}\n    - {path: c, weight: 0}\n",
			[]string{"config.yaml:4:7: data.datasets[0].weight: 1001 is outside 0 to 1000", "config.yaml:5:17: data.datasets[1].weight: -1 is outside"}},
		{"a weight is a number", head + "    - {path: a, weight: often}\n", []string{`config.yaml:3:17: data.datasets[0].weight: "often" is not a number`}},
		{"formats are those of the key", head + "    - {path: a, format: kladi}\n", []string{`config.yaml:3:17: data.datasets[0].format: "kladi" is not one of auto, ljspeech`}},
		{"languages are codes", head + "    - {path: a, language: persian}\n", []string{`config.yaml:3:17: data.datasets[0].language: "persian" is not a language code`}},
		{"speakers are names", head + "    - {path: a, speaker: \"x|y\"}\n", []string{`config.yaml:3:17: data.datasets[0].speaker: "x|y" is not a name`}},
		{"an unknown key is a warning with the nearest", head + "    - {path: a, wieght: 2}\n",
			[]string{"config.yaml:3:17: warning: data.datasets[0].wieght: is not a key of a corpus and is not read; did you mean weight?"}},
		{"a key that is there twice names the first", head + "    - path: a\n      path: b\n", []string{"config.yaml:4:7: data.datasets[0].path: is there twice: first at line 3"}},
		{"columns are names of ours", head + "    - path: a\n      columns:\n        txet: sentence\n        id: 0\n", []string{
			"config.yaml:5:9: data.datasets[0].columns.txet: is none of id, audio, text", `config.yaml:6:9: data.datasets[0].columns.id: "0" is not a column`}},
		{"columns of a fixed format", head + "    - path: a\n      format: kaldi\n      columns: {text: 1}\n", []string{
			"config.yaml:3:7: data.datasets[0].columns: the columns of format kaldi are fixed"}},
		{"the whole's columns are not those of a fixed format", "data:\n  columns: {text: 1}\n  datasets:\n    - {path: a, format: kaldi}\n    - {path: b, format: csv}\n", nil},
		{"two of one name", head + "    - a/wavs\n    - b/wavs\n    - {path: a/wavs, name: c}\n", []string{
			`config.yaml:4:7: data.datasets[1]: the name "wavs" is that of [0] too; give one of them another`}},
		{"a name has no slash", head + "    - {path: a, name: b/c}\n", []string{`config.yaml:3:17: data.datasets[0].name: "b/c" is not a name of a corpus; ids become name/id`}},
		{"no control characters", head + "    - {path: a, name: \"b\\tc\"}\n", []string{`config.yaml:3:17: data.datasets[0].name: "b\tc" is not a name of a corpus`}},
		{"a path that ends in no name", head + "    - ..\n    - {path: .., name: up}\n", []string{"config.yaml:3:7: data.datasets[0]: has no name, and its path ends in none"}},
		{"a path that ends in a slash has one", head + "    - voices/\n", nil},
		{"not beside dataset_path", head + "    - a\n  dataset_path: b\n", []string{"config.yaml:2:3: data.datasets: datasets and dataset_path both say where the rows are"}},
		{"not beside metadata_train", head + "    - a\n  metadata_train: b\n", []string{"config.yaml:2:3: data.datasets: datasets and metadata_train both say"}},
		{"all that is wrong comes out at once", head + "    - {path: a, weight: x, format: y}\n    - {weight: 3}\n", []string{
			"config.yaml:3:17: data.datasets[0].weight", "config.yaml:3:28: data.datasets[0].format", "config.yaml:4:8: data.datasets[1]: has no path"}},
		{"two of one name beside another fault", head + "    - a/wavs\n    - b/wavs\n    - {path: c, weight: x}\n    - {path: c, weight: x}\n", []string{
			"config.yaml:4:7: data.datasets[1]: the name \"wavs\" is that of [0] too", "config.yaml:5:17: data.datasets[2].weight", "config.yaml:6:17: data.datasets[3].weight"}},
		{"what an alias brings is reported where it stands", "x: &x {path: a, weight: no}\n" + head + "    - *x\n", []string{
			`config.yaml:1:17: data.datasets[0].weight: "no" is not a number`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, problems(tt.src), tt.want) })
	}
}

// Items and tables that merge keys and aliases would blow up cost no more than
// a file of their size.
func TestHostileCorporaAreBounded(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return strings.TrimSuffix(b.String(), ", ")
	}
	var merges strings.Builder
	merges.WriteString("m0: &m0 {path: a}\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&merges, "m%d: &m%d\n  <<: [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*m%d, ", i-1), 10), ", "))
	}
	wide := "w: &w {" + many(4000, "k%d: 1, ") + "}\n"
	tests := []struct{ name, src, want string }{
		{"a billion merges into an item", merges.String() + "data:\n  datasets:\n    - <<: *m11\n", "data.datasets[0]: merge keys and aliases bring more than 12288 keys"},
		{"a billion merges into columns", merges.String() + "data:\n  columns:\n    <<: *m11\n", "data.columns: merge keys and aliases bring more than 12288 keys"},
		{"one wide item many times", wide + "data:\n  datasets: [" + strings.TrimSuffix(strings.Repeat("*w, ", 900), ", ") + "]\n", "data.datasets[3]: merge keys and aliases bring more than 12288 keys"},
		{"one wide table many times", wide + "data:\n  datasets:\n" + strings.Repeat("    - {path: a, columns: *w}\n", 500), "data.datasets[3].columns: merge keys and aliases bring more than 12288 keys"},
		{"more corpora than a store has", "data:\n  datasets: [" + many(1001, "c%d, ") + "]\n", "data.datasets: 1001 corpora; a store has at most 1000"},
		{"an item within itself", "data:\n  datasets: &d [{path: a, columns: *d}]\n", "data.datasets[0].columns: an alias to an anchor that does not stand above it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := problems(tt.src)
			if len(got) > maxParts+10 || !strings.Contains(strings.Join(got, "\n"), tt.want) {
				t.Errorf("%d problems that end %q, want few with %q", len(got), got[max(0, len(got)-3):], tt.want)
			}
		})
	}
}

// As many corpora as a store has, each written out, are within the bounds.
func TestManyCorporaAreNotHostile(t *testing.T) {
	var b strings.Builder
	b.WriteString("data:\n  datasets:\n")
	for i := range maxCorpora {
		fmt.Fprintf(&b, "    - {path: c%d, weight: 2, language: fa, speaker: s, format: csv, metadata: m}\n", i)
	}
	if c, list := Load("config.yaml", []byte(b.String()), formats); len(list) > 0 || len(c.Dataset.Datasets) != maxCorpora {
		t.Errorf("%d corpora, problems %.300v; want %d and none", len(c.Dataset.Datasets), list, maxCorpora)
	}
}
