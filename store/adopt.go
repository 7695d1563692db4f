package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// HasLeftovers reports whether a killed build may have left a pack behind.
func HasLeftovers(dir string) bool {
	left, _ := leftovers(dir, tempPrefix)
	return len(left) > 0
}

// leftovers lists the folders in packs/ whose names begin with one of the prefixes.
func leftovers(dir string, prefixes ...string) ([]string, error) {
	return folders(dir, func(name string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	})
}

// Adopt takes over what killed builds left: every value is checked; sound ones
// become a pack without a ref, so that no finished work is lost; where nothing
// is sound the leftovers are deleted. Call it before the first Put.
func (w *Writer) Adopt(ctx context.Context) (adopted, deleted int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	left, err := leftovers(w.dir, tempPrefix)
	if err != nil {
		return 0, 0, fmt.Errorf("adopt: %w", err)
	}
	for _, name := range left {
		path := packPath(w.dir, name)
		if w.draft != nil && path == w.draft.dir {
			continue
		}
		kept, err := adopt(ctx, path, packsDir(w.dir), w.o)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK): // somebody is still writing it
			continue
		case errors.Is(err, fs.ErrPermission): // its owner's next build takes it over
			continue
		case err != nil:
			return adopted, deleted, fmt.Errorf("adopt %s: %w", path, err)
		case kept:
			adopted++
		default:
			deleted++
		}
	}
	return adopted, deleted, w.store.relist()
}

// adopt takes over one leftover and reports whether anything of it was worth keeping. If all its values are
// sound it is sealed as it is; if some are damaged the others are copied into a new pack first.
func adopt(ctx context.Context, path, packs string, o WriterOptions) (bool, error) {
	if err := checkSpace(packs, 0, o.Reserve); err != nil {
		return false, err
	}
	d, err := openDraft(path, largePack, o)
	var errno syscall.Errno
	switch {
	case errors.As(err, &errno) && errno != unix.ENOENT:
		return false, err
	case err != nil: // not the machine's fault: Badger cannot read it
		return false, os.RemoveAll(path)
	}
	good, bad, err := d.inspect(ctx)
	if err != nil {
		return false, errors.Join(err, d.leave())
	}
	d.entries = good
	switch {
	case good == 0:
		return false, d.discard()
	case bad > 0:
		if d, err = d.copySound(ctx, packs); err != nil {
			return false, err
		}
	}
	if _, err = d.seal(packs, nil); err != nil {
		return false, err
	}
	return true, unlock(d.folder)
}

// inspect counts the sound and the damaged values. Damage of a table ends the
// count: what comes after it cannot be read.
func (d *draft) inspect(ctx context.Context) (good, bad int, err error) {
	err = d.eng.scan(nil, true, func(key, value []byte, _ int64) error {
		if genuine(key, value) {
			good++
		} else {
			bad++
		}
		return ctx.Err()
	})
	if errors.Is(err, ErrDamaged) {
		return good, bad + 1, nil
	}
	return good, bad, err
}

// copySound writes the sound values into a new draft and discards the old one.
func (d *draft) copySound(ctx context.Context, packs string) (*draft, error) {
	sound, err := newDraft(packs, tempPrefix, d.o, false)
	if err != nil {
		return nil, errors.Join(err, d.leave())
	}
	var put error
	err = d.eng.scan(nil, true, func(key, value []byte, _ int64) error {
		if !genuine(key, value) {
			return ctx.Err()
		}
		put = sound.putPairs([]pair{{append([]byte(nil), key...), value}})
		return put
	})
	if err != nil && (put != nil || !errors.Is(err, ErrDamaged)) { // inspect has counted the damage
		return nil, errors.Join(err, sound.discard(), d.leave())
	}
	return sound, d.discard()
}
