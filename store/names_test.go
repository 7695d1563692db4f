package store

import (
	"errors"
	"strings"
	"testing"
)

// TestASnapshotGoesByTheBeginningOfItsName: of those that the refs lead to, by
// their own digest or by the root's; two that begin so are listed.
func TestASnapshotGoesByTheBeginningOfItsName(t *testing.T) {
	first := generation(t, 0, Digest{})
	a := Digest(first[len(first)-1].Name)
	second := generation(t, 1, a)
	snap, err := DecodeSnapshot(second[len(second)-1].Value)
	if err != nil {
		t.Fatal(err)
	}
	for Sum(snap.Encode()).String()[:leastBeginning] != a.String()[:leastBeginning] { // some 65,000 times
		snap.Time++
	}
	second[len(second)-1] = entry(KindSnapshot, snap.Encode())
	b := Digest(second[len(second)-1].Name)
	dir := memoryDir(t)
	commit(t, dir, testOptions(), first)
	commit(t, dir, testOptions(), second)
	s := open(t, dir)
	one, err := s.ReadSnapshot(a)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Digest{a.String(): a, a.String()[:20]: a, b.Short(): b, snap.Root.Short(): b, snap.Root.String(): b, one.Root.String()[:6]: a, "main": b} {
		if got, err := s.Resolve(name); got != want || err != nil {
			t.Errorf("Resolve(%s) = %s, %v; want %s", name, got.Short(), err, want.Short())
		}
	}
	_, err = s.Resolve(a.String()[:leastBeginning])
	if !errors.Is(err, ErrAmbiguous) || !strings.Contains(err.Error(), a.Short()) || !strings.Contains(err.Error(), b.Short()) {
		t.Errorf("a beginning of two: %v, want both named", err)
	}
	for _, name := range []string{a.String()[:leastBeginning-1], "zzzz", strings.ToUpper(a.String()[:10]) + "G", a.String() + "0"} {
		if _, err := s.Resolve(name); !errors.Is(err, ErrNotFound) {
			t.Errorf("Resolve(%s): %v, want ErrNotFound", name, err)
		}
	}
}
