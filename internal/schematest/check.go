package schematest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// strict is the schema of schemas with a ban on words that it does not have:
// "minimun" would else be passed over. The dynamic anchor makes it the rule for
// schemas within schemas too (JSON Schema 2020-12, section 8.2.3.2).
const strict = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"$id": "voxpack:strict",
	"$dynamicAnchor": "meta",
	"$ref": "https://json-schema.org/draft/2020-12/schema",
	"unevaluatedProperties": false
}`

// Check holds a document to the schema in a file, which may refer to those beside it.
// The error names the place of each fault, of the document or of the schema itself.
func Check(path string, document []byte) error {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json"))
	if err != nil {
		return err
	}
	schemas := map[string][]byte{}
	for _, file := range files {
		if schemas[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			return err
		}
	}
	return check(schemas, filepath.Base(path), document)
}

// folder is where the compiler takes schemas to be: names alone refer to each other.
const folder = "https://voxpack.invalid/"

// check holds a document to one of some schemas, by their names.
func check(schemas map[string][]byte, name string, document []byte) error {
	c := jsonschema.NewCompiler()
	if _, err := add(c, "voxpack:strict", []byte(strict)); err != nil {
		return err
	}
	for name, schema := range schemas {
		s, err := add(c, folder+name, schema)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := validate(c, "voxpack:strict", s); err != nil {
			return fmt.Errorf("schema %s: %w", name, err)
		}
	}
	d, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return fmt.Errorf("document: %w", err)
	}
	return validate(c, folder+name, d)
}

// add reads a schema and makes it known to the compiler.
func add(c *jsonschema.Compiler, name string, schema []byte) (any, error) {
	s, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return s, c.AddResource(name, s)
}

func validate(c *jsonschema.Compiler, name string, document any) error {
	s, err := c.Compile(name)
	if err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	return s.Validate(document)
}
