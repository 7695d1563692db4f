// Package term is what all commands say and how: numbers and pages for people,
// JSON for programs, progress while they wait, and the errors that carry an exit
// code.
//
// Everything that goes to stdout or stderr passes Safe, which shows what a
// terminal would obey. Only progress, which holds no names, goes past it (Raw).
//
//	result   Buffered, Fields, PrintJSON        output.go
//	numbers  Commas, Count, Size, Duration      number.go
//	notes    NotesByRows, NoteText              note.go
//	waiting  StartProgress                      progress.go
//	errors   Usage, Findings, ErrInterrupted    error.go; the codes are in cmd/voxpack/exit.go
package term
