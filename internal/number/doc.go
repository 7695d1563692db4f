// Package number writes numbers for people, the same way in every message:
//
//	count ── Commas, Count ──▶ "13,100", "1 row"
//	bytes ── Size ──▶ "2.6 MB"
package number
