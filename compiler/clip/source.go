package clip

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"voxpack/audio/codec"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// ErrChanged means that a source was written to while the build read it.
var ErrChanged = errors.New("the file changed while it was read")

// hashBuffer holds most clips whole (6.6 s of 16-bit mono at 22,050 Hz are 290
// kB): one read, one hash.
const hashBuffer = 512 << 10

// Clip is where a clip's bytes are, and what the file was like when it was
// looked at.
type Clip struct {
	file  string
	name  string // as messages say it, with the extension of what is in the bytes
	stamp Stamp
	audio *intake.Audio // nil: the file is the clip
}

func (at Clip) part() bool { return at.audio.Part() }

func (at Clip) member() bool { return at.audio != nil && at.audio.Member > 0 }

// stretch is the part of the file that the clip is; zero: all of it.
func (at Clip) stretch() codec.Part {
	if at.audio == nil {
		return codec.Part{}
	}
	return codec.Part{From: at.audio.From, Length: at.audio.Length}
}

// Hash is the digest of the bytes: of the file, or of a container's member. It
// reads through buf.
func (at Clip) Hash(buf []byte) (store.Digest, error) {
	if !at.member() {
		if buf == nil {
			buf = make([]byte, hashBuffer)
		}
		return hashFile(at.file, at.stamp, buf)
	}
	b, err := at.read(nil)
	return store.Sum(b), err
}

// unchanged reads the file again after another program did, and reports whether it is
// still what was read before: nil, or why not.
func (at Clip) unchanged(before []byte) error {
	now, err := hashFile(at.file, at.stamp, make([]byte, hashBuffer))
	if err == nil && now != store.Sum(before) {
		err = ErrChanged
	}
	return err
}

// read reads the bytes into buf, growing it where it must.
func (at Clip) read(buf []byte) ([]byte, error) {
	f, err := openSame(at.file, at.stamp)
	if err != nil {
		return buf[:0], err
	}
	defer f.Close()
	if at.member() {
		buf, err = intake.Member(f, at.stamp.Size, at.audio.Member-1, buf[:0])
		return buf, f.judge(err)
	}
	buf = slices.Grow(buf[:0], int(at.stamp.Size))[:at.stamp.Size]
	if _, err = io.ReadFull(f, buf); err == nil {
		return buf, f.checkSame()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = ErrChanged
	}
	return buf[:0], plain(err)
}

// openFile is an open source. It remembers what went wrong with reading it, so that
// an error of a decoder need not say whose fault it was.
type openFile struct {
	in    io.ReadSeeker
	file  *os.File // nil: in is a container's member, which was read before
	want  Stamp
	fault error
}

// Close closes the file. Of a container's member there is none, and nobody asks whether
// closing what was only read went well.
func (f *openFile) Close() error { return f.file.Close() }

func (f *openFile) Seek(at int64, whence int) (int64, error) {
	n, err := f.in.Seek(at, whence)
	return n, f.note(err)
}

// Read notes an end that comes before the size that stat gave: the file was cut
// after it was looked at, which is no fault of its bytes.
func (f *openFile) Read(b []byte) (int, error) {
	n, err := f.in.Read(b)
	if err == io.EOF {
		if at, _ := f.in.Seek(0, io.SeekCurrent); at < f.want.Size {
			f.note(ErrChanged)
		}
	}
	return n, f.note(err)
}

func (f *openFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.file.ReadAt(b, at)
	if err == io.EOF && at+int64(n) < f.want.Size {
		f.note(ErrChanged)
	}
	return n, f.note(err)
}

// note keeps the first fault: what comes after it follows from it.
func (f *openFile) note(err error) error {
	if err != nil && err != io.EOF && f.fault == nil {
		f.fault = intake.Machine(plain(err))
	}
	return err
}

// judge says what became of a use of the file: an error of the system is what it is;
// a file that is another now is ErrChanged; what is left is a refusal of its bytes.
func (f *openFile) judge(err error) error {
	if f.fault != nil {
		return f.fault
	}
	if changed := f.checkSame(); changed != nil {
		return changed
	}
	if err != nil {
		return &Refusal{err}
	}
	return nil
}

// openSame opens a file that was looked at before; one that is another now, or
// gone, is ErrChanged.
func openSame(path string, want Stamp) (*openFile, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrChanged // it was there when it was looked at
	}
	if err != nil {
		return nil, plain(err)
	}
	same := &openFile{in: f, file: f, want: want}
	if err := same.checkSame(); err != nil {
		f.Close()
		return nil, err
	}
	return same, nil
}

// checkSame looks at the file's stat again.
func (f *openFile) checkSame() error {
	if f.file == nil {
		return nil
	}
	var now syscall.Stat_t
	if err := uninterrupted(func() error { return syscall.Fstat(int(f.file.Fd()), &now) }); err != nil {
		return err
	}
	if newStamp(&now) != f.want {
		return ErrChanged
	}
	return nil
}

// hashFile is the digest of a file that was looked at, read through buf.
func hashFile(path string, want Stamp, buf []byte) (store.Digest, error) {
	f, err := openSame(path, want)
	if err != nil {
		return store.Digest{}, err
	}
	defer f.Close()
	d, n, err := store.SumFrom(f, buf)
	if err != nil {
		return d, plain(err)
	}
	if n != want.Size {
		return d, ErrChanged
	}
	return d, f.checkSame()
}
