package store

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// FuzzPackByHand changes bytes of a pack's files and seals it anew, as somebody does who
// wants to be believed: nothing is read that is not named so, and all ends with an error of
// ours. A patch is 4 bytes: a file, a place, and what stands there then.
func FuzzPackByHand(f *testing.F) {
	packs, err := filepath.Glob("../testdata/stores/seal2/packs/*")
	if err != nil || len(packs) == 0 {
		f.Fatal("no pack in testdata", err)
	}
	files := []string{"000001.sst", "000001.vlog", "MANIFEST", "KEYREGISTRY"}
	content := map[string][]byte{}
	for _, name := range files {
		if content[name], err = os.ReadFile(filepath.Join(packs[0], name)); err != nil {
			f.Fatal(err)
		}
	}
	whole, err := readSeal(packs[0])
	if err != nil {
		f.Fatal(err)
	}
	for i, name := range files {
		for _, at := range []int{0, 9, 20, len(content[name]) / 2, len(content[name]) - 5} {
			f.Add(append([]byte{byte(i)}, byte(at), byte(at>>8), 0xff))
		}
	}
	dir := memoryDir(f)
	f.Fuzz(func(t *testing.T, patches []byte) {
		work, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(work)
		pack := filepath.Join(packsDir(work), filepath.Base(packs[0]))
		if err := errors.Join(makeLayout(work), os.MkdirAll(pack, 0o777)); err != nil {
			t.Fatal(err)
		}
		changed := map[string][]byte{}
		for name, b := range content {
			changed[name] = append([]byte(nil), b...)
		}
		for ; len(patches) >= 4; patches = patches[4:] {
			b := changed[files[int(patches[0])%len(files)]]
			b[int(binary.LittleEndian.Uint16(patches[1:]))%len(b)] = patches[3]
		}
		for name, b := range changed {
			if err := os.WriteFile(filepath.Join(pack, name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := writeSeal(pack, whole.entries, nil, nil); err != nil {
			t.Fatal(err)
		}
		s, err := Open(work)
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		defer s.Close()
		if err := s.Verify(context.Background(), true, func(Damage) {}); err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("Verify: %v", err)
		}
		err = s.Entries(func(e Entry) bool {
			key := entryKey(e.Kind, e.Name)
			if v, err := s.Get(e.Kind, e.Name); e.Kind != KindTrace && err == nil && !genuine(key[:], v) {
				t.Errorf("%s is read as what it is not", keyText(key[:]))
			}
			return true
		})
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("Entries: %v", err)
		}
		if _, err := s.Snapshots(); err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotFound) {
			t.Errorf("Snapshots: %v", err)
		}
	})
}
