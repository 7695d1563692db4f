package extra

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"voxpack/audio"
	"voxpack/gpufeed/stats"
	"voxpack/store"
)

// Piece computes the mels of crops. Several goroutines use it.
type Piece struct {
	config audio.MelConfig
	idle   sync.Pool // of *pieceWork
}

// pieceWork is what one goroutine needs.
type pieceWork struct {
	mel    *audio.Mel
	values []float32
	bytes  []byte // before they are normalised
}

// NewPiece computes the mels that a column has of whole clips for crops of a number of frames.
func NewPiece(root *store.Root, of string, segment int) (*Piece, error) {
	c, err := melOf(root, of)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", piecePrefix, of, err)
	}
	mel, err := audio.NewMel(c)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", piecePrefix, of, err)
	}
	if n := segment * c.HopLength; segment > 0 && n < mel.MinSamples() {
		return nil, fmt.Errorf("%s%s: a segment of %d frames has %d samples; the mel needs %d", piecePrefix, of, segment, n, mel.MinSamples())
	}
	p := &Piece{config: c}
	p.idle.Put(&pieceWork{mel: mel})
	return p, nil
}

// melOf is how a column's mel was made: that of the dataset, or one that is made of the sound as it is.
func melOf(root *store.Root, of string) (c audio.MelConfig, err error) {
	if c, err = audio.ParseMel(root.Setting); err != nil {
		return c, fmt.Errorf("%w: %w", err, store.ErrDamaged)
	}
	c.PadMode, c.Precision = root.Setting("pad_mode"), root.Setting("precision")
	switch {
	case root.Setting("mel_norms") != "":
		return c, errors.New("the store has not the numbers of mel_norms, only their digest")
	case of == "mel":
		return c.WithDefaults(), nil
	}
	setting, isMel := strings.CutPrefix(root.Setting(store.ColumnSetting+of), "length mel_len, feature mel, ")
	if _, err := fmt.Sscanf(strings.ReplaceAll(setting, ",", ""), "n_mels %d fmin %g fmax %g", &c.NMels, &c.FMin, &c.FMax); !isMel || err != nil {
		return c, fmt.Errorf("%s is no mel that is made of the sound: feature: mel", of)
	}
	return c.WithDefaults(), nil
}

// Put writes the mel of some samples, as they lie in the store, in a type, and normalised if norm is not nil.
func (p *Piece) Put(dst []byte, dtype store.DType, norm *stats.Norm, samples []byte) {
	w, _ := p.idle.Get().(*pieceWork)
	if w == nil {
		mel, err := audio.NewMel(p.config)
		if err != nil {
			panic(err) // NewPiece made one
		}
		w = &pieceWork{mel: mel}
	}
	defer p.idle.Put(w)
	out := dst
	if norm != nil {
		w.bytes = slices.Grow(w.bytes[:0], len(dst))[:len(dst)]
		out = w.bytes
	}
	values, direct := audio.Float32View(out)
	if direct = direct && dtype == store.Float32; !direct {
		w.values = slices.Grow(w.values[:0], len(dst)/dtype.Size())[:len(dst)/dtype.Size()]
		values = w.values
	}
	clear(values)
	w.mel.ComputeStored(values, samples)
	switch {
	case direct:
	case dtype == store.Float16:
		audio.PutFloat16(out, values)
	case dtype == store.BFloat16:
		audio.PutBFloat16(out, values)
	default:
		audio.PutFloat32(out, values)
	}
	if norm != nil {
		norm.Put(dst, out)
	}
}
