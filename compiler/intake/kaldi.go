package intake

import (
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"voxpack/internal/number"
)

// kaldi is a data folder of Kaldi and ESPnet. An utterance is one row or one
// error, which stands at the line that is its cause. What the files hold is in
// kaldi-asr.org/doc/data_prep.html: each line is a key and what belongs to it. Kaldi
// wants them sorted; here their order does not matter.
var kaldi = Format{
	Name:  "kaldi",
	Shape: "a folder with wav.scp and text, and where there are any utt2spk, utt2lang, segments",
	Find: func(dir string) []Part {
		if regular(dir, "wav.scp") && regular(dir, "text") {
			return []Part{{File: "text"}}
		}
		return nil
	},
	Read: readKaldi,
}

// kaldiFile is a table of Kaldi: lines of a key and a value.
// order holds the lines as they stand, so that what is left over is refused in the
// file's order.
type kaldiFile struct {
	name  string
	there bool
	lines map[string]*kaldiLine
	order []*kaldiLine
}

type kaldiLine struct {
	n          int
	key, value string
	err        error // what is wrong with the line
	used       bool  // an utterance that stands in text needed it
}

// text decides which utterances there are. The other tables are read before it, and
// lines of theirs that no utterance used are judged after it (leftOver).
func readKaldi(in *Input) error {
	text := in.File // the others stand beside it
	words, err := in.Text(text)
	if err != nil {
		return err
	}
	var scp, segments, speakers, languages kaldiFile
	for _, f := range []struct {
		into  *kaldiFile
		name  string
		check func(value string) error
	}{
		{&scp, "wav.scp", checkRecording},
		{&segments, "segments", func(v string) error { _, _, err := parseSegment(v); return err }},
		{&speakers, "utt2spk", nil},
		{&languages, "utt2lang", nil},
	} {
		if *f.into, err = in.kaldiFile(path.Join(path.Dir(text), f.name), f.check); err != nil {
			return err
		}
	}
	if !scp.there {
		return errors.New("there is no wav.scp beside it")
	}
	in.File = text
	in.Lines(words, func(n int, line string) {
		utt, said := kaldiCut(line)
		u := kaldiUtterance{file: text, at: n}
		recording := utt
		r := Row{ID: utt, Text: said, Audio: &Audio{}}
		if segments.there {
			value := u.need(&segments, utt)
			recording, *r.Audio, _ = parseSegment(value)
		}
		if u.err == nil {
			r.Audio.Path = in.inside(u.need(&scp, recording))
		}
		if speakers.there && u.err == nil {
			r.Speaker = u.need(&speakers, utt)
		}
		if languages.there && u.err == nil {
			r.Language = u.need(&languages, utt)
		}
		if u.err == nil && said == "" {
			u.err = errors.New("no text after the utterance's name")
		}
		if u.err != nil {
			in.File = u.file
			in.refuse(u.at, utt, u.err)
			in.File = text
			return
		}
		in.Row(n, r)
	})
	in.leftOver(&scp, "no utterance needs this recording")
	in.leftOver(&segments, "text has no line for this utterance")
	in.leftOver(&speakers, "")
	in.leftOver(&languages, "")
	in.File = text
	return nil
}

// kaldiUtterance gathers what the files say of an utterance, up to the first
// thing that is wrong.
type kaldiUtterance struct {
	file string // of the error, if any
	at   int
	err  error
}

// need is the value of a key. That it is missing is an error of the utterance's
// own line; a bad line is an error there.
func (u *kaldiUtterance) need(f *kaldiFile, key string) string {
	l := f.lines[key]
	if l == nil {
		u.err = fmt.Errorf("%s has no line for %s", path.Base(f.name), clip(key, shownID))
		return ""
	}
	l.used = true
	if l.err != nil {
		u.file, u.at, u.err = f.name, l.n, l.err
	}
	return l.value
}

// kaldiFile reads one of the tables. A key that stands there twice is an error
// of its second line.
func (in *Input) kaldiFile(name string, check func(value string) error) (kaldiFile, error) {
	f := kaldiFile{name: name, lines: map[string]*kaldiLine{}}
	if _, ok := in.texts[name]; !ok && !in.isFile(name) {
		if _, err := os.Lstat(in.path(name)); err == nil {
			return f, fmt.Errorf("%s: a link to nothing, or no file", name) // not the same as none: its rows would be other ones
		}
		return f, nil
	}
	src, err := in.Text(name)
	if err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	f.there = true
	in.File = name
	in.Lines(src, func(n int, line string) {
		l := &kaldiLine{n: n}
		l.key, l.value = kaldiCut(line)
		if first := f.lines[l.key]; first != nil {
			in.refuse(n, l.key, fmt.Errorf("%s stands at line %d already", clip(l.key, shownID), first.n))
			return
		}
		switch {
		case l.value == "":
			l.err = errors.New("1 column; a name and what belongs to it are wanted")
		case check != nil:
			l.err = check(l.value)
		}
		f.lines[l.key] = l
		f.order = append(f.order, l)
	})
	return f, nil
}

// leftOver refuses the lines of a table that no utterance used: bad ones, and
// where why says so all.
func (in *Input) leftOver(f *kaldiFile, why string) {
	in.File = f.name
	for _, l := range f.order {
		err := l.err
		if err == nil && why != "" {
			err = errors.New(why)
		}
		if err != nil && !l.used {
			in.refuse(l.n, l.key, err)
		}
	}
}

// kaldiCut cuts a line after its first word.
// Kaldi separates by spaces or tabs; the value keeps its inner ones.
func kaldiCut(line string) (key, rest string) {
	line = strings.TrimSpace(line)
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], strings.TrimSpace(line[i:])
	}
	return line, ""
}

// archive is a place in one of Kaldi's archives, as in feats.ark:1042.
var archive = regexp.MustCompile(`:[0-9]+$`)

// checkRecording refuses what Kaldi would run or unpack: a build's inputs are files.
// Both are forms of Kaldi's extended file names (rxfilename in
// kaldi-asr.org/doc/io.html), which may also be "-", the standard input.
func checkRecording(value string) error {
	switch {
	case strings.HasSuffix(value, "|") || strings.HasPrefix(value, "|"):
		return errors.New("a command, which is not run here; write what it prints to a file first (COMMAND > NAME.wav) and name that file")
	case archive.MatchString(value):
		return errors.New("a place in an archive, which is not read here; write the recordings to files first and name them")
	}
	return nil
}

// parseSegment reads a line of segments after the utterance's name: recording,
// start and end in seconds, and perhaps a channel. An end of -1 is the recording's
// (the usage text of Kaldi's extract-segments). The channel is not used: a clip is
// averaged to one channel, as any other.
func parseSegment(value string) (recording string, a Audio, err error) {
	cols := strings.Fields(value)
	if len(cols) != 3 && len(cols) != 4 {
		return "", a, fmt.Errorf("%s after the utterance, 3 are wanted: recording, start and end in seconds", number.Count(len(cols), "column"))
	}
	from, err := parseSeconds(cols[1])
	if err != nil {
		return "", a, fmt.Errorf("the start: %w", err)
	}
	if cols[2] == "-1" || strings.Trim(cols[2], "0") == "-1." {
		return cols[0], Audio{From: from}, nil
	}
	to, err := parseSeconds(cols[2])
	if err != nil {
		return "", a, fmt.Errorf("the end: %w", err)
	}
	if to <= from {
		return "", a, fmt.Errorf("it ends at %s s, before or where it begins (%s s)", cols[2], cols[1])
	}
	return cols[0], Audio{From: from, Length: to - from}, nil
}

// maxSeconds bounds a place in a recording to what a Duration holds many times.
const maxSeconds = 1_000_000_000

// parseSeconds reads decimal seconds exactly, to the nanosecond; further digits
// are rounded to the nearest.
// It never goes through a float: 12.345 would be another sample on the way.
func parseSeconds(s string) (time.Duration, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	if whole == "" && fraction == "" {
		return 0, noSeconds(s)
	}
	var sec, ns int64
	for _, c := range []byte(whole) {
		if c < '0' || c > '9' {
			return 0, noSeconds(s)
		}
		if sec = 10*sec + int64(c-'0'); sec > maxSeconds {
			return 0, fmt.Errorf("%q is more than %d seconds", clip(s, shownID), maxSeconds)
		}
	}
	for i, unit := 0, int64(time.Second/10); i < len(fraction); i, unit = i+1, unit/10 {
		c := fraction[i]
		if c < '0' || c > '9' {
			return 0, noSeconds(s)
		}
		ns += int64(c-'0') * unit
		if i == 9 && c >= '5' {
			ns++
		}
	}
	return time.Duration(sec)*time.Second + time.Duration(ns), nil
}

func noSeconds(s string) error {
	return fmt.Errorf("%q is not a number of seconds, as in 12.5", clip(s, shownID))
}
