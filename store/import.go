package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"voxpack/internal/atomicfile"

	"golang.org/x/sys/unix"
)

// ImportReport says what Import did.
type ImportReport struct {
	Packs  int   `json:"packs"`  // that were not there
	Linked int64 `json:"linked"` // bytes of their files that both stores share
	Copied int64 `json:"copied"` // bytes that had to be copied, since the stores lie on different file systems
}

// Import takes over the packs of another store, whole and under their names: their files are linked, or
// copied and held against their sums where they cannot be. No ref moves. A pack that is there already is
// passed over, so that an import which was killed goes on where it was. What is half linked then looks
// like the leftovers of a merge and is swept as those are.
//
// A pack of the other store that is damaged or not finished: ErrDamaged.
func (w *Writer) Import(ctx context.Context, from *Store) (r ImportReport, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	merges, err := lockMerges(w.dir) // a merge would sweep what is half linked
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, unlock(merges)) }()
	if version, err := readVersion(from.dir); err != nil {
		return r, err
	} else if version > formatFirst { // its packs may have extents
		if err := raiseFormat(w.dir); err != nil {
			return r, err
		}
	}
	packs, _ := from.hands()
	var held []*os.File // from before a pack has its name until the view holds it
	defer func() {
		for _, folder := range held {
			err = errors.Join(err, unlock(folder))
		}
	}()
	for _, p := range packs {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		if _, err := os.Stat(packPath(w.dir, p.id)); err == nil {
			continue
		}
		folder, err := w.importPack(ctx, p, &r)
		if err != nil {
			return r, fmt.Errorf("pack %s: %w", p.dir, err)
		}
		held = append(held, folder)
		r.Packs++
	}
	if r.Packs == 0 {
		return r, nil
	}
	if err := atomicfile.SyncFolder(packsDir(w.dir)); err != nil {
		return r, err
	}
	return r, w.store.relist()
}

// importPack brings one pack and gives its locked folder.
func (w *Writer) importPack(ctx context.Context, p *pack, r *ImportReport) (folder *os.File, err error) {
	seal, err := readSeal(p.dir)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(packsDir(w.dir), mergePrefix+randomHex(8))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	if folder, err = lockFolder(dir, unix.LOCK_SH); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir), unlock(folder))
		}
	}()
	for _, f := range append(seal.files, sealedFile{name: sealName, size: -1}) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := bring(f, p.dir, dir, r); err != nil {
			return nil, err
		}
	}
	if err := atomicfile.SyncFolder(dir); err != nil {
		return nil, err
	}
	return folder, os.Rename(dir, packPath(w.dir, p.id))
}

// bring links a file, or copies it.
func bring(f sealedFile, from, to string, r *ImportReport) error {
	source, target := filepath.Join(from, f.name), filepath.Join(to, f.name)
	info, err := os.Stat(source)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing: %w", source, ErrDamaged)
	}
	if err != nil {
		return err
	}
	if f.size >= 0 && info.Size() != f.size {
		return fmt.Errorf("%s has %d bytes, %d were sealed: %w", source, info.Size(), f.size, ErrDamaged)
	}
	if os.Link(source, target) == nil {
		r.Linked += info.Size()
		return nil
	}
	if err := copyFile(source, target); err != nil {
		return err
	}
	r.Copied += info.Size()
	if f.size < 0 {
		return nil // SEAL has its own sum, which is checked when it is read
	}
	problem, err := f.check(to, true)
	if err == nil && problem != "" {
		err = fmt.Errorf("%s %s: %w", source, problem, ErrDamaged)
	}
	return err
}

// copyFile copies a file and waits for the disk.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
