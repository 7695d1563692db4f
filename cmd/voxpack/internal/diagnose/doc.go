// Package diagnose is the commands that say what limits a training: it reads
// flags and run records into what package diagnosis takes, and prints what that
// finds.
//
//	--stages, --run, --bytes ── parse ──▶ diagnosis.Work ── Estimate ──▶ page, JSON
//	a trainer's config ── config.ReadTrainer ──▶ diagnosis.Config ── Audit ──▶ page, JSON, a fixed file
//	a file or a dataset ── ReadRecord ──▶ perf.RunRecord
//	all of these, and a store ── doctor ──▶ one Observation ── Find ──▶ one list
//
// More than 30 files: each command has a few, which its name begins.
//
// The schemas of what it prints as JSON are in docs/schema.
package diagnose
