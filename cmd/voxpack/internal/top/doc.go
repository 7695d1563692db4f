// Package top shows a running feeder: its consumers, their ring, steps, stages,
// stalls and findings, and the machine's GPUs.
//
//	feeders ── source ──▶ Look ── Add ──▶ History ──▶ Screen, plain lines, JSON, metrics
//	keys ── press ──▶ UI ───────────────────────────────┘
//
// A Look is plain values and the JSON. Screen is a function of a history, what
// keys chose, and the size of the terminal, so that screens are tested as text.
// Whatever comes from outside passes term.Line before it reaches one.
package top
