package audio

import (
	"bytes"
	"testing"
)

func FuzzWAV(f *testing.F) {
	for _, w := range []wavFile{
		{data: []byte{1, 2, 3, 4}},
		{bits: 8, channels: 3, data: make([]byte, 9), after: append([]byte{0}, chunk("LIST", "abc")...)},
		{bits: 24, tag: tagExtensible, extra: extensible(20, tagPCM), data: make([]byte, 6)},
		{bits: 32, tag: tagFloat, data: make([]byte, 8)},
		{before: chunk("JUNK", "odd"), data: make([]byte, 6), dataSize: 0xFFFFFFFF},
		{fmtSize: 1 << 30, data: make([]byte, 6)},
	} {
		f.Add(w.bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		size := int64(len(b))
		info, probeErr := Probe(bytes.NewReader(b), size)
		pcm, decoded, err := Decode(nil, bytes.NewReader(b), size)
		if (probeErr == nil) != (err == nil) || info != decoded {
			t.Fatalf("Probe: %+v, %v; Decode: %+v, %v", info, probeErr, decoded, err)
		}
		if err != nil {
			if err.Error() != probeErr.Error() || err.Error() == "" || pcm != nil {
				t.Fatalf("Decode says %v and %d samples, Probe %v", err, len(pcm), probeErr)
			}
			return
		}
		if info.Samples < 1 || int64(len(pcm)) != info.Samples || info.Samples*int64(info.Channels*info.Bits/8) > size {
			t.Fatalf("%+v, %d samples out of %d bytes", info, len(pcm), size)
		}
		if int64(cap(pcm)) > 2*info.Samples+1024 { // a size class of the allocator at most
			t.Fatalf("room for %d samples where %d were read", cap(pcm), info.Samples)
		}
		for i, v := range pcm {
			if !(v >= -1 && v < 1) {
				t.Fatalf("sample %d = %g", i, v)
			}
		}
	})
}
