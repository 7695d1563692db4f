// Package spoken reads written forms aloud: dates, times, telephone numbers,
// money, measures, fractions, ordinals, Roman numerals, numbers, abbreviations
// and symbols become the words that a reader of the language would say.
//
// Words: a text is one line in NFC with single spaces; a form is a run of its
// characters that is not said as it is written ("$3.50", "Dr."); a rule reads
// one kind of form; a language is a table of rules and of the words they use; a
// class is what a form can be ("30s": a decade, seconds), a cue is a word that
// tells of one.
//
// Flow of Reader.Read, one pass from left to right:
//
//	text ── scan: at a digit, a sign, a symbol, a word ──▶ rules in the order of the language
//	     ── the first that fits writes words and says how far it read ──▶ out
//	     ── or it proposes classes; form, words beside and earlier text weigh them:
//	        the best is said, of two that are near the one that cannot be false ──▶ out
//	     ── else the characters themselves ──▶ out
//
// Numbers are exact strings of digits from beginning to end and become words in
// package numbers. What holds a digit that no rule can read is left as it stands,
// with a note: nothing vanishes.
//
// The words of a language stand in tables below lang, which tell a person without Go
// how a measure, a currency or an abbreviation is said; lang/README.md describes them.
// What no table can say is Go: agreement, counters, changes of sound.
//
// More than 30 files: the shared rules and the rules of 19 languages, a few files
// each, named by the language's code.
package spoken
