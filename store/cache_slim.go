package store

import (
	"encoding/binary"
	"errors"
	"os"
)

// slim rewrites the cache when it takes more than twice what its entries weigh.
func (c *Cache) slim() error {
	size, err := sizeOnDisk(c.dir)
	if err != nil || size < cacheFloor {
		return err
	}
	if v, ok := c.Get([]byte(cacheSizeKey)); ok && len(v) == 8 && size <= 2*int64(binary.LittleEndian.Uint64(v)) {
		return nil
	}
	var weight int64
	err = c.eng.scan(nil, false, func(key, _ []byte, size int64) error {
		weight += int64(len(key)) + size
		return nil
	})
	// An unreadable block ends the weighing: a rewrite keeps what can be read.
	if err != nil || size > 2*weight {
		return c.rewrite(weight)
	}
	return c.Put(weightPair(weight))
}

// weightPair is the entry that keeps the weight, 8 bytes in little-endian order.
func weightPair(weight int64) Pair {
	return Pair{[]byte(cacheSizeKey), binary.LittleEndian.AppendUint64(nil, uint64(weight))}
}

// rewrite copies the sound entries into a new cache and puts it in this one's place. usableCache removes a
// copy that a killed rewrite left.
func (c *Cache) rewrite(weight int64) error {
	temp := c.dir + ".tmp"
	if err := os.Mkdir(temp, 0o777); err != nil {
		return err
	}
	next, err := openCacheAt(temp)
	if err != nil {
		return err
	}
	if err := errors.Join(c.copyTo(next), next.Put(weightPair(weight)), next.Close(), c.Close()); err != nil {
		return err
	}
	// A kill between the two leaves no cache, which is a cache that misses.
	if err := os.RemoveAll(c.dir); err != nil {
		return err
	}
	if err := os.Rename(temp, c.dir); err != nil {
		return err
	}
	again, err := openCacheAt(c.dir)
	if err != nil {
		return err
	}
	c.eng, c.folder = again.eng, again.folder
	return nil
}

// copyTo puts all sound entries into another cache, a megabyte at a time. Keys and values are copied, as
// those of Scan end with its call.
func (c *Cache) copyTo(next *Cache) error {
	const batchBytes = 1 << 20
	var batch []Pair
	var size int
	var failed error
	c.Scan(nil, func(key, value []byte) {
		if failed != nil {
			return
		}
		batch = append(batch, Pair{append([]byte(nil), key...), append([]byte(nil), value...)})
		if size += len(key) + len(value); size > batchBytes {
			failed = next.Put(batch...)
			batch, size = batch[:0], 0
		}
	})
	return errors.Join(failed, next.Put(batch...))
}
