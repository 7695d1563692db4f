package codec

import (
	"bytes"
	"io"
	"slices"
)

// DecodeVersion is the version of the WAV reader: which files are read, conversion to float32,
// averaging of channels. A version is part of every key of an action, so it changes with every change
// of the output's bits, and with nothing else; the golden digests in testdata/golden hold it to its
// output.
//
// The key of a file that is named .wav has this version alone, also where it is RIFX or NIST SPHERE.
//
// It, and the versions of FLAC and Vorbis below, did not change when further files were read: what was
// read before keeps its bits, and no release refused the others, so that no store has to forget a
// refusal. After a release a further kind is a new version.
const DecodeVersion = "decode/1"

// A Format is a kind of audio file, as its first bytes tell it; a file's name says nothing here.
type Format struct {
	Name    string // "wav", "flac", "mp3", "vorbis", …: what Info.Format says
	Title   string // for people: "Ogg Vorbis"
	Version string // of what decodes it here, for keys; "": package codec does not read it, package audio/ffmpeg may

	key       func() string // see Key; nil: Version
	is        func(head []byte) bool
	owns      func(r io.ReadSeeker, size int64) (bool, error)         // nil: all that fit are of this row
	header    func(r io.ReadSeeker, size int64) (stored, Info, error) // of a format that stores its samples
	decode    func(dst []float32, file []byte, l Limits, keep bool) ([]float32, Info, error)
	claim     func(file []byte, l Limits) (Info, error)
	claimHead bool // claim needs no more of the file than headBytes after its tags
}

// Key is what belongs into keys: Version, and of a decoder whose bits depend on how this program was
// compiled, which bits these are.
func (f Format) Key() string {
	if f.key != nil {
		return f.key()
	}
	return f.Version
}

// HeaderOnly says that Probe reads no more than the header, and the samples if they are in floating point.
// Of the other formats it decodes everything and keeps nothing: what their headers claim is not what their
// streams hold. Claim is what they claim, of ffmpeg's formats too.
func (f Format) HeaderOnly() bool { return f.header != nil }

// headBytes is how much of a file tells its format, after tags of other programs.
const headBytes = 64

// formats is the table; the first row whose bytes fit counts. A row with a decoder is what voxpack
// reads by itself.
var formats = []Format{
	{Name: "wav", Title: "WAV", Version: DecodeVersion, is: isWAV, header: readWAV},
	{Name: "wav", Title: "RIFX", Version: DecodeVersion, is: begins(0, "RIFX"), header: readWAV},
	{Name: "flac", Title: "FLAC", Version: "flac/1", is: isFLAC, decode: decodeFLAC, claim: claimFLAC, claimHead: true},
	{Name: "mp3", Title: "MP3", Version: "mp3/2", is: isMP3, decode: decodeMP3, claim: claimMP3},
	{Name: "vorbis", Title: "Ogg Vorbis", Version: "vorbis/1", is: inOgg("\x01vorbis"), decode: decodeVorbis, claim: claimVorbis},
	{Name: "mp2", Title: "MPEG Layer I or II", is: isLayer12, claim: claimLayer2},
	{Name: "opus", Title: "Opus", Version: opusVersion, key: func() string { return opusKey() }, is: inOgg("OpusHead"), decode: decodeOpus, claim: claimOpus},
	{Name: "speex", Title: "Speex", is: inOgg("Speex   "), claim: claimSpeex},
	{Name: "oggflac", Title: "Ogg FLAC", Version: "oggflac/1", is: inOgg("\x7fFLAC"), decode: decodeOggFLAC, claim: claimOggFLAC},
	{Name: "aiff", Title: "AIFF", Version: "aiff/1", is: begins(0, "FORM"), header: readAIFF},
	{Name: "sphere", Title: "NIST SPHERE", Version: "sphere/1", is: begins(0, "NIST_1A"), header: readSphere},
	{Name: "mp4", Title: "MP4", Version: "mp4/1", is: isMP4, owns: ownsMP4, decode: decodeMP4, claim: claimMP4},
	{Name: "mp4", Title: "MP4 of another kind than AAC-LC of one or two channels", is: isMP4, claim: claimMP4},
	{Name: "matroska", Title: "WebM or Matroska", is: begins(0, "\x1a\x45\xdf\xa3")},
	{Name: "wma", Title: "Windows Media", is: begins(0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11")},
	{Name: "caf", Title: "Core Audio", is: begins(0, "caff")},
	{Name: "au", Title: "Sun audio", is: begins(0, ".snd")},
	{Name: "amr", Title: "AMR", is: begins(0, "#!AMR"), claim: claimAMR},
	{Name: "aac", Title: "AAC", Version: "aac/1", is: isADTS, owns: ownsADTS, decode: decodeADTS, claim: claimADTS},
	{Name: "aac", Title: "AAC of another kind than LC of one or two channels", is: isADTS},
}

// Formats returns the table of formats.
func Formats() []Format { return slices.Clone(formats) }

// FormatOf tells a file's format by its first bytes; false: by these it is none of the table. Something
// else may stand before the first frame of an MP3, which is then found by two headers that follow each
// other.
func FormatOf(r io.ReadSeeker, size int64) (Format, bool, error) {
	head, at, err := readHead(r, size)
	if err != nil {
		return Format{}, false, err
	}
	f, ok, err := formatOf(head, r, size)
	if err == nil && !ok {
		window := make([]byte, max(0, min(mp3Search, size-at)))
		if err := readAt(r, at, window); err != nil {
			return Format{}, false, err
		}
		f, ok = formatIn(window)
	}
	return f, ok, err
}

// formatIn tells a format by what follows bytes of none.
func formatIn(window []byte) (Format, bool) {
	if mp3Start(window[:min(mp3Search, len(window))]) == 0 {
		return Format{}, false
	}
	return FormatByName("mp3")
}

func formatOf(head []byte, r io.ReadSeeker, size int64) (Format, bool, error) {
	for _, f := range formats {
		ok := f.is(head)
		if ok && f.owns != nil {
			var err error
			if ok, err = f.owns(r, size); err != nil {
				return Format{}, false, err
			}
		}
		if ok {
			return f, true, nil
		}
	}
	return Format{}, false, nil
}

// FormatByName finds a format by its name.
func FormatByName(name string) (Format, bool) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// isFLAC fits a file's first bytes, or those of a frame if the file has lost its header. A file without
// a FLAC header begins with frame 0: one in 256 headers of AAC has the checksum of a FLAC frame by
// chance.
func isFLAC(head []byte) bool {
	return begins(0, "fLaC")(head) || isFLACFrame(head) && head[4] == 0
}

// isLayer12 fits the header of a frame of the layers that MP3 is not.
func isLayer12(b []byte) bool {
	return len(b) >= 4 && b[0] == 0xff && b[1]&0xe0 == 0xe0 && b[1]&4 != 0 && b[1]&0x18 != 0x08 && b[2]&0xf0 != 0xf0 && b[2]&0x0c != 0x0c
}

// isWAV knows WAV and its relatives, for which the WAV reader has messages of its own.
func isWAV(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	return slices.Contains([]string{"RIFF", "RF64", "BW64"}, string(head[:4]))
}

func begins(at int, magic string) func([]byte) bool {
	return func(head []byte) bool { return len(head) >= at && bytes.HasPrefix(head[at:], []byte(magic)) }
}

// inOgg fits a first Ogg page whose packet begins with magic (RFC 3533, 6: 27 bytes, then the lacing
// values of which there are as many as byte 26 says).
func inOgg(magic string) func([]byte) bool {
	return func(head []byte) bool {
		return len(head) > 27 && string(head[:4]) == "OggS" && begins(27+int(head[26]), magic)(head)
	}
}

func isMP4(head []byte) bool { return begins(4, "ftyp")(head) }

// isADTS fits the frame header of raw AAC (ISO/IEC 13818-7, 6.2): twelve bits of ones, a layer of 0.
func isADTS(head []byte) bool {
	return len(head) >= 7 && head[0] == 0xff && head[1]&0xf6 == 0xf0
}

// readHead returns the first bytes of a file after its ID3v2 tags, fewer than headBytes at its end, and
// where they stand.
func readHead(r io.ReadSeeker, size int64) (head []byte, at int64, err error) {
	var buf [headBytes]byte
	for {
		head := buf[:max(0, min(headBytes, size-at))]
		if err := readAt(r, at, head); err != nil {
			return nil, 0, err
		}
		n := id3Size(head)
		if n == 0 || n > size-at {
			return head, at, nil
		}
		at += n
	}
}

func readAt(r io.ReadSeeker, at int64, b []byte) error {
	if _, err := r.Seek(at, io.SeekStart); err != nil {
		return err
	}
	_, err := io.ReadFull(r, b)
	return err
}

// skipID3 is readHead for a file in memory: where its first byte after ID3v2 tags is.
func skipID3(file []byte) int {
	at := 0
	for {
		n := id3Size(file[at:])
		if n == 0 || n > int64(len(file)-at) {
			return at
		}
		at += int(n)
	}
}

// id3Size is the size of the ID3v2 tag that b begins with, 0 if it begins with none
// (id3v2.4.0-structure, 3.1: a size of four times seven bits, which counts neither the header nor the
// footer of ten bytes each).
func id3Size(b []byte) int64 {
	if len(b) < 10 || string(b[:3]) != "ID3" || b[3] == 0xff || b[4] == 0xff || (b[6]|b[7]|b[8]|b[9])&0x80 != 0 {
		return 0
	}
	n := 10 + int64(b[6])<<21 + int64(b[7])<<14 + int64(b[8])<<7 + int64(b[9])
	if b[5]&0x10 != 0 {
		n += 10
	}
	return n
}
