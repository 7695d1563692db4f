package codec

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// standardFLAC are the files of RFC 9639, appendix D, in hexadecimal: verbatim samples; a difference of channels, fixed predictors,
// tags and padding; a linear predictor over 8 bits.
var standardFLAC = map[string]string{
	"D.1": `664c6143800000221000100000000f00 000f0ac442f0000000013e84b41807dc 690307586a3dad1a2e0ffff869180000 bf0358fd03128baa9a`,
	"D.2": `664c6143000000220010001000001700 00440ac442f000000013d5b0564975e9 8b8d8b930422757b8103030000120000 00000000000000000000000000000010
		0400003a200000007265666572656e63 65206c6962464c414320312e332e3320 3230313930383034010000000e000000 5449544c453dd7a9d79cd795d79d8100
		0006000000000000fff86998000f9912 086701623d1442998f5df70d6fe00c17 caeb21000ee7a77a24a1590c1217b603 097b784faa9a33d285e070ad5b1b4851
		b4010d99d2cd1a68f1e6b810fff86918 0102a402c382c40bc14a03ee48dd03b6 7c1330`,
	"D.3": `664c6143800000221000100000001f00 001f07d0007000000018f8f9e396f5cb cfc6dc807f9977906b32fff868020017 e944004f6f313d1047d227cb6d090831
		452bdc28222280 57a3`,
}

func standardFile(t *testing.T, name string) []byte {
	t.Helper()
	file, err := hex.DecodeString(strings.Join(strings.Fields(standardFLAC[name]), ""))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFLACOfTheStandard decodes them. Each holds the MD5 of its samples, which the decoder compares; the samples of the first and the
// third are those that the text works out by hand.
func TestFLACOfTheStandard(t *testing.T) {
	mean := float32(25588+10416) / 2 / 32768
	lpc := []float32{0, 79, 111, 78, 8, -61, -90, -68, -13, 42, 67, 53, 13, -27, -46, -38, -12, 14, 24, 19, 6, -4, -5, 0}
	for i := range lpc {
		lpc[i] /= 128
	}
	for _, c := range []struct {
		name string
		info Info
		pcm  []float32 // nil: the MD5 alone
	}{
		{"D.1", Info{Format: "flac", Rate: 44100, Channels: 2, Bits: 16, Samples: 1}, []float32{mean}},
		{"D.2", Info{Format: "flac", Rate: 44100, Channels: 2, Bits: 16, Samples: 19}, nil},
		{"D.3", Info{Format: "flac", Rate: 32000, Channels: 1, Bits: 8, Samples: 24}, lpc},
	} {
		pcm, info, err := Limits{}.DecodeBytes(nil, standardFile(t, c.name))
		if err != nil || info != c.info || int64(len(pcm)) != c.info.Samples || c.pcm != nil && !slices.Equal(pcm, c.pcm) {
			t.Errorf("%s: %v, %+v, %v; want %v, %+v", c.name, pcm, info, err, c.pcm, c.info)
		}
	}
}

// TestFLACFindsAnyFlippedBit: every bit of STREAMINFO that says something of the samples, and of the frames, is under a checksum. The
// sizes of blocks and frames are hints that are not needed, and so is the number of samples, 0 for not said: the MD5 holds them too.
func TestFLACFindsAnyFlippedBit(t *testing.T) {
	for _, name := range []string{"D.1", "D.2", "D.3"} {
		file := standardFile(t, name)
		frames := bytes.Index(file, []byte{0xff, 0xf8})
		for bit := range 8 * len(file) {
			if at := bit / 8; at >= 4 && at < 18 || at >= 42 && at < frames || name == "D.1" && bit == 25*8+7 { // 1 sample becomes 0
				continue
			}
			damaged := bytes.Clone(file)
			damaged[bit/8] ^= 0x80 >> (bit % 8)
			if pcm, info, err := (Limits{}).DecodeBytes(nil, damaged); err == nil {
				t.Errorf("%s with bit %d of byte %d flipped decodes to %d samples, %+v", name, bit%8, bit/8, len(pcm), info)
			}
		}
	}
}
