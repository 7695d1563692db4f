package array

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// npyFile is an npy file of a version around a header and values.
func npyFile(major byte, header string, data ...byte) []byte {
	b := append([]byte(npyMagic), major, 0)
	if major == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return append(append(b, header...), data...)
}

// header is a dict as NumPy writes it.
func header(descr, fortran, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }     \n", descr, fortran, shape)
}

// readBytes reads the array of a name from a file's bytes.
func readBytes(file, name string, b []byte) (*Array, error) {
	f, err := New(file, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	return f.Read(name)
}

// TestNPY: versions, byte orders, both orders of axes, every type; what stands in the
// header is Python, and may be laid out as Python allows.
func TestNPY(t *testing.T) {
	for _, tt := range []struct {
		name string
		file []byte
		want string // type and shape
		data []byte
	}{
		{"a scalar has no axes", npyFile(1, header("<i2", "False", "()"), 7, 1), "i16[]", []byte{7, 1}},
		{"one axis has a comma", npyFile(1, header("|u1", "False", "(3,)"), 1, 2, 3), "u8[3]", []byte{1, 2, 3}},
		{"version 2 has a longer length", npyFile(2, header("|i1", "False", "(3,)"), 1, 2, 3), "i8[3]", []byte{1, 2, 3}},
		{"version 3 too", npyFile(3, header("|b1", "False", "(2, 1)"), 0, 1), "bool[2,1]", []byte{0, 1}},
		{"the larger end first", npyFile(1, header(">i4", "False", "(2,)"), 0, 0, 1, 2, 255, 255, 255, 254), "i32[2]", []byte{2, 1, 0, 0, 254, 255, 255, 255}},
		{"columns first", npyFile(1, header("|u1", "True", "(2, 3)"), 1, 4, 2, 5, 3, 6), "u8[2,3]", []byte{1, 2, 3, 4, 5, 6}},
		{"columns first, three axes", npyFile(1, header("|u1", "True", "(2, 2, 2)"), 0, 4, 2, 6, 1, 5, 3, 7), "u8[2,2,2]", []byte{0, 1, 2, 3, 4, 5, 6, 7}},
		{"both", npyFile(1, header(">u2", "True", "(2, 2)"), 0, 1, 0, 3, 0, 2, 0, 4), "u16[2,2]", []byte{1, 0, 2, 0, 3, 0, 4, 0}},
		{"nothing in it", npyFile(1, header("<f4", "False", "(0, 80)")), "f32[0,80]", nil},
		{"halves", npyFile(1, header("<f2", "False", "(1,)"), 0, 60), "f16[1]", []byte{0, 60}},
		{"doubles", npyFile(1, header(">f8", "False", "(1,)"), 0x3f, 0xf0, 0, 0, 0, 0, 0, 1), "f64[1]", []byte{1, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
		{"eight bytes", npyFile(1, header("<u8", "False", "(1,)"), 1, 2, 3, 4, 5, 6, 7, 8), "u64[1]", []byte{1, 2, 3, 4, 5, 6, 7, 8}},
		{"another order of keys, quotes and spaces", npyFile(1, "{\"shape\":( 1 , 2L ) , 'fortran_order':False,\n u'descr':'u1'}", 8, 9), "u8[1,2]", []byte{8, 9}},
	} {
		a, err := readBytes("x.npy", "", tt.file)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if a.String() != tt.want || !bytes.Equal(a.Data, tt.data) {
			t.Errorf("%s: %v %v, want %s %v", tt.name, a, a.Data, tt.want, tt.data)
		}
	}
}

// TestNPYRefused: what is no array of numbers, or not the one that it says it is.
func TestNPYRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		file []byte
		why  string
	}{
		{"an empty file", nil, "ends within"},
		{"another magic", []byte("NUMPY___________"), "no file of NumPy"},
		{"version 4", npyFile(4, header("<f4", "False", "(1,)"), 0, 0, 0, 0), "version 4.0"},
		{"a header longer than the file", npyFile(1, header("<f4", "False", "(1,)"))[:40], "ends within"},
		{"a header of 4 GB", append([]byte("\x93NUMPY\x02\x00"), 255, 255, 255, 255), "4294967295 bytes"},
		{"values that are missing", npyFile(1, header("<f4", "False", "(2,)"), 0, 0, 0, 0), "8 bytes, and 4 follow"},
		{"values too many", npyFile(1, header("<f4", "False", "(1,)"), 0, 0, 0, 0, 1), "1 bytes follow"},
		{"objects", npyFile(1, header("|O", "False", "(1,)"), 128, 3), "pickle runs what a file tells it"},
		{"text", npyFile(1, header("<U3", "False", "(1,)")), "text"},
		{"complex numbers", npyFile(1, header("<c8", "False", "(1,)")), "complex"},
		{"long doubles", npyFile(1, header("<f16", "False", "(1,)")), `type "<f16"`},
		{"records", npyFile(1, "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", 0, 0, 0, 0), "structured"},
		{"a negative axis", npyFile(1, header("<f4", "False", "(-1, -1)"), 0, 0, 0, 0), "negative"},
		{"more than there is memory", npyFile(1, header("<f8", "False", "(4611686018427387904, 4)")), "at once"},
		{"much of nothing", npyFile(1, header("<f8", "False", "(4611686018427387904, 4611686018427387904, 0)")), "at once"},
		{"a number of axes", npyFile(1, header("|u1", "False", "("+strings.Repeat("1, ", 65)+")"), 1), "shape is missing"},
		{"a shape without a comma", npyFile(1, header("|u1", "False", "(1)"), 1), "no tuple"},
		{"a key too few", npyFile(1, "{'descr': '|u1', 'shape': (1,)}", 1), "needs descr"},
		{"a key twice", npyFile(1, "{'descr': '|u1', 'descr': '|u1', 'shape': (1,), 'fortran_order': False}", 1), `key "descr"`},
		{"a call", npyFile(1, "{'descr': '|u1', 'fortran_order': exit(), 'shape': (1,)}", 1), "neither True nor False"},
		{"a bool of 2", npyFile(1, header("|b1", "False", "(2,)"), 1, 2), "value 1 of type bool is 2"},
	} {
		if _, err := readBytes("x.npy", "", tt.file); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.why)
		}
	}
}

// zipped is an npz file: names and contents by turns.
func zipped(t testing.TB, method uint16, namesAndFiles ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for pair := range slices.Chunk(namesAndFiles, 2) {
		m, err := w.CreateHeader(&zip.FileHeader{Name: pair[0], Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(m, pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestNPZ: members by name, stored and deflated; what is no array is no member.
func TestNPZ(t *testing.T) {
	one, two := string(npyFile(1, header("|u1", "False", "(2,)"), 1, 2)), string(npyFile(1, header("<i2", "False", "()"), 3, 0))
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		b := zipped(t, method, "b/one.npy", one, "notes.txt", "x", "two.npy", two)
		f, err := New("all.NPZ", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(f.Names(), []string{"b/one", "two"}) {
			t.Errorf("names %q", f.Names())
		}
		for name, want := range map[string]string{"two": "i16[] [3 0]", "b/one": "u8[2] [1 2]"} {
			if a, err := f.Read(name); err != nil || fmt.Sprint(a, a.Data) != want {
				t.Errorf("%s: %v %v, want %s", name, a, err, want)
			}
		}
		if _, err := f.Read("three"); !errors.Is(err, ErrAbsent) {
			t.Errorf("a name that is not there: %v", err)
		}
	}
}

// TestNPZRefused: damage is found when its member is read, bombs before memory is taken.
func TestNPZRefused(t *testing.T) {
	good := string(npyFile(1, header("|u1", "False", "(2,)"), 1, 2))
	if _, err := readBytes("a.npz", "", zipped(t, zip.Store, "a.npy", good, "a.npy", good)); err == nil || !strings.Contains(err.Error(), "two arrays") {
		t.Errorf("two members of one name: %v", err)
	}
	b := zipped(t, zip.Store, "a.npy", good, "b.npy", good)
	b[bytes.Index(b, []byte{10, 1, 2})+1] ^= 4 // the first value of the first member
	if _, err := readBytes("a.npz", "a", b); !errors.Is(err, zip.ErrChecksum) {
		t.Errorf("a flipped bit: %v", err)
	}
	if _, err := readBytes("a.npz", "b", b); err != nil {
		t.Errorf("another member: %v", err)
	}
	if _, err := readBytes("a.npz", "a", b[:len(b)-30]); err == nil {
		t.Error("a file without its end is read")
	}
	bomb := zipped(t, zip.Deflate, "a.npy", string(npyFile(1, header("|u1", "False", "(67108865,)")))+strings.Repeat("\x00", MaxBytes+1))
	if _, err := readBytes("a.npz", "a", bomb); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("a bomb: %v", err)
	}
	// The same list in front of fewer bytes: its end and its lengths are forged.
	liar := zipped(t, zip.Deflate, "a.npy", good)
	at := bytes.LastIndex(liar, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(liar[at+24:], 1<<20)
	if _, err := readBytes("a.npz", "a", liar); err == nil || !strings.Contains(err.Error(), "deflate") {
		t.Errorf("a member of 1 MiB from %d bytes: %v", len(liar), err)
	}
}

// TestFileNames: the name says what a file is, and what could be read where it says nothing.
func TestFileNames(t *testing.T) {
	if _, err := New("a/b.pt", nil, 0); err == nil || !strings.Contains(err.Error(), ".npy, .npz") {
		t.Errorf("pt: %v", err)
	}
}
