package column

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"voxpack/compiler/column/array"
)

// valuesOf opens a file of lines and says what each id has.
func valuesOf(d decoder, field, text string) (map[string]string, error) {
	m, err := d.open(Config{Field: field}, "x"+d.ends, bytes.NewReader([]byte(text)), int64(len(text)))
	if err != nil {
		return nil, err
	}
	got := map[string]string{}
	for _, id := range m.Names() {
		a, err := m.Read(id)
		switch {
		case errors.Is(err, array.ErrAbsent):
			got[id] = "absent"
		case err != nil:
			got[id] = "bad"
		default:
			got[id] = fmt.Sprint(a, a.Len() == len(a.Data)/a.DType.Size())
		}
	}
	return got, nil
}

// TestALineHasTheValueOfARow: numbers, lists and lists of lists by id.
func TestALineHasTheValueOfARow(t *testing.T) {
	for _, tt := range []struct {
		ends, text string
		want       map[string]string // nil: an error
	}{
		{".jsonl", `{"id": "a", "v": [1, 2, 3]}` + "\n\n" + `{"v": [[1, 2.5]], "id": "b/c"}` + "\r\n" + `{"id": "d", "v": 7}`, map[string]string{"a": "i64[3] true", "b/c": "f64[1,2] true", "d": "i64[] true"}},
		{".jsonl", `{"id": "a"}` + "\n" + `{"id": "b", "v": "x"}` + "\n" + `{"id": "c", "v": [[1], [2, 3]]}` + "\n" + `{"id": "d", "v": [1, [2]]}` + "\n" + `{"id": "e", "v": [[1], 2]}` + "\n" + `{"id": "f", "v": null}`,
			map[string]string{"a": "absent", "b": "bad", "c": "bad", "d": "bad", "e": "bad", "f": "bad"}},
		{".jsonl", `{"id": "a", "v": []}`, map[string]string{"a": "i64[0] true"}},
		{".jsonl", `{"id": "a", "v": 1e999}`, map[string]string{"a": "bad"}},
		{".jsonl", `{"id": "a", "v": 1}` + "\n" + `{"id": "a", "v": 2}`, nil},
		{".jsonl", `{"v": 1}`, nil}, {".jsonl", `[1]`, nil}, {".jsonl", "", map[string]string{}},
		{".csv", "\ufefftext,id,v\n\"x, y\",a,1 2 3\nz,b,2.5\nz,c,\nz,d,1 x\n", map[string]string{"a": "i64[3] true", "b": "f64[] true", "c": "absent", "d": "bad"}},
		{".tsv", "id\tv\na\t1\nb\n", map[string]string{"a": "i64[] true", "b": "bad"}},
		{".csv", "id,w\na,1\n", nil}, {".csv", "v\n1\n", nil}, {".csv", "", nil}, {".csv", "id,v\na,1\na,2\n", nil},
	} {
		d, _ := decoderOf("x" + tt.ends)
		got, err := valuesOf(d, "v", tt.text)
		if (err != nil) != (tt.want == nil) || tt.want != nil && fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s %q: %v, %v; want %v", tt.ends, tt.text, got, err, tt.want)
		}
	}
}

// TestNumbersOfALineAreBounded, while they are read, and lists may be nested as deep as the format of arrays has axes.
func TestNumbersOfALineAreBounded(t *testing.T) {
	for text, want := range map[string]string{
		"[1, 2, 3]":           "<nil>",
		"[[1], [2], [3]]":     "<nil>",
		"[1, 2, 3, 4, ":       "it has more than 3 numbers", // what follows is not read
		"[[1, 2], [3, 4]]":    "it has more than 3 numbers",
		"[[], [], [], []]":    "<nil>",
		"[[], [1]]":           "its lists are of several lengths",
		"[[[]], [[], []]]":    "its lists are of several lengths",
		"[[[]], [1]]":         "numbers stand beside lists",
		"[1, {}]":             "{} is no number",
		"[1,\t[ 2 ] ]":        "its lists are of several lengths",
		" [ 1\r,2 ,-3e4\n]":   "<nil>",
		"[[[[[[[[1]]]]]]]]":   "<nil>",
		"[[[[[[[[[1]]]]]]]]]": "lists within more than 8 lists",
	} {
		n := numbers{most: 3, rest: text}
		if err := n.read(0); fmt.Sprint(err) != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// FuzzLines: any text is refused or has values by id, and a value has the bytes of its
// shape.
func FuzzLines(f *testing.F) {
	f.Add(".jsonl", "v", `{"id": "a", "v": [[1, 2], [3, 4.5]]}`+"\n")
	f.Add(".csv", "v", "id,v\na,1 2\n")
	f.Add(".tsv", "v", "v\tid\n1 2\t\"a\n")
	f.Fuzz(func(t *testing.T, ends, field, text string) {
		d, ok := decoderOf("x" + ends)
		if !ok || !d.lines {
			return
		}
		got, _ := valuesOf(d, field, text)
		for id, v := range got {
			if v != "absent" && v != "bad" && !bytes.HasSuffix([]byte(v), []byte("true")) {
				t.Errorf("%q of %q: %s", id, text, v)
			}
		}
	})
}
