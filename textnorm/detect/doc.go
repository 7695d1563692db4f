// Package detect tells the language of a line of text.
//
// A code is a language's ISO 639-1 name. A script is a writing system; a letter
// belongs to one. A group is the languages that share a script. A feature is a
// run of letters of a word, or the word as a whole; a row holds what a feature
// says for and against each language of its group. A span is a run of letters
// of another script than the text around it.
//
//	line ── countLetters ──▶ script ── of one language ──────────────────▶ code
//	                            └───── of a group ── features ── rows ──▶ code, confidence
//
// The script decides alone where one language of the table is written in it, as
// Korean and Hindi are, and for Japanese where there is kana. The rest is a linear model over one to five letters and whole
// words, in a hashed table: function words and letters such as پ or ß are
// features among the others, and each counts as much as the training found.
// Weights are bytes and sums are integers, so that a line has the same code on
// every machine. What the model was trained on, and how to train it again, is
// told by internal/train.
package detect
