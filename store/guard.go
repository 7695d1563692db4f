package store

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Badger ends the process with log.Fatal where it meets what it did not expect:
// a folder that cannot be listed, a log longer than its table, a file that
// cannot be made longer. log.Fatal writes its text to the output of the standard
// logger first, and CatchFatal stands there.

// guards are the functions that recover from what is below them.
var guards = []string{"voxpack/store.guard", "voxpack/store.(*engine).find", "voxpack/store.(*engine).scan"}

// CatchFatal is the output that a program gives to the standard logger, before
// it opens a store, so that a fatal end inside Badger becomes an error of ours.
// In a call that this package made, the call returns the error. In a goroutine
// of Badger's own there is nobody to return it to: then end is called, and must
// end the process. Other lines go to other.
func CatchFatal(other io.Writer, end func(error)) io.Writer {
	return &fatalCatcher{other, end}
}

type fatalCatcher struct {
	other io.Writer
	end   func(error)
}

// fatalText is what Badger said before its end, and what guard recovers.
type fatalText string

func (c *fatalCatcher) Write(line []byte) (int, error) {
	fatal, guarded := callers()
	switch {
	case !fatal:
		return c.other.Write(line)
	case guarded:
		panic(fatalText(line)) // the logger gives its lock back in a deferred call
	}
	c.end(fmt.Errorf("the database of a pack or of the cache: %w; what was sealed before is not touched", badgerError("", string(line))))
	return len(line), nil
}

// callers reports whether log.Fatal is at work on this goroutine, and whether
// a guard stands below it.
func callers() (fatal, guarded bool) {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		fatal = fatal || strings.HasPrefix(f.Function, "log.Fatal")
		guarded = guarded || slices.Contains(guards, f.Function)
		if !more {
			return fatal, guarded
		}
	}
}

// guard calls into Badger, on the database in dir, and makes an error of ours of
// whatever comes back: a Badger error, a panic, a fatal end. A database that
// came to a panic or a fatal end stays half open until the process ends.
func guard(dir string, call func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		// A panic is met with a damaged table: a store on a failing disk is bad input, not a broken invariant of ours.
		if r := recover(); r != nil {
			if err = faultOf(r); err == nil {
				err = badgerError(dir, fmt.Sprint(r))
			}
		}
	}()
	if err := call(); err != nil {
		return badgerError(dir, err.Error())
	}
	return nil
}

// machineFaults are the errors that say nothing of a file's content.
var machineFaults = []syscall.Errno{
	unix.EIO, unix.ESTALE, unix.ENOSPC, unix.EDQUOT, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN,
	unix.EACCES, unix.EPERM, unix.EROFS, unix.ENODEV, unix.ETIMEDOUT, unix.ENOENT,
}

// badgerError makes an error of what Badger said of the database in dir. Badger
// formats its causes into text (y.Wrap), so that the number of the error has to
// be found in the text again; this is the one place that reads it. What has no
// number is damage.
func badgerError(dir, text string) error {
	text = strings.Join(strings.Fields(text), " ")
	for _, errno := range machineFaults {
		if strings.Contains(text, errno.Error()) {
			return fmt.Errorf("%s: %w", fileIn(dir, text), errno)
		}
	}
	why := text[strings.LastIndex(text, " err: ")+1:]
	return fmt.Errorf("%s cannot be read (%s): %w", fileIn(dir, text), strings.TrimPrefix(why, "err: "), ErrDamaged)
}

// fileNames are what Badger calls its files.
var fileNames = regexp.MustCompile(`[^\s:"]*\b(\w+\.(mem|sst|vlog)|DISCARD|KEYREGISTRY|MANIFEST)\b`)

// fileIn finds the file of the database that a text of Badger's names.
func fileIn(dir, text string) string {
	switch found := fileNames.FindAllString(text, -1); {
	case len(found) == 0:
		return dir
	case dir == "":
		return found[len(found)-1]
	default:
		return filepath.Join(dir, filepath.Base(found[len(found)-1]))
	}
}
