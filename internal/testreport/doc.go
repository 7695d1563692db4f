// Command testreport runs go test and says at the end what took long.
//
//	go run ./internal/testreport [flags and packages of go test]
//
// Its output is that of go test without -v: a line for each package, and what
// failed with its log. After it come the ten slowest tests and the slowest
// packages, so that the test that grows is seen on the day it grows, and what was
// skipped for want of something on this machine, as tests say it by "NOTICE: ". It
// exits as go test does.
//
// The flow.
//
//	go test -json ──▶ event ──▶ node (a test: its log) ──▶ its parent, or the package
//	                        ──▶ table of times ──▶ the slowest
package main
