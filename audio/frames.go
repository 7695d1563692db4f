package audio

import "slices"

// framing says where the frames of a clip lie: frame f is the nfft samples from f × hop - pad on.
type framing struct {
	nfft, hop, pad int
	mode           string // what stands before and behind the clip: a name of padModes
}

// The ways to fill the padding, as torch.nn.functional.pad and numpy.pad have them: the clip mirrored without its edge sample,
// silence, or the edge sample repeated.
const (
	PadReflect  = "reflect"
	PadConstant = "constant"
	PadEdge     = "edge"
)

var padModes = []string{PadReflect, PadConstant, PadEdge}

// minSamples is the shortest clip that gives a frame: a reflection takes pad samples beside the edge sample, and the padded clip
// must fill one transform.
func (f framing) minSamples() int {
	need := 1
	if f.mode == PadReflect {
		need = f.pad + 1
	}
	return max(need, f.nfft-2*f.pad)
}

// frames is the number of frames of a clip: 0 below minSamples, else 1 + (samples + 2 pad - nfft) div hop.
func (f framing) frames(samples int64) int {
	if samples < int64(f.minSamples()) {
		return 0
	}
	return int(1 + (samples+int64(2*f.pad-f.nfft))/int64(f.hop))
}

// read writes the samples from start on to dst; start may lie before the clip, and the end behind it.
func (f framing) read(dst, pcm []float32, start int) {
	last := len(pcm) - 1
	for i := range dst {
		at := start + i
		switch {
		case at >= 0 && at <= last:
		case f.mode == PadConstant:
			dst[i] = 0
			continue
		case f.mode == PadEdge:
			at = min(max(at, 0), last)
		default:
			at = max(at, -at)
			at = min(at, 2*last-at)
		}
		dst[i] = pcm[at]
	}
}

func knownPadMode(mode string) bool { return slices.Contains(padModes, mode) }
