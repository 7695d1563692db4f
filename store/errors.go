package store

import (
	"errors"
	"regexp"
	"strings"
)

// The errors that callers tell apart. Where one arises it is wrapped with what
// happened, where, and what to do about it.
var (
	// ErrNotFound: no pack has the entry, or no ref the name. A build computes what is not found.
	ErrNotFound = errors.New("not in the store")
	// ErrAmbiguous is the name of several snapshots.
	ErrAmbiguous = errors.New("ambiguous snapshot name")
	// ErrNoStore: the folder holds no store, or one whose creation was cut short, which a build completes.
	ErrNoStore = errors.New("no store")
	// ErrBusy: another process holds the lock that the call needs; waiting helps.
	ErrBusy = errors.New("store is busy")
	// ErrNewer: the layout has a version that this program does not know. Nothing was read or changed.
	ErrNewer = errors.New("store was made by a newer version")
	// ErrDamaged: bytes are there and are not those that were written. Waiting does not help.
	ErrDamaged = errors.New("damaged")
)

// plainPath is what a shell takes for one word as it stands.
var plainPath = regexp.MustCompile(`^[\pL\pN_./][\pL\pN_./:@+,%-]*$`)

// pasted is a path as a command in a message has it: to be pasted into a shell.
func pasted(path string) string {
	if plainPath.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
