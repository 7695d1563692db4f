// Package corpustest is for tests: it reads the corpora in testdata without what
// a program may have left in them, such as a store.
package corpustest
