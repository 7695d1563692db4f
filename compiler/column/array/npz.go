package array

import (
	"archive/zip"
	"fmt"
	"strings"
)

// maxDeflate is the most bytes that one byte of a deflated stream stands for: 258 for
// each 2 bits (RFC 1951). A member that claims more is refused before memory is taken.
const maxDeflate = 1032

// openNPZ reads the list of a zip file whose members are npy files, as numpy.savez and
// numpy.savez_compressed write it. Members of other names are not arrays.
func openNPZ(in *input) (*index, error) {
	z, err := zip.NewReader(in.r, in.size)
	if err != nil {
		return nil, err
	}
	var members []*zip.File
	var names []string
	for _, m := range z.File {
		if name, ok := strings.CutSuffix(m.Name, ".npy"); ok {
			members, names = append(members, m), append(names, name)
		}
	}
	return &index{names: names, read: func(i int) (*Array, error) { return readMember(members[i], in.most) }}, nil
}

func readMember(m *zip.File, most int64) (*Array, error) {
	if m.Flags&1 != 0 {
		return nil, fmt.Errorf("%s is encrypted", m.Name)
	}
	size, packed := m.UncompressedSize64, m.CompressedSize64
	if size/maxDeflate > packed {
		return nil, fmt.Errorf("%s is said to have %d bytes, made of %d, which is more than deflate can do", m.Name, size, packed)
	}
	r, err := m.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	defer r.Close()
	a, err := readNPY(r, int64(size), most)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return a, nil
}
