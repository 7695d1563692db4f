package audio

import (
	"slices"

	"voxpack/audio/codec"
)

// framing says where the frames of a clip lie: frame f is the nfft samples from f × hop - pad on.
type framing struct {
	nfft, hop, pad int
	skip           int    // samples of the padded end that no frame may reach into
	mode           string // what stands before and after the clip: a name of padModes
}

// The ways to fill the padding, as torch.nn.functional.pad and numpy.pad have them: the clip mirrored
// without its edge sample, silence, or the edge sample repeated.
const (
	PadReflect  = "reflect"
	PadConstant = "constant"
	PadEdge     = "edge"
)

var padModes = []string{PadReflect, PadConstant, PadEdge}

// minSamples is the shortest clip that gives a frame: a reflection takes pad samples beside the edge
// sample, and the padded clip must fill one transform.
func (f framing) minSamples() int {
	need := 1
	if f.mode == PadReflect {
		need = f.pad + 1
	}
	return max(need, f.nfft+f.skip-2*f.pad)
}

// frames is the number of frames of a clip: 0 below minSamples, else 1 + (samples + 2 pad - skip - nfft)
// div hop.
func (f framing) frames(samples int64) int {
	if samples < int64(f.minSamples()) {
		return 0
	}
	return int(1 + (samples+int64(2*f.pad-f.skip-f.nfft))/int64(f.hop))
}

// read writes the samples from start on to dst; start may lie before the clip, and the end after it.
func (f framing) read(dst []float32, from clip, start int) {
	n := from.len()
	first, end := min(max(0, -start), len(dst)), min(max(0, n-start), len(dst)) // of dst, what lies in the clip
	if first = min(first, end); first < end {
		from.put(dst[first:end], start+first)
	}
	outside := func(i, end int) {
		for ; i < end; i++ {
			if at := f.stand(start+i, n-1); at < 0 {
				dst[i] = 0
			} else {
				from.put(dst[i:i+1], at)
			}
		}
	}
	outside(0, first)
	outside(end, len(dst))
}

// stand is the number of the sample that takes the place of one outside the clip, -1 for silence. last
// is the clip's last sample. A reflection leaves out the edge sample: the clip a b c d goes on as c b.
func (f framing) stand(at, last int) int {
	switch f.mode {
	case PadConstant:
		return -1
	case PadEdge:
		return min(max(at, 0), last)
	}
	at = max(at, -at)
	return min(at, 2*last-at)
}

// clip is the samples of a clip, in one of two forms.
type clip struct {
	pcm    []float32
	stored []byte // as 16-bit WAV has them; nil: pcm counts
}

func (c clip) len() int {
	if c.stored != nil {
		return len(c.stored) / 2
	}
	return len(c.pcm)
}

// put writes the samples from one on to dst.
func (c clip) put(dst []float32, from int) {
	if c.stored != nil {
		codec.Int16(dst, c.stored[2*from:])
		return
	}
	copy(dst, c.pcm[from:])
}

func knownPadMode(mode string) bool { return slices.Contains(padModes, mode) }
