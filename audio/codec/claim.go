package codec

import "io"

// Claim is what a file says that decoding it gives, without the decoding: FLAC by its header, MP3 by the
// headers of its frames, Vorbis by the sizes of its blocks, MP4 by its tables, which say what ffmpeg gives. It
// takes a hundredth of the time. Of a damaged file it is wrong, so that it counts for nothing until Decode, or
// ffmpeg, gives the same. false: the file tells too little or nothing that could be right, or it is of another
// format; then Probe tells. The errors are those of r.
func (l Limits) Claim(r io.ReadSeeker, size int64, part Part) (Info, bool, error) {
	f, known, err := FormatOf(r, size)
	if err != nil || !known || f.claim == nil {
		return Info{}, false, err
	}
	file, err := f.forClaim(r, size)
	if err != nil {
		return Info{}, false, err
	}
	info, fault := f.claim(file, l)
	if fault == nil {
		_, info.Samples, fault = part.span(info.Samples, info.Rate)
	}
	return info, fault == nil && l.Channel <= info.Channels, nil
}

// Header is ProbePart of a file that stores its samples (Format.HeaderOnly) without reading them. sure: they are
// integers, so that ProbePart says the same; of floats and ADPCM the header tells neither whether they are sound nor
// Info.Over.
func (l Limits) Header(r io.ReadSeeker, size int64, part Part) (info Info, sure bool, err error) {
	f, err := l.formatToRead(r, size)
	if err != nil || f.header == nil {
		return Info{}, false, err
	}
	s, info, _, err := l.probePart(f, r, size, part)
	return info, err == nil && s.adpcm == nil && !s.encoding.float, err
}

// forClaim reads what a claim is made of.
func (f Format) forClaim(r io.ReadSeeker, size int64) (file []byte, err error) {
	if f.claimHead {
		file, _, err = readHead(r, size)
		return file, err
	}
	return readFile(r, size)
}
