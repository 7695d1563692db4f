package codec

import (
	"errors"
	"fmt"
	"strconv"
)

// What can be wrong with a file, for errors.Is. An error's own text says it in full; these are only the kinds.
var (
	ErrNotWAV  = errors.New("not a WAV file")
	ErrHeader  = errors.New("malformed header")
	ErrLength  = errors.New("header and file differ in length, or the file ends early")
	ErrCorrupt = errors.New("damaged stream")
	// ErrEmpty is of a sound file that holds no sample, or none in the part that is asked for.
	ErrEmpty = errors.New("file has no samples")
	// ErrTooLong is not the file's fault: Limits.MaxClip decides.
	ErrTooLong = errors.New("clip over the limit of length")
	// ErrUnsupported is of a form of a known format that is not read here; the message says what to convert to.
	ErrUnsupported = errors.New("audio format not supported")
	// ErrChannel is of a file that has not the channel that Limits asks for.
	ErrChannel = errors.New("no such channel")
	// ErrForeign is of a file that would be read if ffmpeg were there.
	ErrForeign = errors.New("audio format that only ffmpeg reads")
)

// A fileError is a text for the user and a kind for the program.
type fileError struct {
	kind error
	text string
}

func (e *fileError) Error() string { return e.text }
func (e *fileError) Unwrap() error { return e.kind }

// Errorf makes an error of a kind, whose text is the format's alone.
func Errorf(kind error, format string, args ...any) error {
	return &fileError{kind, fmt.Sprintf(format, args...)}
}

// commas writes n ≥ 0 with a comma between groups of three digits: 44,100.
func commas(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
