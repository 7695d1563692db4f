// Package espeak turns clauses into phonemes by running an espeak-ng that the
// user has installed. It is never linked: its licence, GPL-3, ends at the pipe.
//
// Words: a Tool is an installed espeak-ng with its version, which belongs into
// every key made from what it says: another version, or the same one on another
// machine, may say something else. A voice is its name for a language. A clause
// is a piece of text without punctuation, which espeak-ng would swallow. A
// worker is one running espeak-ng with one voice.
//
// Flow:
//
//	Find ─▶ Tool, or an error of kind ErrMissing
//	NewPool(Tool) ─▶ Pool.Say(clause) ── a line, a mark, answers up to the mark ─▶ phonemes
//
// What runs is bounded in time and in what it may say, and begun again after it
// ended. It says the same of a clause whatever it was asked before.
package espeak
