package codec

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// Part is a stretch of a file, at the file's own rate rounded to whole samples.
type Part struct {
	From   time.Duration
	Length time.Duration // 0: to the end of the file
}

// slack is how far a part may end after its file, where it is cut off: manifests give times rounded to
// 10 ms, and those of encoders that pad by a frame are off by up to 2,304 samples.
const slack = 100 * time.Millisecond

// endless lifts the limit of length for a file of which only a part is decoded; what Limits.Samples
// counts in stays far from overflow.
const endless = 100 * 365 * 24 * time.Hour

// span is the first sample of a part and how many there are. Both ends are rounded to the nearest sample
// by themselves, so that parts that meet in time share no sample and leave none out. Seconds and the rest
// are multiplied apart: 100 years in ns times a rate would overflow.
func (p Part) span(samples int64, rate int) (first, n int64, err error) {
	at := func(d time.Duration) int64 {
		seconds, rest := int64(d/time.Second), int64(d%time.Second)
		return seconds*int64(rate) + (rest*int64(rate)+int64(time.Second)/2)/int64(time.Second)
	}
	first, end := at(p.From), samples
	if p.Length > 0 {
		end = at(p.From + p.Length)
	}
	have := time.Duration(samples * 1000 / int64(rate) * int64(time.Millisecond))
	switch {
	case p.From < 0 || p.Length < 0 || p.From > endless || p.Length > endless:
		return 0, 0, Errorf(ErrHeader, "a part from %v of length %v cannot be", p.From, p.Length)
	case first >= samples:
		return 0, 0, Errorf(ErrEmpty, "the part begins at %v, the file has %v", p.From, have)
	case end > samples+at(slack):
		return 0, 0, Errorf(ErrHeader, "the part ends at %v, the file has %v", p.From+p.Length, have)
	}
	end = min(end, samples)
	if end == first {
		return 0, 0, Errorf(ErrEmpty, "the part from %v of length %v holds no sample", p.From, p.Length)
	}
	return first, end - first, nil
}

// DecodePart is Decode of a stretch of a file; Info.Samples is that of the stretch. Of a file that stores
// its samples it reads no more than the header and the stretch, and the limit holds for the stretch; any
// other is decoded whole, within the limit.
func (l Limits) DecodePart(dst []float32, r io.ReadSeeker, size int64, part Part) ([]float32, Info, error) {
	f, err := l.formatToRead(r, size)
	if err != nil {
		return dst, Info{}, err
	}
	if f.header == nil {
		pcm, info, err := l.decodePart(f, dst[:0], r, size, part, true)
		if err != nil {
			return dst, Info{}, err
		}
		return pcm, info, nil
	}
	s, info, first, err := l.probePart(f, r, size, part)
	if err != nil {
		return dst, Info{}, err
	}
	// The stretch is within the limit and within the file, so its header may be trusted with the memory.
	pcm := slices.Grow(dst[:0], int(info.Samples))[:info.Samples]
	if err := s.read(r, &info, first, func(at, n int) []float32 { return pcm[at:][:n] }); err != nil {
		return dst, Info{}, err
	}
	return pcm, info, nil
}

// ProbePart is Probe of a stretch of a file.
func (l Limits) ProbePart(r io.ReadSeeker, size int64, part Part) (Info, error) {
	f, err := l.formatToRead(r, size)
	if err != nil {
		return Info{}, err
	}
	if f.header == nil {
		_, info, err := l.decodePart(f, nil, r, size, part, false)
		return info, err
	}
	s, info, first, err := l.probePart(f, r, size, part)
	if err != nil {
		return Info{}, err
	}
	return s.survey(r, info, first)
}

// formatToRead is FormatOf; what is of no format is left to the reader of WAV, which says why it is none.
func (l Limits) formatToRead(r io.ReadSeeker, size int64) (Format, error) {
	f, ok, err := l.FormatOf(r, size)
	if err != nil {
		return Format{}, fmt.Errorf("audio header: %w", err)
	}
	if !ok {
		f = formats[0]
	}
	return f, nil
}

// decodePart decodes a file that does not store its samples, and keeps the part of it or only counts. The
// limit has held for the whole, and so for the part.
func (l Limits) decodePart(f Format, dst []float32, r io.ReadSeeker, size int64, part Part, keep bool) ([]float32, Info, error) {
	if f.decode == nil {
		return nil, Info{}, f.foreign()
	}
	file, err := readFile(r, size)
	if err != nil {
		return nil, Info{}, err
	}
	pcm, info, err := f.decode(dst, file, l, keep)
	if err != nil {
		return nil, Info{}, err
	}
	first, n, err := part.span(info.Samples, info.Rate)
	if err != nil {
		return nil, Info{}, err
	}
	if keep && n < info.Samples {
		pcm = pcm[:copy(pcm, pcm[first:first+n])]
	}
	info.Samples = n
	return pcm, info, nil
}

// probePart is probe for a part, which alone counts for the limit, and whose first sample it returns.
func (l Limits) probePart(f Format, r io.ReadSeeker, size int64, part Part) (s stored, info Info, first int64, err error) {
	if s, info, err = (Limits{MaxClip: endless, Channel: l.Channel}).probe(f, r, size); err == nil {
		first, info.Samples, err = part.span(info.Samples, info.Rate)
	}
	if err == nil {
		err = l.Check(s.title, info.Samples, info.Rate)
	}
	return s, info, first, err
}
