package store

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func sampleSeal() *seal {
	return &seal{entries: 3, replaces: []string{"18d2c0ffee123456-89abcdef"}, files: []sealedFile{
		{"000001.vlog", 102472, "ef46db3751d8e999"},
		{"MANIFEST", 48, Sum([]byte("manifest")).String()},
	}}
}

// TestSealOfTheFirstVersionIsRead: packs of earlier programs stay whole.
func TestSealOfTheFirstVersionIsRead(t *testing.T) {
	sum := Sum([]byte("log")).String()
	s, err := parseSeal(signed("voxpack seal 1\nentries 3\nfile 000001.vlog 102472 " + sum + "\n"))
	if err != nil || s.files[0] != (sealedFile{"000001.vlog", 102472, sum}) {
		t.Errorf("parseSeal = %+v, %v", s, err)
	}
	if _, err := parseSeal(signed("voxpack seal 1\nentries 3\nfile 000001.vlog 102472 ef46db3751d8e999\n")); !errors.Is(err, ErrDamaged) {
		t.Errorf("a short sum in version 1: %v, want ErrDamaged", err)
	}
}

func TestSealComesBackAsWritten(t *testing.T) {
	b := sampleSeal().encode()
	got, err := parseSeal(b)
	if err != nil || !bytes.Equal(got.encode(), b) {
		t.Errorf("parseSeal = %+v, %v, want %+v", got, err, sampleSeal())
	}
}

// signed puts a right checksum behind lines, so that the lines themselves are tested.
func signed(lines string) []byte {
	return []byte(lines + "sum " + Sum([]byte(lines)).String() + "\n")
}

func TestSealRefusesWhatItDidNotWrite(t *testing.T) {
	whole := sampleSeal().encode()
	for rule, b := range map[string][]byte{
		"empty":              nil,
		"cut short":          whole[:len(whole)-10],
		"one bit flipped":    append([]byte{whole[0] ^ 1}, whole[1:]...),
		"a byte too many":    append(bytes.Clone(whole), 'x'),
		"another version":    signed("voxpack seal 3\nentries 1\n"),
		"no count":           signed("voxpack seal 1\n"),
		"a negative count":   signed("voxpack seal 1\nentries -1\n"),
		"an unknown word":    signed("voxpack seal 1\nentries 1\ncolour blue\n"),
		"a file elsewhere":   signed("voxpack seal 1\nentries 1\nfile ../x 1 " + strings.Repeat("0", 64) + "\n"),
		"a file of no hash":  signed("voxpack seal 1\nentries 1\nfile x 1 00\n"),
		"a file of no bytes": signed("voxpack seal 1\nentries 1\nfile x -1 " + strings.Repeat("0", 64) + "\n"),
	} {
		if _, err := parseSeal(b); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: parseSeal = %v, want ErrDamaged", rule, err)
		}
	}
}

func FuzzParseSeal(f *testing.F) {
	f.Add(sampleSeal().encode())
	f.Add(signed("voxpack seal 1\nentries 0\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, text := range [][]byte{b, signed("voxpack seal 1\n" + string(b) + "\n")} {
			s, err := parseSeal(text)
			if err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("parseSeal(%q) = %v, want ErrDamaged", text, err)
			}
			if err != nil {
				continue
			}
			if again, err := parseSeal(s.encode()); err != nil || !bytes.Equal(again.encode(), s.encode()) {
				t.Errorf("%q is read, and then not read back: %v", text, err)
			}
		}
	})
}

func FuzzParseFormat(f *testing.F) {
	f.Add("voxpack store 1\n")
	f.Add("voxpack store 1")
	f.Add("voxpack store 01\n")
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := parseFormat(s); err == nil && s != fmt.Sprintf("%s%d\n", formatWord, v) || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("parseFormat(%q) = %d, %v", s, v, err)
		}
	})
}
