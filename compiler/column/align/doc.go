// Package align reads alignments, which say when each phone or word of a clip is
// spoken, and makes durations in frames of them.
//
// Words: an interval is a span of time with a text; a tier is intervals in their
// order, as phones or as words; an alignment is the tiers of one clip.
//
// Flow:
//
//	bytes ── ReadTextGrid, ReadJSON ──▶ Alignment        textgrid.go, json.go
//	lines ── ReadCTM ──▶ an Alignment a clip             ctm.go
//	Alignment ── Tier ──▶ Durations ──▶ phones, frames   durations.go
//
// What is read takes a few times the bytes of its file. A file is an alignment or an
// error with its line, never a panic.
package align
