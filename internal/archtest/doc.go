// Package archtest holds the tests about the code itself: who may import whom,
// and the habits of the house that a compiler does not check.
//
// The words. An area is a folder of the tree with everything below it (store,
// compiler, internal/config, ...); a package belongs to the area with the
// longest matching name. A rule is a function from a tree to findings, one
// line each; a tree is an fs.FS, so that every rule is run twice: over this
// repository, where it must find nothing, and over small made-up trees, where
// it must find what is wrong in them.
//
// The flow.
//
//	fs.FS -> parseTree -> []goFile -> rule -> findings
//
// The rules read the files themselves and never start "go list": go test
// remembers a passed test as long as the files that the test process opened
// are the same, and does not see what a child process reads. A test over
// "go list" therefore stayed green after a forbidden import was added.
//
// There is nothing to import here; the tables to edit are areas and modules in
// imports_test.go.
package archtest
