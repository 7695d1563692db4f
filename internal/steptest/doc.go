// Package steptest counts the steps of code, for tests that bound how much work
// an input can cause. A clock tells as much about the machine as about the code;
// a count is the same on every machine and names the line that grows.
//
// A step is one run of a block of statements, as go test -covermode=count counts
// them: the product itself holds no counter. What a call into the standard
// library does is one step.
//
// The flow of Linear.
//
//	the test ── go test -c -covermode=count ──▶ the same test in two processes,
//	with a small and a large input ──▶ two profiles ──▶ blocks that grow faster than the input
package steptest
