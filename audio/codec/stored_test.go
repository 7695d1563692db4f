package codec

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestStoredFindsWhatDecodeDecodes holds it to DecodeBytes, and to plain files.
func TestStoredFindsWhatDecodeDecodes(t *testing.T) {
	for _, c := range []struct {
		name           string
		tag            uint16
		channels, bits int
		want           bool
	}{{"one channel of 16 bits", tagPCM, 1, 16, true}, {"two channels", tagPCM, 2, 16, false}, {"8 bits", tagPCM, 1, 8, false},
		{"24 bits", tagPCM, 1, 24, false}, {"floats", tagFloat, 1, 32, false}, {"A-law", tagALaw, 1, 8, false}} {
		file := wavOf(c.tag, c.channels, c.bits, bytes.Repeat([]byte{1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0}, 20))
		pcm, want, err := Limits{}.DecodeBytes(nil, file)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		stored, info, ok := Limits{}.Stored(file)
		if ok != c.want || ok && (info != want || len(stored) != 2*len(pcm)) {
			t.Errorf("%s: Stored = %d bytes, %+v, %v; want %v", c.name, len(stored), info, ok, c.want)
		}
		for i := range len(stored) / 2 {
			if got := float32(int16(binary.LittleEndian.Uint16(stored[2*i:]))) / 32768; got != pcm[i] {
				t.Fatalf("%s: sample %d is %v, want %v", c.name, i, got, pcm[i])
			}
		}
		if _, _, ok := (Limits{}).Stored(file[:30]); ok {
			t.Errorf("%s: a file cut short is taken", c.name)
		}
	}
	if _, _, ok := (Limits{}).Stored([]byte("fLaC and so on")); ok {
		t.Error("a FLAC file is taken")
	}
}

// wavOf is a WAV file of the given kind, at 22,050 Hz.
func wavOf(tag uint16, channels, bits int, data []byte) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("RIFF"), uint32(36+len(data)))
	b = le.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = le.AppendUint16(le.AppendUint16(b, tag), uint16(channels))
	b = le.AppendUint32(le.AppendUint32(b, 22050), uint32(22050*channels*bits/8))
	b = le.AppendUint16(le.AppendUint16(b, uint16(channels*bits/8)), uint16(bits))
	b = le.AppendUint32(append(b, "data"...), uint32(len(data)))
	return append(b, data...)
}
