package schematest

import (
	"slices"
	"testing"
)

const sample = `{"$schema": "x", "type": "object", "required": ["a"], "additionalProperties": false, "$defs": {"n": {"type": "integer", "minimum": 1}},
"properties": {"a": {"$ref": "#/$defs/n"}, "b": {"type": ["string", "null"], "minLength": 1}, "c": {"type": "array", "items": {"enum": ["x", 2]}}, "d": {"type": "number", "maximum": 1}, "e": {"type": "boolean"}}}`

func TestCheck(t *testing.T) {
	for document, want := range map[string][]string{
		`{"a": 1}`: nil,
		`{"a": 2, "b": null, "c": ["x", 2], "d": 0.5, "e": true}`: nil,
		`{"b": "x"}`:            {"/: a is missing"},
		`{"a": 0}`:              {"/a: 0 breaks the minimum of 1"},
		`{"a": 1.5}`:            {"/a: 1.5 is no integer"},
		`{"a": 1, "b": ""}`:     {`/b: "" is shorter than 1`},
		`{"a": 1, "b": 3}`:      {"/b: 3 is no [string null]"},
		`{"a": 1, "c": [2, 3]}`: {"/c/1: 3 is none of [x 2]"},
		`{"a": 1, "c": {}}`:     {"/c: map[] is no array"},
		`{"a": 1, "d": 2}`:      {"/d: 2 breaks the maximum of 1"},
		`{"a": 1, "e": "true"}`: {"/e: true is no boolean"},
		`{"a": 1, "z": 2}`:      {`/: "z" is not in the schema`},
		`[]`:                    {"/: [] is no object"},
	} {
		got, err := Check([]byte(sample), []byte(document))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", document, got, err, want)
		}
	}
	for _, schema := range []string{`{"pattern": "x"}`, `{"$ref": "#/$defs/none"}`, `[]`} {
		if got, err := Check([]byte(schema), []byte(`"x"`)); len(got) != 1 || err != nil {
			t.Errorf("schema %s: %q, %v, want a complaint", schema, got, err)
		}
	}
	if _, err := Check([]byte(`{`), []byte(`1`)); err == nil {
		t.Error("half a schema is none")
	}
	if _, err := Check([]byte(`{}`), []byte(`{`)); err == nil {
		t.Error("half a document is none")
	}
}
