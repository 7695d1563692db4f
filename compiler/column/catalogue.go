package column

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"voxpack/compiler/clip"
	"voxpack/compiler/column/array"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// catalogue is which values a source of many rows has, by id.
type catalogue struct {
	values map[string]store.Digest
	broken map[string]*Bad // those that could not be read
}

// find names a row's value; at is the file that it is in, if that is one for all.
func (c *catalogue) find(from, id string, at clip.Beside) (Found, error) {
	found := Found{File: fmt.Sprintf("%s: %s", from, id), at: at}
	if bad := c.broken[id]; bad != nil {
		return found, bad
	}
	d, ok := c.values[id]
	if !ok {
		return Found{}, badf(kind.NoValue, "%s has no value for %s", from, id)
	}
	found.Digest = d
	return found, nil
}

// recall takes what was remembered of a file by its key.
func (c *catalogue) recall(t Tools, key store.Key) (ok bool) {
	b, ok := t.Memory.Blob(key)
	if ok && t.Stats.Trusts() {
		c.values, ok = decodeValues(b)
		return ok
	}
	return false
}

// read reads all values once, to name them, and remembers it of a file in which none is broken.
func (c *catalogue) read(t Tools, key store.Key, ids iter.Seq[string], read func(id string) (*array.Array, error)) error {
	c.values, c.broken = map[string]store.Digest{}, map[string]*Bad{}
	for id := range ids {
		v, err := read(id)
		if errors.Is(err, array.ErrAbsent) { // a line without the field
			continue
		}
		if bad := (*Bad)(nil); errors.As(err, &bad) {
			c.broken[id] = bad
			continue
		}
		if err != nil {
			return err
		}
		c.values[id] = digestOf(v)
	}
	if len(c.broken) == 0 {
		t.Memory.PutBlob(key, encodeValues(c.values))
	}
	return nil
}

// digestOf names an array.
func digestOf(a *array.Array) store.Digest {
	h := store.NewHasher()
	fmt.Fprintf(h, "%v\n", a) // never fails
	h.Write(a.Data)
	return h.Digest()
}

// encodeValues is names and digests, in the order of names: a length of 4 bytes, the name,
// 32 bytes.
func encodeValues(values map[string]store.Digest) []byte {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(values)) {
		d := values[name]
		b = append(append(binary.LittleEndian.AppendUint32(b, uint32(len(name))), name...), d[:]...)
	}
	return b
}

// decodeValues reads what encodeValues made; what is damaged is forgotten.
func decodeValues(b []byte) (map[string]store.Digest, bool) {
	values := map[string]store.Digest{}
	for len(b) > 0 {
		if len(b) < 4 {
			return nil, false
		}
		n := uint64(binary.LittleEndian.Uint32(b))
		if b = b[4:]; n+32 > uint64(len(b)) {
			return nil, false
		}
		values[string(b[:n])] = store.Digest(b[n : n+32])
		b = b[n+32:]
	}
	return values, true
}
