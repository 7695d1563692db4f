package store

import (
	"cmp"
	"time"
)

const (
	// smallBytes is WriterOptions.SmallPack. 64 MiB: a merge of the largest
	// takes a fraction of a second, and 24 h of speech in one pack are 50 times as much.
	smallBytes = 64 << 20
	// reserve is WriterOptions.Reserve, 96 MiB.
	reserve = 96 << 20
	// packPatience is how long closing a pack may take. Closing 3.4 GB took 0.05 s
	// (2 cores, 2026-11-20); two minutes is a disk that does not answer.
	packPatience = 2 * time.Minute
)

// WriterOptions are the sizes that a writer and a merge work with. A field at
// zero has the default.
type WriterOptions struct {
	// Lock is a lock on the store that is already held; the writer takes it over.
	Lock *Lock
	// View is the store, opened under that lock, which the writer then shares
	// instead of opening every pack again; it stays the caller's to close, after
	// the writer.
	View *Store
	// Small says that little will be written, an edit and not a whole build:
	// opening and closing the pack then take half the time. A wrong guess costs
	// speed, nothing else.
	Small bool

	// MaxSmall: with more small packs than this a merge is due. 16: at 0.3 ms
	// for an open and four descriptors each, a reader that needs all of them
	// pays 5 ms and 64 descriptors.
	MaxSmall int
	// SmallPack: packs of fewer bytes are small. A tier of the others is of packs up to
	// four times as large as those of the tier below. 64 MiB.
	SmallPack int64
	// MaxTier: with more packs than this in one tier they are merged into one, so that
	// appends of any size leave a number of packs that grows with the logarithm of their bytes. 8:
	// an entry is copied once each time that the store grows eightfold.
	MaxTier int
	// DeadSlack: entries that nothing needs stay until, in small packs, they
	// weigh more than a tenth of what is needed and this many bytes. 32 MiB is
	// some hundred edits of which any can be undone without computing.
	DeadSlack int64
	// Reserve is the space that no write may use: what Badger still has to write
	// by itself (two tables of keys of 16 MiB with their logs) and what others
	// write between the check and the write.
	Reserve int64
	// MaxPack is how many bytes of values GC writes into one pack, if no value is longer:
	// a kill costs the copy of one, and as much space is needed beside. A writer seals its pack
	// when it has more, or more than an eighth of what it has sealed before: what a kill leaves
	// unsealed is hashed by the next build. 4 GiB.
	MaxPack int64
	// LargestValue is the longest value in bytes, at most a value log's size.
	LargestValue int64

	hook func(step string) // tests: called after each step that a kill may follow
}

func (o WriterOptions) withDefaults() WriterOptions {
	o.MaxSmall = cmp.Or(o.MaxSmall, 16)
	o.SmallPack = cmp.Or(o.SmallPack, smallBytes)
	o.MaxTier = cmp.Or(o.MaxTier, 8)
	o.DeadSlack = cmp.Or(o.DeadSlack, 32<<20)
	o.Reserve = cmp.Or(o.Reserve, reserve)
	o.MaxPack = cmp.Or(o.MaxPack, 4<<30)
	o.LargestValue = cmp.Or(o.LargestValue, valueLogSize-1<<10) // an entry's header and key lie beside the value
	return o
}

func (o WriterOptions) step(name string) {
	if o.hook != nil {
		o.hook(name)
	}
}
