package codec

import "bytes"

// amrSizes are the bytes of a frame by its mode, its first byte included (RFC 4867, 5.3; 3GPP TS 26.101, table 1a, and
// TS 26.201, table 1a), of AMR and of AMR-WB. Other modes are comfort noise or nothing.
var amrSizes = [2][]int{{13, 14, 16, 18, 20, 21, 27, 32}, {18, 24, 33, 37, 41, 47, 51, 59, 61}}

// claimAMR counts the frames of AMR and AMR-WB of one channel, which ffmpeg decodes: 20 ms each, all of them speech.
func claimAMR(file []byte, l Limits) (Info, error) {
	info, wide := Info{Format: "amr", Rate: 8000, Channels: 1}, 0
	b, ok := bytes.CutPrefix(file, []byte("#!AMR\n"))
	if !ok {
		info.Rate, wide = 16000, 1
		b, ok = bytes.CutPrefix(file, []byte("#!AMR-WB\n"))
	}
	if !ok {
		return Info{}, errNoClaim
	}
	for len(b) > 0 {
		mode := int(b[0] >> 3)
		if mode >= len(amrSizes[wide]) || b[0]&7 != 4 || amrSizes[wide][mode] > len(b) { // a sound frame, and padding
			return Info{}, errNoClaim
		}
		info.Samples += int64(info.Rate / 50)
		b = b[amrSizes[wide][mode]:]
	}
	return info, checkClaim(info, l)
}
