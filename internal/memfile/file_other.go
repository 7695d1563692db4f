//go:build !linux || portable

package memfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// New makes a file without a name in the folder for temporary ones, since there is no
// other memory that has a descriptor. Its size does not stay: who has the descriptor, a
// process of the same user, can cut it.
func New(name string, bytes int) (fd int, err error) {
	f, err := os.CreateTemp("", name+"-")
	if err != nil {
		return -1, err
	}
	defer f.Close() // the descriptor that is given is another one
	if err = os.Remove(f.Name()); err != nil {
		return -1, err
	}
	if err = f.Truncate(int64(bytes)); err != nil {
		return -1, err
	}
	return unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
}

// Sealed is New: there are no seals.
func Sealed(name string, bytes int) (fd int, err error) { return New(name, bytes) }
