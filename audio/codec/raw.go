package codec

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Raw is what files hold that have no header: samples from the first byte to the last. Nothing in such a file
// tells what it is, so that the config has to.
type Raw struct {
	Coding         string // of rawCodings
	Rate, Channels int
}

// rawVersion is of this reader, for keys.
const rawVersion = "raw/1"

// rawCoding is how a sample lies in a file.
type rawCoding struct {
	name        string
	tag         uint16
	bits        int
	big, signed bool
}

// rawCodings have the names that ffmpeg has for them.
var rawCodings = []rawCoding{
	{name: "u8", tag: tagPCM, bits: 8}, {name: "s8", tag: tagPCM, bits: 8, signed: true},
	{name: "alaw", tag: tagALaw, bits: 8}, {name: "mulaw", tag: tagMuLaw, bits: 8},
	{name: "s16le", tag: tagPCM, bits: 16}, {name: "s16be", tag: tagPCM, bits: 16, big: true},
	{name: "s24le", tag: tagPCM, bits: 24}, {name: "s24be", tag: tagPCM, bits: 24, big: true},
	{name: "s32le", tag: tagPCM, bits: 32}, {name: "s32be", tag: tagPCM, bits: 32, big: true},
	{name: "f32le", tag: tagFloat, bits: 32}, {name: "f32be", tag: tagFloat, bits: 32, big: true},
	{name: "f64le", tag: tagFloat, bits: 64}, {name: "f64be", tag: tagFloat, bits: 64, big: true},
}

// coding is the row of a name.
func (r *Raw) coding() (rawCoding, bool) {
	i := slices.IndexFunc(rawCodings, func(c rawCoding) bool { return c.name == r.Coding })
	if i < 0 {
		return rawCoding{}, false
	}
	return rawCodings[i], true
}

// ParseRaw reads what String writes: a coding, a rate and perhaps a number of channels.
func ParseRaw(text string) (*Raw, error) {
	coding, numbers, ok := strings.Cut(text, "@")
	rate, channels, several := strings.Cut(numbers, "x")
	if !several {
		channels = "1"
	}
	hertz, err := strconv.ParseUint(rate, 10, 31)
	count, wrong := strconv.ParseUint(channels, 10, 31)
	if !ok || err != nil || wrong != nil {
		return nil, fmt.Errorf("%.40q is not CODING@RATE or CODING@RATExCHANNELS, as in s16le@16000 or mulaw@8000x2", text)
	}
	r := &Raw{Coding: coding, Rate: int(hertz), Channels: int(count)}
	c, ok := r.coding()
	if !ok {
		var names []string
		for _, c := range rawCodings {
			names = append(names, c.name)
		}
		return nil, fmt.Errorf("%.40q is no coding of samples: %s", coding, strings.Join(names, ", "))
	}
	info := Info{Rate: r.Rate, Channels: r.Channels, Bits: c.bits}
	if err := info.check("raw", encodings[c.tag]); err != nil {
		return nil, err
	}
	return r, nil
}

// String is coding, rate and channels, one way for each.
func (r *Raw) String() string {
	if r.Channels == 1 {
		return fmt.Sprintf("%s@%d", r.Coding, r.Rate)
	}
	return fmt.Sprintf("%s@%dx%d", r.Coding, r.Rate, r.Channels)
}

// Key is what belongs into the key of such a file.
func (r *Raw) Key() string { return rawVersion + " " + r.String() }

// RawName reports whether a file's name is of one without a header. Nothing else tells it.
func RawName(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".raw" || ext == ".pcm"
}

// format is the row that such files have instead of one of the table.
func (r *Raw) format() Format {
	return Format{Name: "raw", Title: "Raw PCM", Version: rawVersion, header: r.read}
}

// read finds the samples: they are the file. What begins as a file with a header is refused, as its name is wrong; only
// beginnings of four letters count, which samples do not have by chance.
func (r *Raw) read(in io.ReadSeeker, size int64) (stored, Info, error) {
	c, ok := r.coding()
	if !ok {
		return stored{}, Info{}, Errorf(ErrUnsupported, "%s is no coding of samples", r.Coding)
	}
	s := stored{title: "Raw PCM", dataSize: size, encoding: encodings[c.tag], big: c.big, signed: c.signed}
	info := Info{Format: "raw", Rate: r.Rate, Channels: r.Channels, Bits: c.bits}
	head := make([]byte, min(size, headBytes))
	if err := readAt(in, 0, head); err != nil {
		return s, info, err
	}
	if len(head) >= 4 && slices.Contains([]string{"RIFF", "RIFX", "RF64", "BW64", "fLaC", "OggS", "FORM", "NIST", "caff", ".snd"}, string(head[:4])) {
		return s, info, Errorf(ErrHeader, "Raw PCM file begins with %q, as a file with a header does: give it the extension of one", head[:4])
	}
	frame := int64(r.Channels * c.bits / 8)
	if size%frame != 0 {
		return s, info, Errorf(ErrLength, "Raw PCM file has %s bytes, which are no whole number of samples of %d bytes (%s): it is cut, or raw_audio is wrong",
			commas(size), frame, r)
	}
	return s, info, s.take(size/frame, &info)
}

// FormatOf is the function of that name, for files that may be raw.
func (l Limits) FormatOf(r io.ReadSeeker, size int64) (Format, bool, error) {
	if l.Raw != nil {
		return l.Raw.format(), true, nil
	}
	return FormatOf(r, size)
}
