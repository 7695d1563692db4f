// Package tune works out settings of a trainer and variables of its environment for
// a machine and a dataset. It looks at nothing and prints nothing: commands fill
// Facts, and print the Advice.
//
// The words. An item is one setting or variable with its value, the reason and how
// the value is known: its basis. A place is where an item is set. A gap is something
// that could not be seen, so that items are missing or weaker.
//
// The flow.
//
//	Facts, framework -> New -> Advice: environment, settings, gaps
//	Advice, environment -> Differs -> what a process has otherwise
//
// Both kinds of items are rows of a table (variables.go, settings.go). A row says
// what python/voxpack/settings says where both speak of the same thing; a test runs
// both.
package tune
