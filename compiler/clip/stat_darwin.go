package clip

import "syscall"

// newStamp reads a file's stamp from what stat returned.
func newStamp(st *syscall.Stat_t) Stamp {
	return Stamp{Size: st.Size, Mtime: st.Mtimespec.Nano(), Ctime: st.Ctimespec.Nano(), Inode: st.Ino}
}
