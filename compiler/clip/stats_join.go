package clip

import (
	"voxpack/store"
)

// JoinStats puts together what several caches know of files, chunk by chunk. Of a file that several know
// the last one counts.
func JoinStats(from []*store.Cache, put func(key, value []byte) error) error {
	for i := range statChunks {
		all := statChunk{hashed: map[string]fingerprint{}}
		for _, cache := range from {
			value, ok := cache.Get(statKey(i))
			if !ok {
				continue
			}
			list := listChunk(value)
			for n := range list.at {
				all.hashed[string(list.name(n))] = list.fingerprint(n)
			}
		}
		if len(all.hashed) == 0 {
			continue
		}
		if err := put(statKey(i), all.encode(true)); err != nil {
			return err
		}
	}
	return nil
}
