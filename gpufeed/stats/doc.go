// Package stats knows the count, mean, deviation, least and greatest value of the
// columns of a dataset: over all rows, by speaker, and by band of the last axis.
//
// Words: a sum is what statistics are made of, kept exactly; a part is the sums of
// some rows; a group is the leaves of the trie that share a page; a memo is the
// file of a group's parts.
//
//	leaf ── values in use, by band ──▶ bins ──▶ sums        bins.go, column.go, leaf.go
//	group ── memo, else its leaves ──▶ part                 memo.go, dataset.go
//	parts ── added ──▶ sums ──▶ mean, std                   sum.go, report.go
//
// A sum is a whole number (of steps of 2^-149, which divides every float32), so that
// no order and no grouping of rows can change a digit: docs/design/0014-statistics.md.
package stats
