// Package locate finds what arguments name: a dataset's folder, a store, either
// with @REF, and the rows in it.
//
// Find resolves an argument to a Place. SplitArgs tells the place from the ids
// after it. UnknownID helps with an id that is not there: it names those near it.
package locate
