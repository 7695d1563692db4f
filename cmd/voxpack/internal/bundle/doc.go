// Package bundle packs what somebody who helps asks for into one file, and nothing
// that tells who asks: no audio, text or id, no name of a user, a machine or a
// folder, no value of the environment but a known few.
//
// The words. A member is a file of the bundle. Scrubbing is by what is known, not by
// what is secret: a name passes if a type or a table of this program has it, a text
// if it is one of its words or of this machine's parts, and numbers and truth values
// pass under such names. Everything else is left out and counted.
//
// The flow.
//
//	a diagnosis, run records ── JSON ── scrub ──▶ members
//	a config ── known keys ── numbers, switches, words ──▶ config.json
//	the environment ── known variables ── plain values ──▶ environment.json
//	findings ── the sentences of their rules ──▶ findings.json, findings.txt
//	members ── List, then Write ──▶ FILE.zip
package bundle
