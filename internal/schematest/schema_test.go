package schematest

import "testing"

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
		if err := Check([]byte(sample), []byte(document)); (err == nil) != sound {
			t.Errorf("%s: %v, want sound = %v", document, err, sound)
		}
	}
	for _, schema := range []string{`{`, `[]`, `{"$ref": "#/$defs/none"}`, `{"minimun": 1}`,
		`{"properties": {"a": {"typ": "string"}}}`} {
		if err := Check([]byte(schema), []byte(`"x"`)); err == nil {
			t.Errorf("schema %s: want an error", schema)
		}
	}
}
