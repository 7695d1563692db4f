package gpufeed

// Memory is where the host batches of a feed lie that was opened with
// Config.Shared: a file without a name, which another process may map.
type Memory struct {
	File  int // descriptor; the feed closes it
	Bytes int // of the file
	Slots int
	Slot  int // bytes from one slot to the next, whole pages
}

// Memory is the shared memory of a feed without a driver; ok is false where it
// has none. Who maps it may read a slot from Next until the batch is released.
func (f *Feed) Memory() (m Memory, ok bool) {
	if !f.config.Shared || f.dev != nil {
		return Memory{}, false
	}
	return Memory{f.arena.file, len(f.arena.mem), len(f.host.slots), f.arena.slot}, true
}

// Slot is the number of the slot that the batch lies in, of Memory.Slots on the
// host, of Export.Slots on a GPU.
func (b Batch) Slot() int { return int(b.slot.index) }

// Layouts are the shapes of the batches, one for each bucket.
func (f *Feed) Layouts() []*Layout { return f.layouts }
