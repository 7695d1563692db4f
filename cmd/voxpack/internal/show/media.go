package show

import (
	"io"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/store"
)

// Media is a column of a kept row, to be seen and heard on a page.
type Media struct {
	dataset *store.Dataset
	place   locate.Place
	sample  *sample
}

// OpenMedia reads a column of a kept row.
func OpenMedia(d *store.Dataset, p locate.Place, id, column string) (*Media, error) {
	s, err := readSample(d, id, column)
	if err != nil {
		return nil, err
	}
	return &Media{d, p, s}, nil
}

// Picture writes the column as a PNG; row is what the build read of it.
func (m *Media) Picture(w io.Writer, row *store.OriginRow) error {
	encode, err := m.sample.picture(m.dataset, row)
	if err != nil {
		return err
	}
	return encode(w)
}

// Sound writes the column as a WAV file. The notes say what one hears.
func (m *Media) Sound(w io.Writer) (notes []string, err error) {
	s, err := newSound(m.dataset, m.sample, m.place.Config(""))
	if err != nil {
		return nil, err
	}
	return s.notes, s.encode(w)
}

// Values are the first length steps of a block column of a row, as float32;
// samples are from -1 to 1.
func Values(d *store.Dataset, at store.At, column string, length int) ([]float32, error) {
	b, err := d.Value(at, column)
	if err != nil {
		return nil, err
	}
	c := d.Root.Schema[d.Root.Schema.Index(column)]
	s := sample{column: c, bytes: b, length: max(0, min(length, c.Shape[0]))}
	return s.floats(), nil
}
