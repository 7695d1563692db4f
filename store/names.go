package store

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Resolve finds the snapshot that a name stands for: a head or a tag ("main"), a full
// ref ("heads/main"), a snapshot's digest or its root's, or a beginning of one, and any
// of them with ~N behind it: the Nth snapshot before. Nothing of that name: ErrNotFound;
// several: ErrAmbiguous.
func (s *Store) Resolve(name string) (Digest, error) {
	digest, err := s.named(name)
	if !errors.Is(err, ErrNotFound) {
		return digest, err
	}
	base, back, ok := cutBack(name)
	if !ok {
		return Digest{}, err
	}
	if digest, err = s.named(base); err != nil {
		return Digest{}, err
	}
	for i := range back {
		snap, err := s.ReadSnapshot(digest)
		if errors.Is(err, ErrNotFound) {
			return Digest{}, fmt.Errorf("%s: snapshot %s, %d before %s, is not in the store any more: a merge has dropped it: %w", name, digest.Short(), i, base, ErrNotFound)
		}
		if err != nil {
			return Digest{}, err
		}
		if snap.Parent.IsZero() {
			return Digest{}, fmt.Errorf("%s goes back too far: before %s there are %d: %w", name, base, i, ErrNotFound)
		}
		digest = snap.Parent
	}
	return digest, nil
}

// cutBack cuts ~N off a name; ~ alone is ~1.
func cutBack(name string) (base string, back int, ok bool) {
	at := strings.LastIndexByte(name, '~')
	if at <= 0 {
		return "", 0, false
	}
	if name[at+1:] == "" {
		return name[:at], 1, true
	}
	n, err := strconv.ParseUint(name[at+1:], 10, 31)
	return name[:at], int(n), err == nil
}

// named tries, in this order, a whole digest, a head, a tag (or a full ref as it is), and
// the beginning of a digest.
func (s *Store) named(ref string) (Digest, error) {
	if d, err := ParseDigest(ref); err == nil {
		if _, err := s.ReadSnapshot(d); !errors.Is(err, ErrNotFound) {
			return d, nil
		}
	}
	names := []string{"heads/" + ref, "tags/" + ref}
	if strings.Contains(ref, "/") {
		names = []string{ref}
	}
	for _, name := range names {
		d, err := s.Ref(name)
		if !errors.Is(err, ErrNotFound) {
			return d, err
		}
	}
	have, err := s.Refs()
	if err != nil {
		return Digest{}, err
	}
	if d, err := s.beginning(ref); err != nil || !d.IsZero() {
		return d, err
	}
	if len(have) == 0 {
		if all, _ := s.Snapshots(); len(all) > 0 {
			return Digest{}, fmt.Errorf("store %s has lost its refs; its newest snapshot is %s of %s: voxpack rollback %s names it again, and so does voxpack build with what the sources say: %w",
				s.dir, all[0].Digest.Short(), all[0].Made().Format(time.DateTime+" UTC"), pasted(s.dir+"@"+all[0].Digest.Short()), ErrNotFound)
		}
		return Digest{}, fmt.Errorf("store %s holds no finished build yet; run voxpack build: %w", s.dir, ErrNotFound)
	}
	return Digest{}, fmt.Errorf("no ref %q in %s, which has %s: %w", ref, s.dir, strings.Join(have, ", "), ErrNotFound)
}

// leastBeginning is how many characters of a digest name a snapshot at least.
// Short prints 12.
const leastBeginning = 4

// beginning is the snapshot whose digest, or whose root's, begins so, among all that the
// store holds; the zero digest for none. Of several snapshots of one root the newest is
// meant: they are one dataset.
func (s *Store) beginning(name string) (Digest, error) {
	if len(name) < leastBeginning || len(name) > 2*len(Digest{}) || strings.Trim(name, "0123456789abcdef") != "" {
		return Digest{}, nil
	}
	all, damage := s.Snapshots()
	var found []Digest
	var says []string
	roots := map[Digest]bool{}
	for _, snap := range all {
		byRoot := strings.HasPrefix(snap.Root.String(), name) && !roots[snap.Root]
		if byRoot || strings.HasPrefix(snap.Digest.String(), name) {
			roots[snap.Root] = roots[snap.Root] || byRoot
			found = append(found, snap.Digest)
			says = append(says, fmt.Sprintf("snapshot %s of %s, dataset %s", snap.Digest.Short(), snap.Made().Format(time.DateTime+" UTC"), snap.Root.Short()))
		}
	}
	switch len(found) {
	case 0:
		return Digest{}, damage
	case 1:
		return found[0], nil
	}
	return Digest{}, fmt.Errorf("%w: %q in %s; type more characters of the one you mean:\n  %s", ErrAmbiguous, name, s.dir, strings.Join(says, "\n  "))
}
