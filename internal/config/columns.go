package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// columnNames are what a row can take from a column of metadata.
var columnNames = []string{"id", "audio", "text", "normalised", "speaker", "language", "split", "offset", "duration"}

// takesColumns reports whether a format's columns have names or numbers of the
// user's choice. auto may turn out to be one that has.
func takesColumns(format string) bool {
	return slices.Contains([]string{"auto", "csv", "tsv", "jsonl", "parquet"}, format)
}

func columnsMessage(format string) string {
	return fmt.Sprintf("the columns of format %s are fixed; csv, tsv, jsonl and parquet have others", format)
}

// readTable reads texts by names: a mapping from the names of k.Enum, or from any.
func readTable(k Key, n *node, left *budget) (any, []complaint) {
	if n.kind != mapNode {
		return nil, wrong(wrongKind(n, "a section of names with "+tableValue[k.Kind]+" each"))
	}
	entries, ok := left.take(n)
	if !ok {
		return nil, wrong(complaint{message: tooManyParts})
	}
	table := map[string]string{}
	var all []complaint
	for _, e := range entries {
		bad := readEntry(k, table, e)
		if bad.message != "" {
			bad.part, bad.line, bad.col = "."+clip(e.key), e.line, e.col
			all = append(all, bad)
		}
	}
	if len(table) == 0 {
		return nil, all // as if it were not there
	}
	return table, all
}

// tableValue says what the value of a name is.
var tableValue = map[Kind]string{Table: "a header", Names: "a text"}

// readEntry puts one line of a table into it.
func readEntry(k Key, table map[string]string, e entry) complaint {
	if k.Kind == Table && !slices.Contains(k.Enum, e.key) {
		bad := complaint{message: "is none of " + strings.Join(k.Enum, ", ")}
		if near := nearest(e.key, k.Enum); near != "" {
			bad.hint = fmt.Sprintf("did you mean %s?", near)
		}
		return bad
	}
	if _, twice := table[e.key]; twice {
		return complaint{message: "is there twice"}
	}
	if e.value.kind == nullNode {
		return complaint{} // not given
	}
	v, bad := readString(e.value)
	if bad.message != "" {
		return bad
	}
	header := v.(string)
	if i, err := strconv.Atoi(header); k.Kind == Table && (header == "" || err == nil && i < 1) {
		return complaint{message: fmt.Sprintf("%q is not a column", header), hint: "write its header, or its number from 1"}
	}
	table[e.key] = header
	return complaint{}
}
