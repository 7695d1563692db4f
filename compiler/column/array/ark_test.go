package array

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// values are an array's elements as people write them.
func values(a *Array) []string {
	var list []string
	for i := range a.Len() {
		list = append(list, a.at(i).String())
	}
	return list
}

// little are numbers of 4 bytes, the lower end first.
func little(values ...any) string {
	var b bytes.Buffer
	for _, v := range values {
		switch v := v.(type) {
		case float64:
			binary.Write(&b, binary.LittleEndian, float32(v))
		case int:
			binary.Write(&b, binary.LittleEndian, int32(v))
		}
	}
	return b.String()
}

// columns are percentiles of a compressed matrix's columns.
func columns(values ...uint16) string {
	b, _ := binary.Append(nil, binary.LittleEndian, values)
	return string(b)
}

// arkCases are objects as Kaldi writes them, and as its readers take them.
var arkCases = []struct{ name, object, want string }{
	{"a matrix", "k \x00BFM \x04" + little(2) + "\x04" + little(3, 1., 2., 3., 4., 5., 6.5), "f32[2,3] [1 2 3 4 5 6.5]"},
	{"a matrix of doubles", "k \x00BDM \x04" + little(1) + "\x04" + little(1) + "\x00\x00\x00\x00\x00\x00\xf0\x3f", "f64[1,1] [1]"},
	{"an empty matrix", "k \x00BFM \x04" + little(0) + "\x04" + little(0), "f32[0,0] []"},
	{"a vector", "k \x00BFV \x04" + little(2, -1., 0.25), "f32[2] [-1 0.25]"},
	{"a vector of doubles", "k \x00BDV \x04" + little(1) + "\x00\x00\x00\x00\x00\x00\x00\xc0", "f64[1] [-2]"},
	{"integers, as in alignments", "k \x00B\x04" + little(3) + "\x04" + little(5) + "\x04" + little(-1) + "\x04" + little(7), "i32[3] [5 -1 7]"},
	// The range of 65,535 makes a unit of 16 bits 1; the percentiles make a unit of 8 bits 1 too.
	{"compressed, a byte a value by percentiles of the column", "k \x00BCM " + little(0., 65535., 3, 2) + columns(0, 64, 192, 255, 1000, 1064, 1192, 1255) + "\x00\x40\xff\x01\x41\xc1",
		"f32[3,2] [0 1001 64 1065 255 1193]"},
	{"compressed, two bytes a value", "k \x00BCM2 " + little(-1., 65535., 1, 3) + columns(0, 256, 65535), "f32[1,3] [-1 255 65534]"},
	{"compressed, a byte a value", "k \x00BCM3 " + little(0.5, 510., 2, 2) + "\x00\x01\x02\xff", "f32[2,2] [0.5 2.5 4.5 510.5]"},
	{"compressed, nothing", "k \x00BCM " + little(0., 0., 0, 0), "f32[0,0] []"},
	{"text: a matrix begins on its own line", "k  [\n  1 2.5 \n  -3 inf ]\n", "f64[2,2] [1 2.5 -3 +Inf]"},
	{"text: a matrix of one row", "k  [\n  1 2 ]\n", "f64[1,2] [1 2]"},
	{"text: rows on one line", "k [ 1 2 ; 3 4 ]\n", "f64[2,2] [1 2 3 4]"},
	{"text: a vector", "k  [ 1 2 1e-3 ]\n", "f64[3] [1 2 0.001]"},
	{"text: nothing", "k  [ ]\n", "f64[0] []"},
	{"text: nothing, tight", "k []\n", "f64[0] []"},
	{"text: integers", "k 3 4 -5\n", "i64[3] [3 4 -5]"},
	{"text: a number with a point", "k 3 4.5\n", "f64[2] [3 4.5]"},
	{"text: no integers", "k\n", "i64[0] []"},
	{"text: lines of another system", "k  [\r\n  1 2\r\n  3 4 ]\r\n", "f64[2,2] [1 2 3 4]"},
}

// TestArk: each object alone and between others.
func TestArk(t *testing.T) {
	for _, tt := range arkCases {
		for _, more := range []string{"", "after \x00BFV \x04" + little(1, 1.)} {
			a, err := readBytes("x.ark", "k", []byte("before  [ 1 2 ]\n"+tt.object+more))
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
				continue
			}
			if got := fmt.Sprint(a, values(a)); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		}
	}
}

// TestArkRefused: the error says which array of the file it is of.
func TestArkRefused(t *testing.T) {
	const good = "a \x00BFV \x04\x00\x00\x00\x00"
	for _, tt := range []struct{ name, object, why string }{
		{"a matrix that is cut", "k \x00BFM \x04" + little(2) + "\x04" + little(3, 1.), "array 2, key \"k\": an array [2 3] of type f32 needs 24 bytes, and 4 follow"},
		{"a front that is cut", "k \x00BFM \x04" + little(2), "ends within"},
		{"sizes of another width", "k \x00BFM \x08" + little(2, 0) + "\x08" + little(2, 0), "ends within"},
		{"negative rows", "k \x00BFM \x04" + little(-2) + "\x04" + little(3), "negative"},
		{"more than there is memory", "k \x00BFM \x04" + little(math.MaxInt32) + "\x04" + little(math.MaxInt32), "at once"},
		{"a compressed matrix of no rows", "k \x00BCM " + little(0., 1., 0, 1<<20), "no compressed matrix"},
		{"a sparse matrix", "k \x00BSM rows=1", `it holds "SM"`},
		{"a matrix with rows of two lengths", "k  [\n 1 2\n 3 ]\n", "row 1 has 1 values"},
		{"a bracket that is not closed", "k  [ 1 2\n", "not closed"},
		{"no numbers", "k hello\n", `"hello" is no number`},
		{"a number of Go alone", "k  [ 0x10 ]\n", "is no number"},
		{"a word without end", "k " + strings.Repeat("9", 500), "is no number"},
		{"no key", strings.Repeat("x", 5000), "stands where a key should"},
		{"sound", "k\x00RIFF", "stands where a key should"},
	} {
		_, err := readBytes("x.ark", "k", []byte(good+tt.object))
		if err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.why)
		}
	}
	if _, err := readBytes("x.ark", "k", []byte("k \x00B\x04"+little(1)+"\x08"+little(1))); err == nil || !strings.Contains(err.Error(), "integers of 4") {
		t.Errorf("integers of 8 bytes: %v", err)
	}
}

// TestPlaces: a scp file names places, and parts of what is there.
func TestPlaces(t *testing.T) {
	ark := []byte("u1 \x00BFM \x04" + little(3) + "\x04" + little(3, 1., 2., 3., 4., 5., 6., 7., 8., 9.) + "u2  [ 1 2 3 4 ]\n")
	second := bytes.Index(ark, []byte("u2 ")) + 3
	list := fmt.Sprintf("all a b/x.ark:3\nrows a b/x.ark:3[1:2]\nboth\ta b/x.ark:3[0:1,1:1]\ncols a b/x.ark:3[:,2:2]\nover a b/x.ark:3[2:5]\nvec a b/x.ark:%d[1:2]\n", second)
	places, err := Places(strings.NewReader(list))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"all f32[3,3] [1 2 3 4 5 6 7 8 9]", "rows f32[2,3] [4 5 6 7 8 9]", "both f32[2,1] [2 5]", "cols f32[3,1] [3 6 9]", "over f32[1,3] [7 8 9]", "vec f64[2] [2 3]"}
	for i, p := range places {
		a, err := p.Read(bytes.NewReader(ark), int64(len(ark)))
		if err != nil || p.File != "a b/x.ark" || fmt.Sprint(p.Name, " ", a, " ", values(a)) != want[i] {
			t.Errorf("%s in %q: %v %v, want %s", p.Name, p.File, a, err, want[i])
		}
	}
	if len(places) != len(want) {
		t.Errorf("%d places, want %d", len(places), len(want))
	}
	alone := "\x00BFV \x04" + little(1, 8.)
	p := Place{File: "x.vec"}
	if a, err := p.Read(strings.NewReader(alone), int64(len(alone))); err != nil || !slices.Equal(values(a), []string{"8"}) {
		t.Errorf("a file of one: %v %v", a, err)
	}
}

// TestPlacesRefused: lines that are none, commands, and ranges of nothing.
func TestPlacesRefused(t *testing.T) {
	for line, why := range map[string]string{
		"a": "line 1: it is no name and path", "": "", "a gunzip -c x.ark |": "command", "a | tee": "command", "a x.ark:3[1]": "range", "a x:3[2:1]": "range", "a x:3[0:1,0:1,0:1]": "range", "a x:3]": "range",
	} {
		if _, err := Places(strings.NewReader(line + "\n")); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q in it", line, err, why)
		}
	}
	ark := "u \x00BFM \x04" + little(1) + "\x04" + little(1, 1.)
	for _, line := range []string{"u x:2[0:4]", "u x:2[0:0,0:1]", "u x:2[2:2]", "u x:99", "u x:0"} {
		places, err := Places(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if a, err := places[0].Read(strings.NewReader(ark), int64(len(ark))); err == nil {
			t.Errorf("%s: %v %v", line, a, values(a))
		}
	}
}
