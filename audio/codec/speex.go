package codec

import "encoding/binary"

// claimSpeex counts the packets of Speex in Ogg, which ffmpeg decodes. The first one is a header (The Speex Codec Manual,
// 7.3): in words of 32 bits, the lowest byte first, from byte 36 on the rate, at 48 the channels, at 56 the samples of a
// frame, at 64 the frames of a packet, at 68 how many headers follow the comments.
func claimSpeex(file []byte, l Limits) (Info, error) {
	o := oggReader{b: file}
	p, err := o.next()
	if err != nil || len(p.data) < 80 {
		return Info{}, errNoClaim
	}
	word := func(at int) int64 { return int64(binary.LittleEndian.Uint32(p.data[at:])) }
	info := Info{Format: "speex", Rate: int(word(36)), Channels: int(word(48))}
	samples, headers := word(56)*word(64), 1+word(68)
	if samples < 1 || samples > 1<<16 || headers > 1<<8 {
		return Info{}, errNoClaim
	}
	for n := int64(0); ; n++ {
		p, err := o.next()
		switch {
		case err != nil:
			return Info{}, errNoClaim
		case p.data == nil:
			return info, checkClaim(info, l)
		case n >= headers:
			info.Samples += samples
		}
	}
}
