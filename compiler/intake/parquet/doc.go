// Package parquet reads what speech corpora keep in Parquet files: columns of
// text and numbers from end to end, also lists of numbers, and a recording of one row.
//
// Words: a file has row groups; a group has a chunk for each column; a chunk is
// pages, each a run of rows with a header before it. A column is a leaf of the
// schema; a value that is not there is null. A row of a column with lists has an
// entry for each value, or one for an empty list; two levels say of each entry which
// list goes on with it, and how much of the path is there.
//
// Flow:
//
//	footer ── Open ──▶ File: columns, groups, chunks    file.go, compact.go
//	chunks ── Cursor ──▶ pages, decompressed            cursor.go, page.go, codec.go
//	pages ── a decoder ──▶ values, one a row            values.go, delta.go, runs.go
//	value ── Column.Text ──▶ as people write it         meaning.go
//	row ── File.Value ──▶ the one page that holds it    cursor.go
//	numbers, lists of them ── Arrays ──▶ a row's array  lists.go
//
// Nothing in a file is believed before it is checked: a damaged file is an error,
// never a panic, and takes no more memory than maxPage and a few times its footer.
package parquet
