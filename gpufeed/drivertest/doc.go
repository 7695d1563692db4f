// Package drivertest says what every driver of GPUs keeps, as cases that run
// over one: what CUDA promises, no more, so that a real driver passes as well.
//
// Words: a case is a rule and its check; a rig is an open driver with what a
// case took from it; hands are a thread of a device, and give back what they
// took.
//
//	Run(t, open) ─▶ each case: open ─▶ check ─▶ everything given back ─▶ Close ─▶ nothing alive
//
// Nothing here asks how long something took: what has to be waited for is
// waited for by events, and what has to come first is told by bytes that are
// wrong if it did not. Where two devices are needed and one is there, the case
// is skipped and says so.
package drivertest
