package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Tags as other programs write them at the end of a recording.
func id3v1() []byte {
	return append([]byte("TAGtitle"), make([]byte, id3v1Size-8)...)
}

func ape(header bool) []byte {
	block := func(name string, size, flags uint32) []byte {
		b := append([]byte(name), 0xd0, 0x07, 0, 0) // version 2.000
		for _, v := range []uint32{size, 1, flags, 0, 0} {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return b
	}
	item := append([]byte{3, 0, 0, 0, 0, 0, 0, 0}, "Title\x00abc"...)
	size, flags := uint32(len(item)+apeFooter), uint32(0)
	var b []byte
	if header {
		flags = 1 << 31
		b = block("APETAGEX", size, flags|1<<29)
	}
	return append(append(b, item...), block("APETAGEX", size, flags)...)
}

func lyrics3v1() []byte { return []byte("LYRICSBEGIN[00:01]la la laLYRICSEND") }

func lyrics3v2() []byte {
	fields := "IND00002" + "00" + "LYR00005la la"
	return fmt.Appendf(nil, "LYRICSBEGIN%s%06dLYRICS200", fields, len("LYRICSBEGIN")+len(fields))
}

// id3v2 is a tag with a footer, which stands at the end of a file.
func id3v2(footer bool) []byte {
	b := []byte{'I', 'D', '3', 4, 0, 0, 0, 0, 0, 20}
	if footer {
		b[5] = 0x10
	}
	b = append(b, make([]byte, 20)...)
	if footer {
		b = append(append(b, "3DI"...), b[3:10]...)
	}
	return b
}

func TestTagsAreNoSamples(t *testing.T) {
	tags := map[string][]byte{"ID3v1": id3v1(), "APE": ape(false), "APE with a header": ape(true), "Lyrics3 v1": lyrics3v1(), "Lyrics3 v2": lyrics3v2(),
		"ID3v2": id3v2(false), "ID3v2 with a footer": id3v2(true), "nothing": nil, "a zero": {0}, "zeros": make([]byte, mostTail)}
	for name, tag := range tags {
		if !isTail(tag) {
			t.Errorf("%s is taken for something else", name)
		}
		if isTail(append([]byte("what is no tag and no zero: a sample"), tag...)) {
			t.Errorf("samples before %s are taken for a part of it", name)
		}
		for _, other := range []string{"ID3v1", "APE", "APE with a header", "Lyrics3 v1", "Lyrics3 v2", "ID3v2 with a footer"} { // the end tells these
			second := tags[other]
			if both := slices.Concat(tag, second); !isTail(both) && len(both) <= mostTail {
				t.Errorf("%s, then %s, is taken for something else", name, other)
			}
		}
		if len(tag) > 0 && tag[0] != 0 && name != "APE with a header" && name != "ID3v2" && isTail(tag[:len(tag)-1]) {
			t.Errorf("%s without its last byte is taken for a tag", name)
		}
	}
	if isTail(make([]byte, mostTail+1)) {
		t.Error("more zeros than pages have are taken for padding")
	}
}

// TestTagsAfterEveryFormat: a tag costs no sample and adds none.
func TestTagsAfterEveryFormat(t *testing.T) {
	for _, name := range []string{"mono16.wav", "mono16.flac", "mono.mp3", "mono.ogg", "mono.opus", "high.aac"} {
		file := readEncoded(t, name)
		want, _, err := Limits{}.DecodeBytes(nil, file)
		if err != nil {
			t.Fatal(err)
		}
		for tag, b := range map[string][]byte{"ID3v1": id3v1(), "APE": ape(true), "Lyrics3": slices.Concat(lyrics3v2(), id3v1())} {
			if got, _, err := (Limits{}).DecodeBytes(nil, slices.Concat(file, b)); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s with %s: %d samples, %v; want the %d without it", name, tag, len(got), err, len(want))
			}
		}
	}
}

// TestFormatsAreTold: by the first bytes of a file, never by its name, with a tag before them or not.
func TestFormatsAreTold(t *testing.T) {
	page := func(packet string) []byte {
		return append(append([]byte("OggS\x00\x02"), make([]byte, 20)...), append([]byte{1, byte(len(packet))}, packet...)...)
	}
	for want, head := range map[string][]byte{
		"wav": []byte("RIFF\x00\x00\x00\x00WAVEfmt "), "flac": readEncoded(t, "mono16.flac"), "mp3": readEncoded(t, "mono.mp3"), "vorbis": readEncoded(t, "mono.ogg"),
		"opus": readEncoded(t, "mono.opus"), "mp2": {0xff, 0xfd, 0x84, 0x00}, "speex": page("Speex   1.2"), "oggflac": page("\x7fFLAC\x01\x00"), "sphere": []byte("NIST_1A\n   1024\n"),
		"aiff": []byte("FORM\x00\x00\x00\x00AIFF"), "mp4": []byte("\x00\x00\x00\x20ftypM4A "), "matroska": []byte("\x1a\x45\xdf\xa3\x01"),
		"wma": []byte("\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9"), "caf": []byte("caff\x00\x01"), "au": []byte(".snd\x00\x00\x00\x18"), "amr": []byte("#!AMR\n"),
		"aac": {0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc},
	} {
		for tag, file := range map[string][]byte{"": head, "a tag": slices.Concat(id3v2(false), head), "two tags": slices.Concat(id3v2(true), id3v2(false), head)} {
			f, ok, err := FormatOf(bytes.NewReader(file), int64(len(file)))
			if err != nil || !ok || f.Name != want {
				t.Errorf("%s after %q is %q, %v, %v", want, tag, f.Name, ok, err)
			}
			if known, ok := FormatByName(want); !ok || known.Title == "" || f.Version != "" && known.Title != f.Title {
				t.Errorf("%s is not in the table: %+v", want, known)
			}
		}
		if f, _, _ := FormatOf(bytes.NewReader(head), int64(len(head))); f.Version == "" {
			if _, _, err := (Limits{}).DecodeBytes(nil, head); !errors.Is(err, ErrForeign) {
				t.Errorf("%s: %v, want that ffmpeg reads it", want, err)
			}
		}
	}
	for _, f := range []string{"", "R", "text that is no recording", "OggS", "\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if got, ok, err := FormatOf(bytes.NewReader([]byte(f)), int64(len(f))); ok || err != nil {
			t.Errorf("%q is %q, %v", f, got.Name, err)
		}
	}
	if _, ok := FormatByName("midi"); ok || len(Formats()) != 20 {
		t.Errorf("there are %d formats", len(Formats()))
	}
}
