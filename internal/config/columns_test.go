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
		{"a section is a column of one's own, beside headers", "data:\n  columns: {text: a, durations: {from: x}}\n", map[string]string{"text": "a"}, nil},
		{"a computed one", "data:\n  columns:\n    voice: {run: python3 e.py, input: [pcm@16000, text], version: 2, files: e.py, workers: 0, batch: x, timeout_minutes: 5}\n", nil, []string{
			"config.yaml:3:83: data.columns.voice.workers: 0 is outside 1 to 64", `config.yaml:3:95: data.columns.voice.batch: "x" is not a whole number`}},
		{"of one's own whatever the format", "data:\n  format: ljspeech\n  columns: {durations: {from: x}}\n", nil, nil},
		{"what is wrong with one's own stands at its keys", "data:\n  columns:\n    durations:\n      form: x\n      dtype: i64\n      shape: [2, x]\n      max: 0\n    text: {from: x}\n", nil, []string{
			"config.yaml:4:7: data.columns.durations.form: is none of from, field, dtype, length, max, shape, tier, unit, symbols, symbols_file, silence, pad, feature, by, n_mels, fmin, fmax, run, input, version, files, workers, batch, timeout_minutes; did you mean from?",
			`config.yaml:5:7: data.columns.durations.dtype: "i64" is not one of f32, f16, bf16, i32, i16`,
			`config.yaml:6:7: data.columns.durations.shape: item 2: "x" is not a whole number`,
			`config.yaml:7:7: data.columns.durations.max: 0 is outside 1 to 16777216`,
			"config.yaml:8:5: data.columns.text: is a column of the metadata"}},
		{"one's own has keys once", "data:\n  columns: {a: {from: x, from: y}, a: {from: z}}\n", nil, []string{
			"config.yaml:2:26: data.columns.a.from: is there twice", "config.yaml:2:36: data.columns.a: is there twice"}},
		{"a header of a name that is not ours", "data:\n  columns: {durations: x}\n", nil, []string{
			`config.yaml:2:13: data.columns.durations: is none of id, audio, text, normalised, speaker, language, split, offset, duration; did you mean duration?`}},
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
