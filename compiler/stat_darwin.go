package compiler

import (
	"io/fs"
	"syscall"
)

// stampOf reads a file's stamp from what stat returned.
func stampOf(info fs.FileInfo) stamp {
	s := stamp{Size: info.Size(), Mtime: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Ctime = st.Ctimespec.Nano()
		s.Inode = st.Ino
	}
	return s
}
