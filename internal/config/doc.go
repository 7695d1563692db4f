// Package config reads a trainer's YAML file, or voxpack's own, into plain
// values, and says everything that is wrong with it at once.
//
// A key is one row of a table: name, type, default, range and who reads it. What
// it means is said in keys.en.md and keys.fa.md. The loader, the reference pages
// under docs and the compiler's tests all come from these. A problem is
// one thing wrong, with line and column; a warning is a problem that stops
// nothing.
//
//	bytes ──▶ tree (bounded) ──▶ sections data and model ──▶ one value a key ──▶ cross checks ──▶ Config, problems
//
// Keys stand under `data:`; those that describe the sound may stand under
// `model:` too. Other sections belong to the trainer and are not looked at.
package config
