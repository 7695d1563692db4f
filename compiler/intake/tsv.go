package intake

// tsv is a table with a header and tabs between the columns. A quote is an
// ordinary character: IANA's text/tab-separated-values knows no quotes and no
// escapes, and forbids a tab inside a column.
var tsv = Format{
	Name:  "tsv",
	Shape: "a header such as path, text, speaker with tabs between and lines of that; columns: in the config names others",
	Look:  func(lines []string) int { return tableLook(lines, "\t", false) },
	Read: func(in *Input) error {
		return (&sheet{in: in}).readTable(in.File, "\t")
	},
}
