package feedrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/atomicfile"
)

// saveEvery is how often a run with a trainer saves its position: what a crash
// costs is at most that long.
const saveEvery = 5 * time.Second

// ReadCursor reads the file of --resume; "" is none.
func ReadCursor(path string) (*plan.Cursor, error) {
	if path == "" {
		return nil, nil
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, term.Usagef("--resume %s: no such file; --save-cursor writes one", path)
	}
	if err != nil {
		return nil, term.Usagef("--resume: %w", err)
	}
	c, err := plan.ParseCursor(b)
	if err != nil {
		return nil, term.Usagef("--resume %s: %w", path, err)
	}
	return &c, nil
}

// writeCursor replaces the file of --save-cursor and waits for the disk: an
// empty file after a power failure would be worse than an old one.
func writeCursor(path string, c plan.Cursor) error {
	err := atomicfile.Replace(path, func(f *os.File) error {
		e := json.NewEncoder(f)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(c)
	})
	if err != nil {
		return fmt.Errorf("--save-cursor: %w", err)
	}
	return nil
}

// saver writes positions beside the run, so that no step waits for a disk. Of
// those that come while one is written the next is taken, the rest are passed
// over. A nil saver writes nothing.
type saver struct {
	path   string
	last   time.Time
	next   chan plan.Cursor // closed by end
	work   sync.WaitGroup
	err    error      // of the last write; read behind end
	failed chan error // has the first error, until somebody takes it
}

// newSaver begins to save into a file, now and then.
func newSaver(path string) *saver {
	s := &saver{path: path, last: time.Now(), next: make(chan plan.Cursor, 1), failed: make(chan error, 1)}
	s.work.Go(func() {
		told := false
		for c := range s.next {
			if s.err = writeCursor(s.path, c); s.err != nil && !told {
				s.failed <- s.err
				told = true
			}
		}
	})
	return s
}

// tick saves where the feed stands, when it is time.
func (s *saver) tick(f *gpufeed.Feed) error {
	if s == nil || time.Since(s.last) < saveEvery {
		return nil
	}
	s.last = time.Now()
	c, err := f.Cursor()
	if err != nil {
		return err
	}
	select {
	case s.next <- c:
	default: // the disk is slow; the next one comes
	}
	return nil
}

// trouble is the first error of a write, once. It is no end: the next write may
// go well.
func (s *saver) trouble() error {
	if s == nil {
		return nil
	}
	select {
	case err := <-s.failed:
		return err
	default:
		return nil
	}
}

// end waits for the last write.
func (s *saver) end() error {
	if s == nil {
		return nil
	}
	close(s.next)
	s.work.Wait()
	return s.err
}
