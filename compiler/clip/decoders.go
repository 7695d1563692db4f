package clip

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"voxpack/audio/codec"
	"voxpack/audio/ffmpeg"
	"voxpack/compiler/intake"
)

// Decoders says who decodes a file: package codec, or an installed ffmpeg, which
// is looked for when the first file needs it. It is safe for concurrent use.
type Decoders struct {
	Raw *codec.Raw // what files without a header hold; nil: nothing is known of them

	own    func() string // versions of package codec's decoders of compressed formats
	ffmpeg func() (ffmpeg.Tool, error)
	broken atomic.Pointer[error] // an ffmpeg is there, and does not run

	decoded atomic.Int64
}

// Decoded is how many clips were decoded so far, a clip twice that was decoded twice.
func (d *Decoders) Decoded() int64 { return d.decoded.Load() }

// Fault is why it is not known who decodes files. Without an ffmpeg that is there,
// rows would be refused that it decodes.
func (d *Decoders) Fault() error {
	if broken := d.broken.Load(); broken != nil {
		return *broken
	}
	return nil
}

// NewDecoders knows package codec's decoders, and no ffmpeg yet.
func NewDecoders() *Decoders {
	d := &Decoders{own: sync.OnceValue(ownDecoders)}
	d.ffmpeg = sync.OnceValues(func() (ffmpeg.Tool, error) {
		tool, err := ffmpeg.Find(context.Background())
		if err != nil && !errors.Is(err, ffmpeg.ErrMissing) {
			var broken error = &intake.MachineError{Err: err, Cure: "mend it, or take it out of PATH: what needs it is rejected then"}
			d.broken.Store(&broken)
		}
		return tool, err
	})
	return d
}

func ownDecoders() (own string) {
	for _, f := range codec.Formats() {
		if f.Version != "" && f.Name != "wav" {
			own = strings.TrimSpace(own + " " + f.Key())
		}
	}
	return own
}

// sure are the extensions of files that package codec reads, with the format that
// such a file must have. Of a file with another extension only the bytes tell.
var sure = map[string]string{".wav": "wav", ".flac": "flac", ".mp3": "mp3"}

// Version is what belongs into the key of a file's audio action besides the
// version of the stage, which covers WAV: who decodes it, and the name of its
// format where that decides whether it is read (see misnamed).
func (d *Decoders) Version(file string) string {
	ext := strings.ToLower(path.Ext(file))
	if ext == ".wav" {
		return ""
	}
	if d.Raw != nil && codec.RawName(file) {
		return d.Raw.Key()
	}
	if sure[ext] != "" {
		f, _ := codec.FormatByName(sure[ext])
		return f.Name + " by " + f.Version
	}
	tool, err := d.ffmpeg()
	if err != nil {
		return d.own() + " no ffmpeg" // and another key once there is one
	}
	return d.own() + " " + tool.StageVersion()
}

// misnamed is what is wrong with a file's name, nil for nothing.
func misnamed(file string, f codec.Format, known bool) error {
	want := sure[strings.ToLower(path.Ext(file))]
	if want == "" || !known || f.Name == want || want == "wav" && f.Name == "sphere" { // as the LDC names NIST SPHERE
		return nil
	}
	article := "a"
	if strings.ContainsAny(f.Title[:1], "AEFIMO") { // as they are said: an MP3, an Opus file
		article = "an"
	}
	return fmt.Errorf("it is %s %s file by its first bytes: give it the extension of one", article, f.Title)
}

// strange says of a file that nobody knows something better than that it is no
// WAV, where its name promises no WAV.
func strange(file string, err error) error {
	if ext := strings.ToLower(path.Ext(file)); ext != ".wav" && errors.Is(err, codec.ErrNotWAV) {
		return fmt.Errorf("by its first bytes it is neither %s nor any other audio that is known here", strings.ToUpper(strings.TrimPrefix(ext, ".")))
	}
	return err
}
