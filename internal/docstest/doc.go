// Package docstest holds the test that the English and the Persian pages say
// the same things: every page of docs/en has its twin of the same path in
// docs/fa and the other way round, and README.md has README.fa.md.
//
// The words. An outline is what two twins must share: the levels of their
// headings in order, and their command blocks. A command block is a fenced
// block marked sh, bash or console, or not marked at all; commands are not
// translated, so twins must have them byte for byte. Other blocks (go, yaml,
// json, text) may hold translated comments or words; there only the number
// counts.
//
// The flow.
//
//	page -> outlineOf -> outline, two outlines -> differences -> findings
//
// Nothing here compares prose: that a translation is good, a reader has to see.
package docstest
