// Package plan is what machines agree on that build one dataset together.
//
// Words: a plan is made once, of the config and the metadata; a part is the rows whose places in the trie
// lie in one of n stretches; a result says, beside the store of a finished part, which part of which plan it is.
//
// Flow: compiler.NewPlan ──▶ Plan ──▶ file ──▶ Part, in compiler.Options ──▶ Result ──▶ compiler.Join.
package plan
