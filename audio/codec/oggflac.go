package codec

// FLAC in Ogg (RFC 9639, 10.1): the first packet is 0x7f, "FLAC", a version of two bytes, how many packets
// of metadata follow, and the start of a native file, "fLaC" and STREAMINFO. Every packet of audio is a
// frame. So the packets joined are a native file.

// nativeFLAC is the native file in an Ogg file.
func nativeFLAC(file []byte) ([]byte, error) {
	o := oggReader{b: file}
	var native []byte
	for first := true; ; first = false {
		p, err := o.next()
		if err != nil {
			return nil, err
		}
		if p.data == nil {
			return native, o.rest("Ogg FLAC")
		}
		if !first {
			native = append(native, p.data...)
			continue
		}
		if len(p.data) < 13 || p.data[5] != 1 || string(p.data[9:13]) != "fLaC" {
			return nil, Errorf(ErrHeader, "Ogg FLAC header is of another version than 1, or cut")
		}
		native = append(make([]byte, 0, len(file)), p.data[9:]...)
	}
}

func decodeOggFLAC(dst []float32, file []byte, l Limits, keep bool) ([]float32, Info, error) {
	native, err := nativeFLAC(file)
	if err != nil {
		return nil, Info{}, err
	}
	pcm, info, err := decodeFLAC(dst, native, l, keep)
	info.Format = "oggflac"
	return pcm, info, err
}

// claimOggFLAC is what STREAMINFO says, in the first page.
func claimOggFLAC(file []byte, l Limits) (Info, error) {
	o := oggReader{b: file}
	p, err := o.next()
	if err != nil {
		return Info{}, err
	}
	if len(p.data) < 13 {
		return Info{}, Errorf(ErrHeader, "Ogg FLAC header is cut")
	}
	info, err := claimFLAC(p.data[9:], l)
	info.Format = "oggflac"
	return info, err
}
