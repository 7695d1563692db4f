package array

import (
	"archive/zip"
	"bytes"
	"testing"
)

// fuzz reads all of a file of any bytes.
func fuzz(f *testing.F, file string, seeds ...[]byte) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const most = 1 << 20
		file, err := open(file, &input{r: bytes.NewReader(b), size: int64(len(b)), most: most})
		if err != nil {
			return
		}
		for _, name := range file.Names() {
			a, err := file.Read(name)
			if err != nil {
				continue
			}
			if want, err := bytesOf(a.DType, a.Shape, most); err != nil || want != int64(len(a.Data)) || a.Len()*a.DType.Size() != len(a.Data) {
				t.Fatalf("%v has %d bytes, %v", a, len(a.Data), err)
			}
			for to := Bool; to <= Float64; to++ {
				if c, err := a.Convert(to); err == nil && len(c.Data) != a.Len()*to.Size() {
					t.Fatalf("%v has %d bytes as %v", a, len(c.Data), to)
				}
			}
		}
	})
}

func FuzzNPY(f *testing.F) {
	fuzz(f, "x.npy", npyFile(1, header("<f4", "False", "(1,)"), 0, 0, 0xc0, 0x7f), npyFile(2, header(">u2", "True", "(2, 2)"), 0, 1, 0, 3, 0, 2, 0, 4),
		npyFile(1, "{\"shape\":( 1 , 2L ) , 'fortran_order':False,\n u'descr':'u1'}", 8, 9), npyFile(1, header("|O", "False", "()")))
}

func FuzzNPZ(f *testing.F) {
	one := string(npyFile(1, header("|u1", "False", "(2,)"), 1, 2))
	fuzz(f, "x.npz", zipped(f, zip.Store, "a.npy", one, "b/c.npy", one), zipped(f, zip.Deflate, "a.npy", one), zipped(f, zip.Store))
}

func FuzzSafetensors(f *testing.F) {
	fuzz(f, "x.safetensors", tensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]},"__metadata__":{"x":"y"}}`, 0, 0, 128, 63, 1, 2))
}

func FuzzArk(f *testing.F) {
	var all []byte
	for _, tt := range arkCases {
		all = append(all, tt.object...)
		f.Add([]byte(tt.object))
	}
	fuzz(f, "x.ark", all)
}

// FuzzPlaces: lines of a scp file, and the places that they name, in an archive.
func FuzzPlaces(f *testing.F) {
	f.Add([]byte("a x.ark:2\nb x.ark:2[0:1,:]\n"), []byte("a \x00BFM \x04\x02\x00\x00\x00\x04\x01\x00\x00\x0012345678"))
	f.Fuzz(func(t *testing.T, list, ark []byte) {
		places, err := Places(bytes.NewReader(list))
		if err != nil {
			return
		}
		for _, p := range places {
			if a, err := p.Read(bytes.NewReader(ark), int64(len(ark))); err == nil && len(a.Data) != a.Len()*a.DType.Size() {
				t.Fatalf("%v has %d bytes", a, len(a.Data))
			}
		}
	})
}
