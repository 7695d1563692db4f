package codec

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// NIST SPHERE (the header of SPeech HEader REsources 2.6), in which the LDC publishes: "NIST_1A", the size
// of the header in a line, lines of "name -type value" up to "end_head", then the samples. Of its fields
// the reader needs those below; all others say what the recording is.

// sphereHeader is the most that a header may have; LDC's have 1,024 bytes.
const sphereHeader = 1 << 16

// readSphere finds the samples and what they are.
func readSphere(r io.ReadSeeker, size int64) (stored, Info, error) {
	s, info := stored{title: "NIST SPHERE", encoding: encodings[tagPCM], signed: true}, Info{Format: "sphere", Channels: 1}
	_, at, err := readHead(r, size)
	if err != nil {
		return s, info, err
	}
	b := make([]byte, min(size-at, sphereHeader))
	if err := readAt(r, at, b); err != nil {
		return s, info, err
	}
	fields, header, err := sphereFields(b)
	if err != nil {
		return s, info, err
	}
	width, count := 0, -1
	for _, f := range []struct {
		name string
		to   *int
	}{{"sample_rate", &info.Rate}, {"channel_count", &info.Channels}, {"sample_n_bytes", &width}, {"sample_count", &count}} {
		text, ok := fields[f.name]
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return s, info, Errorf(ErrHeader, "NIST SPHERE header: %s is %q, not a number", f.name, text)
		}
		*f.to = int(n)
	}
	if info.Bits, err = s.spherical(fields, width); err == nil {
		err = info.check(s.title, s.encoding)
	}
	if err != nil {
		return s, info, err
	}
	s.data, s.dataSize = at+int64(header), size-at-int64(header)
	frame := int64(info.Channels * info.Bits / 8)
	samples := int64(count)
	if count < 0 {
		samples = s.dataSize / frame
	}
	if extra := s.dataSize - samples*frame; extra > 0 {
		p := peeker{r: r, size: size}
		if tail, err := p.isTail(size - extra); err != nil {
			return s, info, err
		} else if tail {
			s.dataSize -= extra
		}
	}
	return s, info, s.take(samples, &info)
}

// spherical takes the samples' coding, their size in bytes and the order of these. It gives their bits.
func (s *stored) spherical(fields map[string]string, width int) (bits int, err error) {
	coding := fields["sample_coding"]
	kind, packed, compressed := strings.Cut(coding, ",")
	switch {
	case compressed:
		return 0, Errorf(ErrUnsupported, "NIST SPHERE file is compressed (%s), which is not read: convert it with sph2pipe or w_decode of SPHERE", packed)
	case kind == "" || kind == "pcm" || kind == "linear":
	case kind == "ulaw" || kind == "mu-law":
		s.encoding = encodings[tagMuLaw]
	case kind == "alaw":
		s.encoding = encodings[tagALaw]
	default:
		return 0, Errorf(ErrUnsupported, "NIST SPHERE file of coding %q is not read: convert to WAV or FLAC", coding)
	}
	if width == 0 && s.encoding.law != nil {
		width = 1
	}
	switch order := fields["sample_byte_format"]; {
	case width < 2:
	case order == "10" || order == "3210" || order == "210":
		s.big = true
	case order != "01" && order != "0123" && order != "012":
		return 0, Errorf(ErrHeader, "NIST SPHERE header: the order of %d bytes is %q (sample_byte_format); 01 and 10 are read", width, order)
	}
	return 8 * width, nil
}

// sphereFields reads the header: its fields, and where it ends.
func sphereFields(b []byte) (fields map[string]string, size int, err error) {
	lines := bytes.SplitN(b[:min(len(b), sphereHeader)], []byte("\n"), 3)
	if len(lines) == 3 {
		size, err = strconv.Atoi(strings.TrimSpace(string(lines[1])))
	}
	if len(lines) < 3 || err != nil || size < 16 || size > sphereHeader || size > len(b) {
		return nil, 0, Errorf(ErrHeader, "NIST SPHERE header is cut, or its second line is not its size")
	}
	fields = map[string]string{}
	for line := range bytes.Lines(b[len(lines[0])+len(lines[1])+2 : max(size, len(lines[0])+len(lines[1])+2)]) {
		text := strings.TrimSpace(string(line))
		if text == "end_head" {
			return fields, size, nil
		}
		name, rest, _ := strings.Cut(text, " ")
		kind, value, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if strings.HasPrefix(kind, "-") {
			fields[name] = strings.TrimSpace(value)
		}
	}
	return nil, 0, Errorf(ErrHeader, "NIST SPHERE header of %s bytes has no end_head", commas(int64(size)))
}
