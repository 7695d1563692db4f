package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
)

// model is a dataset of the shape that a compiler stores, without its formats:
// a snapshot lists pages, a page lists 16 records, a record names two blocks.
type model struct {
	shards [][3]Entry // wide block, narrow block, record
	seq    uint64
}

// Sizes of a shard of LJSpeech, the wide block cut from 3 MB to 100 KB so that
// a thousand builds fit a test.
const (
	wideBlock   = 100 << 10
	narrowBlock = 12_800 // 16 × 200 tokens of 4 bytes
	recordBytes = 3 << 10
	pageShards  = 16
)

func newModel(shards int) *model {
	m := &model{shards: make([][3]Entry, shards)}
	for i := range m.shards {
		m.shards[i][0] = m.block(wideBlock)
		m.edit(i, false)
	}
	return m
}

func (m *model) block(n int) Entry {
	m.seq++
	return entry(KindBlock, noise(m.seq, n))
}

// edit changes one row of a shard, its audio or its text, and returns what is
// new, traces included.
func (m *model) edit(i int, audio bool) []Entry {
	s, which := &m.shards[i], 1
	if audio {
		which = 0
	}
	s[which] = m.block([]int{wideBlock, narrowBlock}[which])
	record := append(append([]byte(nil), s[0].Name[:]...), s[1].Name[:]...)
	s[2] = entry(KindShard, append(record, noise(m.seq, recordBytes)...))
	trace := Entry{KindTrace, Key(Sum(s[which].Name[:])), append([]byte(nil), s[which].Name[:]...)}
	return []Entry{s[which], s[2], trace}
}

// top returns all pages and the snapshot, which comes last.
func (m *model) top() []Entry {
	var list []Entry
	snapshot := binary.LittleEndian.AppendUint64(nil, m.seq)
	for at := 0; at < len(m.shards); at += pageShards {
		var page []byte
		for _, s := range m.shards[at:min(at+pageShards, len(m.shards))] {
			page = append(page, s[2].Name[:]...)
		}
		list = append(list, entry(KindPage, page))
		snapshot = append(snapshot, list[len(list)-1].Name[:]...)
	}
	return append(list, entry(KindSnapshot, snapshot))
}

// all returns everything that the snapshot needs, the snapshot last.
func (m *model) all() []Entry {
	var list []Entry
	for _, s := range m.shards {
		list = append(list, s[:]...)
	}
	return append(list, m.top()...)
}

// reach walks a snapshot of a model in a store.
func reach(s *Store, snapshot Digest, live map[[33]byte]struct{}) error {
	top, err := s.Get(KindSnapshot, snapshot)
	if err != nil {
		return err
	}
	live[entryKey(KindSnapshot, snapshot)] = struct{}{}
	return eachName(top[8:], func(page [32]byte) error {
		records, err := s.Get(KindPage, page)
		live[entryKey(KindPage, page)] = struct{}{}
		return errors.Join(err, eachName(records, func(record [32]byte) error {
			b, err := s.Get(KindShard, record)
			if err != nil {
				return err
			}
			live[entryKey(KindShard, record)] = struct{}{}
			return eachName(b[:64], func(block [32]byte) error {
				live[entryKey(KindBlock, block)] = struct{}{}
				return nil
			})
		}))
	})
}

func eachName(b []byte, fn func([32]byte) error) error {
	if len(b)%32 != 0 {
		return fmt.Errorf("%d bytes are no list of names", len(b))
	}
	for ; len(b) > 0; b = b[32:] {
		if err := fn([32]byte(b)); err != nil {
			return err
		}
	}
	return nil
}

// liveOfModel is the live function for stores of models.
func liveOfModel(s *Store) (map[[33]byte]struct{}, error) {
	live := map[[33]byte]struct{}{}
	refs, err := readRefs(s.Dir())
	for _, snapshot := range refs {
		err = errors.Join(err, reach(s, snapshot, live))
	}
	return live, err
}

// weigh adds up the bytes, keys included, of some entries.
func weighEntries(t testing.TB, s *Store, keys map[[33]byte]struct{}) (sum int64) {
	t.Helper()
	for key := range keys {
		v, err := s.View(Kind(key[0]), [32]byte(key[1:]))
		if err != nil {
			t.Fatal(err)
		}
		sum += int64(len(key) + len(v))
	}
	return sum
}
