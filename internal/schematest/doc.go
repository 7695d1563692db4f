// Package schematest holds JSON to a JSON schema, in tests: to those of docs/schema,
// of the draft of 2020-12.
package schematest
