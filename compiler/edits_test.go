package compiler

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"voxpack/store"
)

// edit is one way to change the sources or what stands beside them.
type edit struct {
	name string
	do   func(s *sequence)
}

// edits is the table that sequences draw from; what stands twice comes twice as
// often. Kills are drawn apart, for they decide how the build after them runs.
var edits = []edit{
	{"edit text", (*sequence).editText}, {"edit text", (*sequence).editText},
	{"edit raw text only", (*sequence).editRaw},
	{"edit normalised text only", func(s *sequence) { s.rows[s.r.IntN(len(s.rows))].given = s.sentence() }},
	{"language of a row", func(s *sequence) { s.rows[s.r.IntN(len(s.rows))].language = pick(s.r, "en", "fa", "de") }},
	{"swap audio", func(s *sequence) { s.wavs[s.anyID()] = s.clip() }},
	{"swap audio", func(s *sequence) { s.wavs[s.anyID()] = s.clip() }},
	{"exchange audio of two rows", (*sequence).exchange},
	{"copy audio to another row", func(s *sequence) { s.wavs[s.anyID()] = bytes.Clone(s.wavs[s.anyID()]) }},
	{"comment in a WAV", func(s *sequence) {
		if id := s.anyID(); len(s.wavs[id]) > 44 {
			s.wavs[id] = withComment(s.wavs[id], fmt.Sprint("take ", s.r.IntN(1000)))
		}
	}},
	{"new time stamp of a WAV", (*sequence).touch},
	{"remove or restore a WAV", (*sequence).removeWAV},
	{"a WAV that is none", func(s *sequence) { s.wavs[s.anyID()] = []byte("no sound at all") }},
	{"insert", func(s *sequence) { s.insert(1) }}, {"insert", func(s *sequence) { s.insert(1 + s.r.IntN(6)) }},
	{"delete", func(s *sequence) { s.remove(1) }}, {"delete", func(s *sequence) { s.remove(1 + s.r.IntN(6)) }},
	{"rename", (*sequence).rename}, {"rename", (*sequence).rename},
	{"repeat an id", (*sequence).repeat}, {"repeat an id", (*sequence).repeat}, {"heal repeated ids", (*sequence).heal},
	{"speaker", (*sequence).speaker}, {"speakers list", (*sequence).speakers},
	{"shuffle", func(s *sequence) {
		s.r.Shuffle(len(s.rows), func(i, j int) { s.rows[i], s.rows[j] = s.rows[j], s.rows[i] })
	}},
	{"nothing", func(*sequence) {}},
	{"delete the cache", (*sequence).deleteCache},
	{"merge packs", (*sequence).merge},
	{"K", another("rows_per_shard")}, {"max_mel_frames", another("max_mel_frames")},
	{"max_text_length", another("max_text_length")}, {"overlong", another("overlong")},
	{"a tokens key", another("tokens")}, {"a mel key", another("mel")},
	{"sample_rate", another("sample_rate")}, {"language", another("language")},
}

var words = strings.Fields("the a of store keeps what it has only edited row is read again she counted ships before noon rain fell on the stone bridge 7 42 1999")

func (s *sequence) sentence() string {
	n := 2 + s.r.IntN(7)
	var list []string
	for range n {
		list = append(list, words[s.r.IntN(len(words))])
	}
	switch s.r.IntN(25) {
	case 0:
		return ""
	case 1:
		return "☃☃"
	case 2, 3:
		list[n-1] += "☃"
	}
	return strings.Join(list, " ")
}

// clip is 0.05 to 0.3 s of noise, now and then too short or of another rate.
func (s *sequence) clip() []byte {
	rate, n := 8000, 400+s.r.IntN(2000)
	switch s.r.IntN(20) {
	case 0:
		n = 1 + s.r.IntN(96)
	case 1, 2:
		rate = 11025
	case 3:
		n += 1500
	}
	return noiseWAV(s.r.Uint64(), rate, n)
}

func (s *sequence) anyID() string { return s.rows[s.r.IntN(len(s.rows))].id }

func (s *sequence) editText() {
	l := &s.rows[s.r.IntN(len(s.rows))]
	l.text = s.sentence()
	if s.r.IntN(4) > 0 {
		l.given = l.text
	}
}

func (s *sequence) editRaw() {
	if l := &s.rows[s.r.IntN(len(s.rows))]; s.columns >= 3 && l.given != "" {
		l.text = s.sentence()
	}
}

func (s *sequence) exchange() {
	a, b := s.anyID(), s.anyID()
	if s.wavs[a] != nil && s.wavs[b] != nil {
		s.wavs[a], s.wavs[b] = s.wavs[b], s.wavs[a]
	}
}

func (s *sequence) touch() {
	now := time.Now()
	if id := s.anyID(); s.wavs[id] != nil {
		os.Chtimes(filepath.Join(s.dir, "wavs", id+".wav"), now, now)
	}
}

func (s *sequence) removeWAV() {
	id := s.anyID()
	if s.wavs[id] == nil {
		s.wavs[id] = s.clip()
		return
	}
	delete(s.wavs, id)
}

func (s *sequence) insert(n int) {
	for range n {
		id := fmt.Sprintf("id-%d-%03d", s.r.IntN(10), s.next)
		s.next++
		text := s.sentence()
		l := line{id: id, text: text, given: text, speaker: s.anySpeaker(), language: []string{"en", "fa"}[s.r.IntN(2)]}
		s.rows = slices.Insert(s.rows, s.r.IntN(len(s.rows)+1), l)
		s.wavs[id] = s.clip()
	}
}

func (s *sequence) anySpeaker() string { return []string{"ada", "bo", "cy"}[s.r.IntN(3)] }

func (s *sequence) remove(n int) {
	for range min(n, len(s.rows)-40) {
		i := s.r.IntN(len(s.rows))
		id := s.rows[i].id
		s.rows = slices.Delete(s.rows, i, i+1)
		if s.find(id) < 0 {
			delete(s.wavs, id)
		}
	}
}

func (s *sequence) rename() {
	i := s.r.IntN(len(s.rows))
	old, id := s.rows[i].id, fmt.Sprintf("new-%d-%03d", s.r.IntN(10), s.next)
	s.next++
	if s.rows[i].id = id; s.wavs[old] != nil {
		s.wavs[id] = s.wavs[old]
	}
	if s.find(old) < 0 {
		delete(s.wavs, old)
	}
}

// repeat gives an id a second row: an equal one, or one that differs.
func (s *sequence) repeat() {
	l := s.rows[s.r.IntN(len(s.rows))]
	if s.r.IntN(3) > 0 {
		l.text = s.sentence()
	}
	s.rows = slices.Insert(s.rows, s.r.IntN(len(s.rows)+1), l)
}

func (s *sequence) heal() {
	seen := map[string]bool{}
	s.rows = slices.DeleteFunc(s.rows, func(l line) bool {
		again := seen[l.id]
		seen[l.id] = true
		return again
	})
}

// speaker gives a row another speaker; a rare one makes the table longer or
// shorter, at its front too.
func (s *sequence) speaker() {
	s.rows[s.r.IntN(len(s.rows))].speaker = []string{"aa", "ada", "bo", "by", "cy", "dee"}[s.r.IntN(6)]
}

func (s *sequence) speakers() {
	s.cfg.Speakers = [][]string{nil, nil, {"cy", "bo", "ada", "aa"}, {"ada", "bo", "cy", "aa", "by", "dee"}}[s.r.IntN(4)]
}

func (s *sequence) deleteCache() {
	if err := os.RemoveAll(filepath.Join(s.store, "cache")); err != nil {
		s.t.Fatal(err)
	}
	clear(s.model.memo)
}

// merge puts packs together, with or without what no ref needs.
func (s *sequence) merge() {
	o := store.WriterOptions{MaxSmall: 1, Small: true}
	live := (*store.Store).Live
	if s.r.IntN(2) == 0 {
		live = nil
	} else {
		o.DeadSlack = 1
		doubt(s.model.traces, s.model.blocks, s.model.shards)
	}
	if _, err := os.Stat(s.store); err != nil {
		return
	}
	if _, err := store.Merge(context.Background(), s.store, o, live); err != nil {
		s.fail("merge: %v", err)
	}
}

// another gives a setting another of its few values, so that sequences come
// back to values that they had.
func another(key string) func(*sequence) {
	return func(s *sequence) {
		c := &s.cfg
		switch key {
		case "rows_per_shard":
			c.PerShard = pick(s.r, 4, 4, 3, 8, 1)
		case "max_mel_frames":
			c.Shape.MaxMelFrames = pick(s.r, 36, 30, 50)
		case "max_text_length":
			c.Shape.MaxTextLength = pick(s.r, 40, 30, 90)
		case "overlong":
			c.Shape.Overlong = pick(s.r, OverlongReject, OverlongTruncate)
		case "sample_rate":
			c.SampleRate = pick(s.r, 8000, 11025)
		case "language":
			c.Language = pick(s.r, "und", "en", "fa")
		case "tokens":
			t := &c.Tokens
			*pick(s.r, &t.AddBlank, &t.AddBOS, &t.AddEOS) = s.r.IntN(2) == 0
			t.Unknown = pick(s.r, "drop", "drop", "unk", "reject")
		case "mel":
			c.Mel.FMax = pick(s.r, 4000.0, 3800)
			c.Mel.HopLength = pick(s.r, 64, 64, 80)
			c.Mel.NMels = pick(s.r, 20, 20, 16)
			c.MelDType = pick(s.r, store.Float32, store.Float32, store.Float16, store.BFloat16)
		}
	}
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }
