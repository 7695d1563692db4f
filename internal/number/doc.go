// Package number writes numbers for people, and reads those of flags, the same way
// everywhere:
//
//	count ── Commas, Count ──▶ "13,100", "1 row"
//	bytes ── Size ──▶ "2.6 MB"
//	text ── FromZero ──▶ 2.5, or an error
package number
