package intake

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// rowOf is the first row of an id, with Only or without.
func rowOf(t *testing.T, c Corpus, id string, only bool) (*Row, *Table) {
	t.Helper()
	if only {
		c.Only = id
	}
	table, err := Read(c)
	if err != nil {
		t.Fatalf("Read(Only: %q): %v", c.Only, err)
	}
	for i := range table.Rows {
		if r := &table.Rows[i]; r.ID == id {
			return r, table
		}
	}
	return nil, table
}

// TestARowIsFoundByItsMention: with its place and all that it says, in a file of several
// reads, whatever ends its lines and begins it.
func TestARowIsFoundByItsMention(t *testing.T) {
	for name, form := range map[string]struct{ head, end string }{
		"plain": {"", "\n"}, "byte order mark": {"\xef\xbb\xbf", "\n"}, "CRLF": {"", "\r\n"}, "empty lines": {"\n\n", "\n\n"},
	} {
		dir := t.TempDir()
		var b strings.Builder
		b.WriteString(form.head)
		const rows = 30002 * 2
		for i := range rows {
			switch i {
			case 30000:
				b.WriteString("L30000|broken" + form.end) // refused: the others have three columns
			case 30001:
				b.WriteString("bytes\xff|a|b" + form.end)
			default:
				fmt.Fprintf(&b, "wavs/L%d.wav|text of row %d, and L%d is mentioned|given%s", i, i, i-1, form.end)
			}
		}
		b.WriteString("last|without|an end")
		if err := os.WriteFile(filepath.Join(dir, "metadata.csv"), []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		ids := []string{"L0", "L1", "L999", "L1001", "L17123", "L30000", "L31234", "L59999", "last", "none"}
		for at := 1 << 20; at < b.Len(); at += 1 << 20 { // lines that a read of the file ends in
			at = strings.LastIndexByte(b.String()[:at], '\n') + 1
			ids = append(ids, strings.TrimSuffix(strings.TrimPrefix(strings.Split(strings.TrimSpace(b.String()[at:at+99]), "|")[0], "wavs/"), ".wav"))
		}
		for _, id := range ids {
			want, all := rowOf(t, Corpus{Dir: dir}, id, false)
			got, some := rowOf(t, Corpus{Dir: dir}, id, true)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is %+v, want %+v", name, id, got, want)
			}
			if len(id) > 4 && len(some.Rows) > 20 || !slices.Equal(some.Files, all.Files) || !slices.Equal(some.Columns, all.Columns) {
				t.Errorf("%s: %s: %d rows of %q with %v were read, want few of %q with %v", name, id, len(some.Rows), some.Files, some.Columns, all.Files, all.Columns)
			}
		}
	}
}

// TestALineOverTheBufferIsNotLookedThrough: the caller reads the whole file then.
func TestALineOverTheBufferIsNotLookedThrough(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "metadata.csv"), []byte("a|b|c\n"+strings.Repeat("x", 3<<20)+"\nb|b|c\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	in := Input{Corpus: Corpus{Dir: dir}, Part: Part{File: "metadata.csv"}, table: &Table{}}
	if _, _, err := in.mentions("b"); !errors.Is(err, errNoScan) {
		t.Errorf("mentions = %v, want %v", err, errNoScan)
	}
}
