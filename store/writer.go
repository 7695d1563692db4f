package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Writer puts what a build makes into a new pack. One process has it at a time;
// readers do not notice. Its methods are safe for concurrent use, and a put
// waits for the one before it.
type Writer struct {
	dir   string
	o     WriterOptions
	lock  *Lock
	store *Store
	lent  bool // the store is the caller's

	mu      sync.Mutex
	draft   *draft // nil until the first put and after each commit
	bytes   int64  // of the packs sealed so far
	entries int
	raised  bool // the store's number is that of stores with extents
	closed  bool
}

// OpenWriter locks the store in dir, which it makes where there is none.
// Another builder: ErrBusy. A newer layout: ErrNewer. A place that cannot hold
// a store: an error that says why.
func OpenWriter(dir string, o WriterOptions) (*Writer, error) {
	if err := makeLayout(dir); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	lock := o.Lock
	if lock == nil {
		var err error
		if lock, err = TakeLock(dir); err != nil {
			return nil, err
		}
	}
	tidyTemps(dir)
	w := &Writer{dir: dir, o: o, lock: lock, store: o.View, lent: o.View != nil}
	if !w.lent {
		var err error
		if w.store, err = Open(dir); err != nil {
			return nil, errors.Join(err, lock.Release())
		}
	}
	w.store.fix()
	return w, nil
}

// Store is a view of the store that also sees what this writer has put. It
// ends with the writer.
func (w *Writer) Store() *Store { return w.store }

// Sealed is the same view without the pack that this writer is writing: what it
// finds does not depend on how far the writer has come. Adopted packs are in it,
// and after Commit so is what was put. It ends with the writer and needs no Close.
func (w *Writer) Sealed() *Store {
	return &Store{dir: w.dir, fixed: true, of: w.store}
}

// Put stores entries in the order given, so that a kill leaves none without
// those before it. Whether other packs have them already is the caller's
// business. A disk too full for them: an error before anything is written.
func (w *Writer) Put(entries []Entry) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errors.New("put after Close")
	}
	if !w.raised && slices.ContainsFunc(entries, func(e Entry) bool { return e.Kind == KindExtents }) {
		if err := raiseFormat(w.dir); err != nil {
			return err
		}
		w.raised = true
	}
	if w.draft == nil {
		d, err := newDraft(packsDir(w.dir), tempPrefix, w.o, w.o.Small)
		if err != nil {
			return fmt.Errorf("new pack: %w", err)
		}
		w.draft = d
		w.store.setOwn(d.eng)
		w.o.step("open")
	}
	if err := w.draft.put(entries); err != nil {
		return err
	}
	w.o.step("put")
	if w.draft.bytes > max(w.o.MaxPack, w.bytes/8) {
		return w.seal(true)
	}
	return nil
}

// Written counts what this writer has put: bytes of keys and values, entries.
func (w *Writer) Written() (bytes int64, entries int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	bytes, entries = w.bytes, w.entries
	if w.draft != nil {
		bytes, entries = bytes+w.draft.bytes, entries+w.draft.entries
	}
	return bytes, entries
}

// Commit seals what was put and then moves the ref to the snapshot, each
// durably. When it fails the ref stands where it stood.
func (w *Writer) Commit(ctx context.Context, ref string, snapshot Digest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkRefName(ref); err != nil {
		return err
	}
	if err := w.seal(false); err != nil {
		return err
	}
	if !w.store.Has(KindSnapshot, snapshot) {
		return fmt.Errorf("commit %s: snapshot %s was not stored: %w", ref, snapshot.Short(), ErrNotFound)
	}
	w.o.step("before ref")
	return writeRef(w.dir, ref, snapshot)
}

// seal turns the draft, if there is one with anything in it, into a pack that the view has too. Where more follows, the
// view without what this writer writes does not have the pack before all is sealed.
func (w *Writer) seal(more bool) error {
	d := w.draft
	if !more {
		w.store.hide(nil)
	}
	if d == nil {
		return nil
	}
	w.draft = nil
	w.store.setOwn(nil)
	if d.entries == 0 {
		return d.discard()
	}
	id, err := d.seal(packsDir(w.dir), nil)
	if err != nil {
		return err
	}
	w.o.step("sealed")
	if more {
		w.store.hide(&id)
	}
	w.bytes += d.bytes
	w.entries += d.entries
	return errors.Join(w.store.relist(), unlock(d.folder)) // in this order: the pack is held all the time
}

// Close seals what was put without a Commit, which becomes a pack that no ref
// needs yet: finished work outlives an error or an interruption. It ends the
// view and gives the lock back, and may be called more than once.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	err := w.seal(false)
	if !w.lent {
		err = errors.Join(err, w.store.Close())
	}
	return errors.Join(err, w.lock.Release())
}

// fix says that packs come through this writer alone, so that nothing has to
// be listed again.
func (s *Store) fix() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fixed = true
}

// setOwn makes the view search the pack that is being written.
func (s *Store) setOwn(eng *engine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own = eng
}

// relist takes in packs that were sealed since.
func (s *Store) relist() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list()
}
