// Package explain says why a build ran what it ran, from what its snapshot keeps.
//
// Words: a side is a row in one of two snapshots, the one that is explained
// (now) and its parent (was). A stage owes a row a result when the parent has
// none of this key under the row's id; a cause is the reason, with all rows that
// it is the reason for. How many of them were computed says the count that the
// build left in its snapshot: a result may as well come from a trace, from the
// cache or from another row.
//
//	snapshot, parent ── leaves that differ, rejections ──▶ sides   explainer.go
//	sides, settings that changed ──▶ a cause for each result       cause.go
//	causes, counts of the build ──▶ Explanation, RowExplanation    explain.go
//	two versions, of any stores ──▶ Difference, RowVersions        diff.go
//	a version and all before it ──▶ History                        log.go
//
// Sources are not read, and no stage runs.
package explain
