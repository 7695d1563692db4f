// Package frontend turns a line of text into the tokens that a model reads. A
// build, voxpack text, voxpack serve and Python's encode all read text by it, so
// that a trained model is asked with the tokens that it was trained on.
//
// A Config says how text is read. It comes from a user's config, or from the root
// of a dataset (FromRoot), which tells too in what this program differs from the
// one that built it. A root holds a Config as strings by name: the table in
// settings.go writes each and reads it back.
//
// The steps of a line, in the order in which Encode takes them:
//
//	source ── Language ──▶ code             told by the text where nothing else says it
//	source ── Replace ──▶ text              the lexicon's words
//	text ── Normalize ──▶ spoken text       stage text: numbers, dates and signs in words
//	spoken ── Dress ──▶ what is cut up      phonemes, or a language tag and space symbols
//	dressed ── Tokenize ──▶ ids             stage tokens
//
// A build takes the same steps one by one, because it remembers what the two
// stages made.
package frontend
