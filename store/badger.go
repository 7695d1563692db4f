package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// mappedAbove is Badger's value threshold: longer values lie in the mapped
// value log and are read without a copy. The default of 1 MiB sends every
// shard through the key tree: 414 MB/s written instead of 1,564 (1 GiB of
// 256 KiB to 2 MiB values, 2 cores, 2026-11-20).
const mappedAbove = 1 << 10

// valueLogSize is the size of one value-log file and so the longest value.
// 256 MiB against 1 GiB costs nothing to write (1,299 to 1,564 MB/s, noise) and
// a reserve of this order stays affordable.
const valueLogSize = 256 << 20

// profile is one column of Badger settings.
type profile struct {
	memTable  int64 // bytes of one of the two tables of keys in memory
	threshold int64 // longest value kept beside its key
	compact   bool  // fold level 0 when closing
}

var (
	// largePack is for a whole build: few flushes, one folded tree at the end.
	largePack = profile{memTable: 16 << 20, threshold: mappedAbove, compact: true}
	// smallPack is for an edit. Opening a new database costs 3.6 ms with a
	// table of 1 MiB and 7.1 with 16 (the arena is zeroed); closing costs 3.3
	// without folding and 4.9 with it. The value-log size moves neither
	// (medians of 15, one value of 100 KiB and nine of 500 B, 2 cores, 2026-11-20).
	smallPack = profile{memTable: 1 << 20, threshold: mappedAbove}
	// cacheTree keeps every value in the key tree, the one part of Badger that
	// gives space back by itself.
	cacheTree = profile{memTable: 16 << 20, threshold: 1 << 20}
)

func (p profile) options(dir string) badger.Options {
	o := badger.DefaultOptions(dir).
		WithMetricsEnabled(false).
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithChecksumVerificationMode(options.OnBlockRead).
		WithMemTableSize(p.memTable).
		WithNumMemtables(2).
		WithNumVersionsToKeep(1).
		WithDetectConflicts(false).
		WithCompactL0OnClose(p.compact).
		WithValueThreshold(p.threshold).
		WithValueLogFileSize(valueLogSize)
	// Folders are locked by lock.go: Badger's own lock ends with Close, before
	// the pack is sealed, and writes a pid file.
	o.BypassLockGuard = true
	return o
}

// pair is one key with its value.
type pair struct{ key, value []byte }

// engine is one open Badger database. This file alone knows Badger.
type engine struct {
	db     *badger.DB
	dir    string
	folder os.FileInfo // of dir when it was opened

	// stuck: Badger failed to read from a value log, and then forgets to give
	// back its lock on the file, so that Close would wait for ever. A stuck
	// database stays as it is until the process ends.
	stuck     atomic.Bool
	complaint complaint
}

// openEngine opens a database. For reading it has to have been closed cleanly, and
// nothing is written. For writing it is made where there is none, and what a killed
// writer left is repaired: it has to fit the profile's table in memory.
func openEngine(dir string, p profile, write bool) (*engine, error) {
	if write {
		if err := dropUnborn(dir); err != nil {
			return nil, err
		}
	}
	if err := checkFiles(dir); err != nil {
		return nil, err
	}
	e := &engine{dir: dir, complaint: complaint{broken: make(chan struct{})}}
	err := guard(dir, func() (err error) {
		e.db, err = badger.Open(p.options(dir).WithReadOnly(!write).WithLogger(&e.complaint))
		return err
	})
	if err != nil {
		return nil, err
	}
	if e.folder, err = os.Stat(dir); err == nil && write {
		err = shareFiles(dir)
	}
	if err != nil {
		return nil, errors.Join(err, e.close(cachePatience))
	}
	return e, nil
}

// complaint is Badger's logger. An error that it logs of a database that is
// being written is one after which it tries the same again, for ever, as a flush
// to a disk that refuses it; what waits for it must then wait no longer.
type complaint struct {
	once   sync.Once
	broken chan struct{} // closed after the first error
	text   string        // of it
}

// Errorf is for Badger, as the three below.
func (c *complaint) Errorf(format string, args ...any) {
	c.once.Do(func() {
		c.text = fmt.Sprintf(format, args...)
		close(c.broken)
	})
}

func (c *complaint) Warningf(string, ...any) {}
func (c *complaint) Infof(string, ...any)    {}
func (c *complaint) Debugf(string, ...any)   {}

// write calls into Badger and waits until it returns or complains. After a
// complaint the call goes on, perhaps for ever, and the database must not be used
// any more.
func (e *engine) write(call func() error) error {
	done := make(chan error, 1)
	go func() { done <- guard(e.dir, call) }() // ends with the call, or with the process
	select {
	case err := <-done:
		return err
	case <-e.complaint.broken:
		return badgerError(e.dir, e.complaint.text)
	}
}

// value reads the value of a key: with mapped, bytes longer than mappedAbove
// stay where they are in the mapped value log; else always a copy. A value
// that Badger cannot read it returns empty and without an error, so an empty
// one is ErrDamaged.
//
// This is the one place that relies on the mapping outliving the transaction.
// It does in a read-only database until Close: value logs are mapped once when
// it is opened, and neither rewriting nor deletion runs there. TestViewOutlives
// holds the Badger version to it.
func (e *engine) value(key []byte, mapped bool) (value []byte, err error) {
	err = e.find(key, func(item *badger.Item) error {
		return item.Value(func(b []byte) error {
			if value = b; !mapped || len(b) <= mappedAbove {
				value = append([]byte(nil), b...)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if len(value) == 0 {
		e.stuck.Store(true)
		return nil, fmt.Errorf("the value cannot be read back: %w", ErrDamaged)
	}
	return value, nil
}

func (e *engine) has(key []byte) bool {
	return e.find(key, func(*badger.Item) error { return nil }) == nil
}

// find calls fn with what Badger has for a key. Every error but ErrNotFound is ErrDamaged.
func (e *engine) find(key []byte, fn func(*badger.Item) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer e.survive(&err)
	err = e.db.View(func(txn *badger.Txn) error {
		item, err := txn.Get(key)
		if err != nil {
			return err
		}
		return fn(item)
	})
	switch {
	case errors.Is(err, badger.ErrKeyNotFound):
		return ErrNotFound
	case err != nil:
		return fmt.Errorf("%w: %w", err, ErrDamaged)
	}
	return nil
}

// survive, in a deferred call, makes an error of a panic inside Badger and of a fault of
// a mapped file, for which the caller has asked to be a panic.
func (e *engine) survive(err *error) {
	if r := recover(); r != nil {
		e.stuck.Store(true)
		if *err = faultOf(r); *err == nil { // else what Badger met is of no use to a person
			*err = fmt.Errorf("%s cannot be read: a table or a log in it is not as it was written: %w", e.dir, ErrDamaged)
		}
	}
}

// put stores the pairs whose keys are not there yet, in their order, and
// returns how many it stored. A transaction holds 15 % of a table of keys, so a
// long list takes several; a kill between two leaves a beginning of the list.
func (e *engine) put(pairs []pair, overwrite bool) (stored int, err error) {
	txn := e.db.NewTransaction(true)
	for _, p := range pairs {
		if !overwrite {
			if _, err := txn.Get(p.key); err == nil {
				continue
			}
		}
		err := txn.Set(p.key, p.value)
		if errors.Is(err, badger.ErrTxnTooBig) {
			if err := e.write(txn.Commit); err != nil {
				return stored, err
			}
			txn = e.db.NewTransaction(true)
			err = txn.Set(p.key, p.value)
		}
		if err != nil {
			txn.Discard()
			return stored, err
		}
		stored++
	}
	return stored, e.write(txn.Commit)
}

// scan calls fn for every key with the prefix, in order. With values, size is
// the value's length and value its bytes, valid during the call; without,
// value is nil and size an estimate good to some bytes, and no value is read.
func (e *engine) scan(prefix []byte, values bool, fn func(key, value []byte, size int64) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer e.survive(&err)
	return e.db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			item := it.Item()
			var err error
			if values {
				err = item.Value(func(b []byte) error {
					if len(b) == 0 {
						e.stuck.Store(true)
					}
					return fn(item.Key(), b, int64(len(b)))
				})
			} else {
				err = fn(item.Key(), nil, item.ValueSize())
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// sync makes everything written so far durable.
func (e *engine) sync() error { return guard(e.dir, e.db.Sync) }

// close ends the database. When the folder of a database that is being written
// has been removed or renamed, Badger retries its last flush for ever; then
// close gives up, leaves the database to the end of the process and says so.
func (e *engine) close(patience time.Duration) error {
	if err := e.inPlace(); err != nil || e.stuck.Load() {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- guard(e.dir, e.db.Close) }() // ends with Close, or never: see above
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		select {
		case err := <-done:
			if err == nil {
				err = shareFiles(e.dir)
			}
			return err
		case <-tick.C:
			if err := e.inPlace(); err != nil {
				return err
			}
		case <-e.complaint.broken:
			return badgerError(e.dir, e.complaint.text)
		case <-deadline:
			return fmt.Errorf("close %s: not finished after %v; the disk does not answer", e.dir, patience)
		}
	}
}

// inPlace checks that the database's folder is still the one it was opened in.
func (e *engine) inPlace() error {
	now, err := os.Stat(e.dir)
	if err == nil && os.SameFile(now, e.folder) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%s was removed or renamed while it was being written; what this build wrote is lost, earlier snapshots are not: run it again", e.dir)
}

// release ends a read-only database. Nothing is left to be written, so an error
// has nothing to tell: one comes up where a sealed pack was removed meanwhile.
func (e *engine) release() {
	if !e.stuck.Load() {
		_ = guard(e.dir, e.db.Close)
	}
}
