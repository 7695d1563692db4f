// Package schematest holds JSON to a JSON schema, in tests: the part of the draft
// of 2020-12 that the schemas in docs/schema use. A word that it does not know is
// an error, so that no schema asks for what nobody checks.
package schematest
