package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"voxpack/store"
)

// ErrBusy says that another feeder answers at the address.
var ErrBusy = errors.New("another feeder serves it")

// mostAddress is what the kernel takes for the path of a socket, less the byte
// that ends it.
const mostAddress = len(unix.RawSockaddrUnix{}.Path) - 1 // 107 on Linux, 103 on macOS

// Address is where a feeder of a snapshot is found unless it is told another
// place: in a folder of the user alone.
func Address(snapshot store.Digest) (string, error) {
	dir, err := folder()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, snapshot.String()[:32]+".sock"), nil
}

// Addresses are the sockets in that folder. Whether a feeder answers at one,
// Watch tells: a feeder that was killed leaves its socket.
func Addresses() ([]string, error) {
	dir, err := folder()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // no feeder was ever here
		return nil, fmt.Errorf("folder of sockets: %w", err)
	}
	var list []string
	for _, e := range entries {
		if e.Type() == fs.ModeSocket {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, nil
}

// folder is where feeders of this user listen; there may be none yet.
func folder() (string, error) {
	dir := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "voxpack")
	if info, err := os.Stat(os.Getenv("XDG_RUNTIME_DIR")); err != nil || !info.IsDir() { // after su and in containers it may be gone
		temp := os.Getenv("TMPDIR")
		if temp == "" {
			temp = "/tmp"
		}
		dir = filepath.Join(temp, "voxpack-"+strconv.Itoa(os.Geteuid()))
	}
	if err := private(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return dir, nil
}

// makePrivate makes a folder of sockets, if there is none.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("folder of sockets: %w", err)
	}
	return private(dir)
}

// private refuses a folder that others could have made or may write to: who
// listens there would be taken for the feeder.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("folder of sockets: %w", err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !ok || int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("folder of sockets %s: it has to be a folder of this user alone (mode 0700); remove it, set XDG_RUNTIME_DIR, or name a --socket", dir)
	}
	return nil
}

// listen takes an address. The lock beside it says who has it; the socket of a
// feeder that was killed is removed.
func listen(path string) (l *net.UnixListener, lock *os.File, err error) {
	if len(path) > mostAddress {
		return nil, nil, fmt.Errorf("socket %s: %d bytes, the system takes %d; name a shorter --socket", path, len(path), mostAddress)
	}
	if lock, err = os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600); err != nil {
		return nil, nil, fmt.Errorf("socket: %w", err)
	}
	defer func() {
		if err != nil {
			lock.Close()
		}
	}()
	if err = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		return nil, nil, fmt.Errorf("socket %s: %w", path, ErrBusy)
	} else if err != nil {
		return nil, nil, fmt.Errorf("socket %s: %w", path, err)
	}
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.Mode().Type() != fs.ModeSocket:
		return nil, nil, fmt.Errorf("socket %s: something else is there", path)
	case err == nil:
		if err = os.Remove(path); err != nil {
			return nil, nil, fmt.Errorf("socket: %w", err)
		}
	}
	if l, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"}); err != nil {
		return nil, nil, fmt.Errorf("socket: %w", err)
	}
	if err = os.Chmod(path, 0o600); err != nil { // until then allowed keeps others out
		l.Close()
		return nil, nil, fmt.Errorf("socket: %w", err)
	}
	return l, lock, nil
}
