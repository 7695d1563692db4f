// Package diagnosis says what limits a training, what that costs, and how to
// fix it. It measures nothing and prints nothing: reports, run records and flags
// fill an Observation, and commands print what comes back.
//
// The words. A rule looks at one thing and compares it with a limit; the table
// of rules is the reference too. A target is a limit that users can set. A
// verdict is a number, its cause, its cure, and the gain: the part of the step's
// time that the cure takes away, or of a build's. Its basis says how it is known. A stage's time
// is what it takes for one batch; a mode is how stages follow each other on one
// GPU or on two.
//
// The flow.
//
//	settings, measurements, stage times -> Observation -> Find -> verdicts
//	a trainer's config, lengths, cores, GPUs -> Config -> Audit -> what is wrong, well, unknown
//	stage times -> Work -> Estimate -> modes, speed-ups, batch sizes
//	stage summaries -> Bottleneck -> the stage that others wait for
//
// Run records are read and compared in runs. What is not observed is nil or 0 and
// fires no rule. Why it is so: docs/design/0012-diagnosis.md.
//
// More than 30 files: each subject of rules is one, so that who adds a rule finds
// its like by the file's name.
package diagnosis
