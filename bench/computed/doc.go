// Command computed measures what a computed column costs in a first build, beside the build without it.
//
//	go run ./bench/computed [-n 13100] [-runs 5] [-python python3]
//
// It generates a corpus with bench/gencorpus. A kind is a build without a column, with one of text (the number
// of words), and with one of samples (loudness.py of docs/en/computed.md, at the dataset's rate). The programs are as cheap as
// programs can be, so that what is measured is voxpack's own part: Python's start, the way of rows and values.
//
// In a round every kind builds once into a new store, in an order that turns; each build is a whole process, whose time,
// and whose processor time with that of its programs, stand beside those of the build without a column in the same round.
// The ratios of rounds have a median, which the goal of 1.25 is for. Every build is checked: all rows kept, and each asked for once.
package main
