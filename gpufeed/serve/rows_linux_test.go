package serve

import (
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestColumnsThatAreWanted: a slot holds these fields and no others, in less
// memory, with the bytes that they have among all.
func TestColumnsThatAreWanted(t *testing.T) {
	s := serving(t, dataset(t, 20), nil)
	whole := connect(t, s, map[string]any{"segment": 3, "epochs": 1})
	part := connect(t, s, map[string]any{"segment": 3, "epochs": 1, "columns": []string{"mel_start", "tokens"}})
	names := func(x *client) (list []string) {
		for _, f := range x.started.Layouts[0].Fields {
			list = append(list, f.Name)
		}
		return list
	}
	if got := names(part); !slices.Equal(got, []string{"tokens", "mel_start"}) {
		t.Fatalf("the fields are %v", got)
	}
	if at := part.started.Layouts[0].Fields[1].Offset; at != 256 {
		t.Errorf("mel_start lies at %d, want 256: right after 4 rows of tokens", at)
	}
	all := names(whole)
	for {
		want, err := whole.next()
		got, err2 := part.next()
		if err == io.EOF && err2 == io.EOF {
			break
		}
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for _, f := range part.started.Layouts[0].Fields {
			same := whole.started.Layouts[0].Fields[slices.Index(all, f.Name)]
			size := 4 * f.Shape[0]
			if len(f.Shape) > 1 {
				size *= f.Shape[1]
			}
			if !slices.Equal(got.bytes[f.Offset:f.Offset+size], want.bytes[same.Offset:same.Offset+size]) {
				t.Fatalf("batch %d: %s has other bytes", got.seq, f.Name)
			}
		}
		whole.giveBack(want)
		part.giveBack(got)
	}
	for columns, want := range map[string][]string{"batches have no mle; they have tokens, mel": {"mle"}, "no mel_start": {"mel_start", "mel"}} {
		x, err := dial(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		if err := x.start(map[string]any{"columns": want}); err == nil || !strings.HasPrefix(err.Error(), "request: ") || !strings.Contains(err.Error(), columns) {
			t.Errorf("columns %v: %v", want, err)
		}
		x.close()
	}
	if x := connect(t, s, map[string]any{"columns": []string{}}); len(x.started.Layouts[0].Fields) != len(testSchema) {
		t.Errorf("an empty list is %v, want all", names(x))
	}
}

// TestRowsThatWereChosen come, and no others, each consumer's its own.
func TestRowsThatWereChosen(t *testing.T) {
	s := serving(t, dataset(t, 20), nil)
	for _, list := range [][]byte{{0x05, 0, 0x08}, {0xff, 0xff, 0x0f}, {}} {
		var want []uint32
		for row := range uint32(20) {
			if len(list) == 0 || list[row/8]&(1<<(row%8)) != 0 {
				want = append(want, row)
			}
		}
		x := connect(t, s, map[string]any{"chosen": base64.StdEncoding.EncodeToString(list), "batch": 2, "tail": "pad", "epochs": 1})
		var got []uint32
		for b, err := x.next(); err != io.EOF; b, err = x.next() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, b.rows...)
			x.giveBack(b)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("chosen %x: rows %v came, want %v", list, got, want)
		}
	}
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	if err := x.start(map[string]any{"chosen": "////"}); err == nil || !strings.HasPrefix(err.Error(), "request: a choice of rows in 3 bytes") {
		t.Errorf("bits after the last row: %v", err)
	}
}

// TestRowsAreListed: in the order of their numbers, in portions, each as the
// question for the row alone has it.
func TestRowsAreListed(t *testing.T) {
	d := dataset(t, 21)
	s := serving(t, d, nil)
	x := connect(t, s, map[string]any{})
	var all []Listed
	for {
		var answer Rows
		if _, err := x.ask(&answer, map[string]any{"type": "rows", "from": len(all), "count": 5}); err != nil {
			t.Fatal(err)
		}
		if len(answer.Rows) == 0 {
			break
		}
		if len(answer.Rows) != min(5, 21-len(all)) {
			t.Fatalf("%d rows from %d on, want 5, or what is left of 21", len(answer.Rows), len(all))
		}
		all = append(all, answer.Rows...)
	}
	ids, err := x.ids()
	if err != nil || len(all) != len(ids) {
		t.Fatalf("%d rows of %d, %v", len(all), len(ids), err)
	}
	for i, row := range all {
		var one Row
		files, err := x.ask(&one, map[string]any{"type": "row", "id": ids[i]})
		if err != nil {
			t.Fatal(err)
		}
		file(t, files)
		if fmt.Sprintf("%+v", row.About) != fmt.Sprintf("%+v", one.About) || row.Row != uint32(i) || row.ID != ids[i] {
			t.Errorf("row %d of the list is %+v, by itself %+v", i, row.About, one.About)
		}
		if want := (testRow{id: ids[i]}).Scalar(""); row.Values["text_len"] != want || row.Values["mel_len"] != want || len(row.Values) != 2 {
			t.Errorf("%s has the values %v, want %d each", ids[i], row.Values, want)
		}
	}
	var whole, none Rows
	if _, err := x.ask(&whole, map[string]any{"type": "rows"}); err != nil || len(whole.Rows) != 21 {
		t.Errorf("all at once: %d rows, %v", len(whole.Rows), err)
	}
	if _, err := x.ask(&none, map[string]any{"type": "rows", "from": 4294967295}); err != nil || none.Rows == nil || len(none.Rows) != 0 {
		t.Errorf("after the last one: %+v, %v", none, err)
	}
	for _, q := range []string{"from", "count"} {
		if _, err := x.ask(&none, map[string]any{"type": "rows", q: -1}); err == nil || !strings.HasPrefix(err.Error(), "request: "+q+" -1: want 0 to ") {
			t.Errorf("%s of -1: %v", q, err)
		}
	}
}
