package codec

// layer2Rates are the bit rates of MPEG audio Layer II in kbit/s, of MPEG-1 and of MPEG-2 (ISO/IEC 11172-3 and
// 13818-3, 2.4.2.3); 0: a free one.
var layer2Rates = [2][15]int{
	{0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

// claimLayer2 counts the frames of Layer II, which ffmpeg decodes, all of one kind, from the first byte to the
// last but a tag's. Each has 1,152 samples.
func claimLayer2(file []byte, l Limits) (Info, error) {
	info := Info{Format: "mp2"}
	b := file[skipID3(file):]
	if len(b) >= 128 && string(b[len(b)-128:][:3]) == "TAG" {
		b = b[:len(b)-128]
	}
	if len(b) < 4 || b[1]&0xf6 != 0xf4 { // MPEG-1 or MPEG-2, Layer II
		return Info{}, errNoClaim
	}
	second, code, mono := b[1]&0xfe, b[2]>>2&3, b[3]>>6 == 3
	older := 1 - int(second>>3&1) // MPEG-2: half the rate
	if code == 3 {
		return Info{}, errNoClaim
	}
	info.Rate = []int{44100, 48000, 32000}[code] >> older
	if info.Channels = 2; mono {
		info.Channels = 1
	}
	for len(b) > 0 {
		if len(b) < 4 || b[0] != 0xff || b[1]&0xfe != second || b[2]>>2&3 != code || b[3]>>6 == 3 != mono || b[2]>>4 == 15 {
			return Info{}, errNoClaim
		}
		size := 144_000*layer2Rates[older][b[2]>>4]/info.Rate + int(b[2]>>1&1)
		if size < 4 || size > len(b) {
			return Info{}, errNoClaim
		}
		info.Samples += 1152
		b = b[size:]
	}
	return info, checkClaim(info, l)
}
