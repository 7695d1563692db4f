// Package kind names what can be wrong with a row and what a stage can change of
// it. Programs decide by these names; the sentences beside them are for people, and
// nothing is decided by searching them.
//
// The names stand in stores and in JSON, so that none is ever given another meaning
// or written otherwise. A new cause is a line in kind.go and one in each of
// docs/en/commands.md and docs/fa/commands.md, which a test compares.
package kind
