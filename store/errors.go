package store

import "errors"

// The errors that callers tell apart. Where one arises it is wrapped with what
// happened, where, and what to do about it.
var (
	ErrNotFound = errors.New("not in the store")
	// ErrAmbiguous is the name of several snapshots.
	ErrAmbiguous = errors.New("ambiguous snapshot name")
	ErrNoStore   = errors.New("no store")
	ErrBusy      = errors.New("store is busy")
	ErrNewer     = errors.New("store was made by a newer version")
	ErrDamaged   = errors.New("damaged")
)
