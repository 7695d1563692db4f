// Package exectest is for tests: it writes programs that they run.
package exectest
