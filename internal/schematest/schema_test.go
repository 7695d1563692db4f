package schematest

import (
	"os"
	"path/filepath"
	"testing"
)

const sample = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
"required": ["a"], "additionalProperties": false, "$defs": {"n": {"type": "integer", "minimum": 1}},
"properties": {"a": {"$ref": "#/$defs/n"}, "b": {"type": ["string", "null"], "minLength": 1}, "c": {"type": "array", "items": {"enum": ["x", 2]}}}}`

// TestCheck: what it is asked for goes through, and what it is not is an error.
// The words of schemas themselves are the library's, which runs the official suite.
func TestCheck(t *testing.T) {
	for document, sound := range map[string]bool{
		`{"a": 1}`:                        true,
		`{"a": 2, "b": null, "c": ["x"]}`: true,
		`{"b": "x"}`:                      false,
		`{"a": 0}`:                        false,
		`{"a": 1, "c": ["y"]}`:            false,
		`{"a": 1, "z": 2}`:                false,
		`[]`:                              false,
		`{`:                               false,
	} {
		if err := check(map[string][]byte{"a.json": []byte(sample)}, "a.json", []byte(document)); (err == nil) != sound {
			t.Errorf("%s: %v, want sound = %v", document, err, sound)
		}
	}
	for _, schema := range []string{`{`, `[]`, `{"$ref": "#/$defs/none"}`, `{"minimun": 1}`,
		`{"properties": {"a": {"typ": "string"}}}`} {
		if err := check(map[string][]byte{"a.json": []byte(schema)}, "a.json", []byte(`"x"`)); err == nil {
			t.Errorf("schema %s: want an error", schema)
		}
	}
}

// TestASchemaThatRefersToAnother: by the name of its file, all of it or a part.
func TestASchemaThatRefersToAnother(t *testing.T) {
	dir := t.TempDir()
	for name, schema := range map[string]string{"whole.json": `{"type": "object", "properties": {"a": {"$ref": "part.json"}, "b": {"$ref": "part.json#/$defs/n"}}}`,
		"part.json": `{"type": "string", "$defs": {"n": {"type": "integer"}}}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(schema), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for document, sound := range map[string]bool{`{"a": "x", "b": 1}`: true, `{"a": 1}`: false, `{"b": "x"}`: false} {
		if err := Check(filepath.Join(dir, "whole.json"), []byte(document)); (err == nil) != sound {
			t.Errorf("%s: %v, want sound = %v", document, err, sound)
		}
	}
	if err := Check(filepath.Join(dir, "none.json"), []byte(`{}`)); err == nil {
		t.Error("a schema that is not there: want an error")
	}
}
