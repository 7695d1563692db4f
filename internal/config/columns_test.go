package config

import (
	"maps"
	"testing"
)

func TestColumns(t *testing.T) {
	tests := []struct {
		name, src string
		want      map[string]string
		problems  []string
	}{
		{"headers and numbers", "data:\n  columns: {text: sentence, audio: 1, id: \"2\"}\n", map[string]string{"text": "sentence", "audio": "1", "id": "2"}, nil},
		{"every name of ours", "data:\n  columns: {id: a, audio: a, text: b, normalised: c, speaker: d, language: e, split: f, offset: g, duration: h}\n",
			map[string]string{"id": "a", "audio": "a", "text": "b", "normalised": "c", "speaker": "d", "language": "e", "split": "f", "offset": "g", "duration": "h"}, nil},
		{"a null is not given", "data:\n  columns: {text: sentence, id: null}\n", map[string]string{"text": "sentence"}, nil},
		{"an empty section is none", "data:\n  columns: {}\n", nil, nil},
		{"merge keys count", "x: &x {text: a, id: b}\ndata:\n  columns:\n    <<: *x\n    text: c\n", map[string]string{"text": "c", "id": "b"}, nil},
		{"a list is no table", "data:\n  columns: [text]\n", nil, []string{"config.yaml:2:3: data.columns: a list is not a section of names"}},
		{"a name that is none of ours has the nearest", "data:\n  columns:\n    txt: a\n", nil, []string{
			"config.yaml:3:5: data.columns.txt: is none of id, audio, text, normalised, speaker, language, split, offset, duration; did you mean text?"}},
		{"columns count from 1", "data:\n  columns: {text: 0, id: -1, audio: \"\"}\n", nil, []string{
			`config.yaml:2:13: data.columns.text: "0" is not a column`, `config.yaml:2:22: data.columns.id: "-1" is not a column`, `config.yaml:2:30: data.columns.audio: "" is not a column`}},
		{"a header is a text", "data:\n  columns: {text: [a]}\n", nil, []string{"config.yaml:2:13: data.columns.text: a list is not a text"}},
		{"twice is once too many", "data:\n  columns: {text: a, text: b}\n", nil, []string{"config.yaml:2:22: data.columns.text: is there twice"}},
		{"formats with columns of their own", "data:\n  format: ljspeech\n  columns: {text: a}\n", nil, []string{
			"config.yaml:3:3: data.columns: the columns of format ljspeech are fixed; csv, tsv, jsonl and parquet have others"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, problems(tt.src), tt.problems)
			if c, list := Load("config.yaml", []byte(tt.src), formats); !Errors(list) && (!maps.Equal(c.Rows.Columns, tt.want) || (c.Rows.Columns == nil) != (tt.want == nil)) {
				t.Errorf("columns = %v, want %v", c.Rows.Columns, tt.want)
			}
		})
	}
}
