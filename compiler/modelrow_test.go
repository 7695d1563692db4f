package compiler

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"voxpack/compiler/action"
	"voxpack/store"
)

// modelRows are the rows that come through the metadata, each with its fate.
// Rows of one id that differ are all refused; equal ones are one.
func modelRows(c *corpus, cfg Config, f *forecast) []*modelRow {
	byID := map[string][]line{}
	for _, l := range c.rows {
		byID[l.id] = append(byID[l.id], c.seen(l))
	}
	var rows []*modelRow
	for _, lines := range byID {
		if len(slices.Compact(slices.Clone(lines))) > 1 {
			f.rejected += len(lines)
			continue
		}
		r := &modelRow{line: lines[0]}
		r.audio(c.wavs[r.id], cfg)
		r.texts(c, cfg)
		if cfg.Speakers != nil && c.columns == 5 && !slices.Contains(cfg.Speakers, r.speaker) {
			r.rejected = true
		}
		rows = append(rows, r)
	}
	return rows
}

// seen is a line as far as the metadata has columns.
func (c *corpus) seen(l line) line {
	if c.columns < 3 {
		l.given = ""
	}
	if c.columns < 5 {
		l.speaker, l.language = "", ""
	}
	return l
}

// audio: a 16-bit mono file is named by its bytes, its samples by the bytes of
// its data chunk, which begins at byte 44 in every WAV of the tests.
func (r *modelRow) audio(wav []byte, cfg Config) {
	if wav == nil {
		r.rejected = true
		return
	}
	r.keys[action.Audio] = fmt.Sprintf("%d %x", cfg.SampleRate, wav)
	if len(wav) < 44 || string(wav[:4]) != "RIFF" {
		r.rejected, r.unusable = true, true
		return
	}
	rate := int(binary.LittleEndian.Uint32(wav[24:]))
	bytes := int(binary.LittleEndian.Uint32(wav[40:]))
	samples := (bytes/2*cfg.SampleRate + rate - 1) / rate
	dtype := cfg.MelDType
	if dtype == 0 {
		dtype = store.Float32
	}
	settings := fmt.Sprint(cfg.SampleRate, cfg.Mel.NFFT, cfg.Mel.HopLength, cfg.Mel.WinLength, cfg.Mel.NMels, " ", cfg.Mel.FMin, " ", cfg.Mel.FMax, dtype)
	r.keys[action.Mel] = settings + " " + r.keys[action.Audio]
	if pad := (cfg.Mel.NFFT - cfg.Mel.HopLength) / 2; samples <= pad {
		r.rejected = true
		return
	}
	r.length[1] = samples / cfg.Mel.HopLength
	if r.length[1] > cfg.Shape.MaxMelFrames && cfg.Shape.Overlong != OverlongTruncate {
		r.rejected = true
	}
	r.content[1] = fmt.Sprintf("%s %d %d %x", settings, rate, min(r.length[1], cfg.Shape.MaxMelFrames), wav[44:44+bytes])
}

// texts: the tests' texts are in one spelling already, so spoken text is the
// text, and ☃ is the one character without a symbol.
func (r *modelRow) texts(c *corpus, cfg Config) {
	text := r.text
	if c.columns >= 3 && r.given != "" {
		text = r.given
	}
	if text == "" {
		r.rejected = true
		return
	}
	language := r.language
	if language == "" {
		language = cfg.Language
	}
	r.keys[action.Text] = language + " " + text
	t := cfg.Tokens
	r.keys[action.Tokens] = fmt.Sprint(t.AddBlank, t.AddBOS, t.AddEOS, t.Unknown, " ", text)
	var ids []string
	for _, ch := range text {
		switch {
		case ch != '☃':
			ids = append(ids, string(ch))
		case t.Unknown == "unk":
			ids = append(ids, "unk")
		case t.Unknown == "reject":
			r.rejected = true
			return
		}
	}
	if strings.Trim(text, "☃ ") == "" {
		r.rejected = true
		return
	}
	if t.AddBlank {
		with := []string{"blank"}
		for _, id := range ids {
			with = append(with, id, "blank")
		}
		ids = with
	}
	if t.AddBOS {
		ids = append([]string{"bos"}, ids...)
	}
	if t.AddEOS {
		ids = append(ids, "eos")
	}
	r.length[0] = len(ids)
	if len(ids) > cfg.Shape.MaxTextLength && cfg.Shape.Overlong != OverlongTruncate {
		r.rejected = true
	}
	r.content[0] = strings.Join(ids[:min(len(ids), cfg.Shape.MaxTextLength)], "\x00")
}
