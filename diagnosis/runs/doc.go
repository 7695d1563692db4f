// Package runs reads what run records say of a training, and compares runs.
//
// The words. Figures are what one run measured, by the names of metrics. A group
// is one run, or several of the same thing, which show how much runs vary. A
// difference is significant when it is more than these runs vary by.
//
// The flow.
//
//	run record -> FiguresOf -> Figures, of one or more runs a group
//	groups, targets -> Compare -> differences, missed targets, outcomes
//	run record -> WorkOf -> diagnosis.Work, which an estimate starts from
package runs
