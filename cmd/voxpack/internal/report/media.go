package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"runtime"
	"slices"
	"sync"

	"voxpack/cmd/voxpack/internal/show"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/store"
)

// medium is a row that one can see and hear on the page.
type medium struct {
	ID, Text, Spoken string
	Picture, Sound   template.URL // as data:; "" where there is none
	Damaged          string       // the column that cannot be read; "": all were
}

// The bounds of media. A clip of 6.5 s has 290 kB of sound and 60 kB of picture.
const (
	fewMedia   = 6        // where --media does not say; the sound of a mel takes 0.4 s
	mostMedia  = 1000     // that --media may ask for
	fewBytes   = 6 << 20  // of all, as they stand on the page, where --media does not say
	mostBytes  = 64 << 20 // of all
	mostFrames = 3000     // of a clip that is embedded: 35 s; a longer one has a picture only
)

// media makes pictures and sounds of up to n rows: those that checks found, the
// furthest of each check first, then evenly spaced ones. It returns where each row
// stands in the list.
func (s *set) media(ctx context.Context, f *Figures, n, most int, progress *term.Progress) (list []medium, where map[int]int, err error) {
	where = map[int]int{}
	if s.data.Root.Schema.Index("mel") < 0 {
		return nil, where, nil
	}
	picked, size := s.pick(f, n), 0
	// As many at a time as there are cores: what is made beyond the bound is dropped.
	for part := range slices.Chunk(picked, runtime.GOMAXPROCS(0)) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		progress.Report(compiler.Progress{Phase: "drawing", Done: len(list), Total: len(picked)})
		made, err := s.make(part)
		if err != nil {
			return nil, nil, err
		}
		for k, m := range made {
			if size += len(m.Picture) + len(m.Sound); size > most {
				return list, where, nil
			}
			where[part[k]] = len(list)
			list = append(list, m)
		}
	}
	return list, where, nil
}

// make makes the media of rows beside each other. A damaged row has what could be read.
func (s *set) make(rows []int) ([]medium, error) {
	made, errs := make([]medium, len(rows)), make([]error, len(rows))
	columns := make([]string, len(rows))
	var all sync.WaitGroup
	for k, i := range rows {
		all.Go(func() {
			errs[k] = store.Shielded(func() (err error) {
				made[k], columns[k], err = s.medium(i)
				return err
			})
		})
	}
	all.Wait()
	for k, i := range rows {
		if unreadable(errs[k]) {
			made[k].Damaged = columns[k]
		}
		errs[k] = s.note(i, columns[k], errs[k])
	}
	return made, errors.Join(errs...)
}

// pick chooses rows.
func (s *set) pick(f *Figures, n int) (list []int) {
	taken := map[int]bool{}
	take := func(i int) {
		if len(list) < n && !taken[i] && s.rows[i].frames > 0 {
			taken[i] = true
			list = append(list, i)
		}
	}
	// Half of the places are for outliers, so that one also hears what is usual.
	for place := range mostFirst {
		for _, c := range f.Outliers {
			if place < len(c.First) && len(list) < (n+1)/2 {
				take(c.First[place].row)
			}
		}
	}
	rest := n - len(list)
	if len(s.rows) == 0 {
		return nil
	}
	for k := range rest {
		take((2*k + 1) * len(s.rows) / (2 * rest))
	}
	return list
}

// medium draws the mel of a row, and makes sound of its samples, else of its mel.
// The column is the last that was read.
func (s *set) medium(i int) (m medium, column string, err error) {
	r := &s.rows[i]
	m, column = medium{ID: plain(r.id), Text: short(r.text)}, "mel"
	if r.spoken != r.text {
		m.Spoken = short(r.spoken)
	}
	mel, err := show.OpenMedia(s.data, s.place, r.id, column)
	if err != nil {
		return m, column, err
	}
	var b bytes.Buffer
	row := store.OriginRow{Frames: uint32(r.frames), Samples: uint64(r.samples)}
	if err := mel.Picture(&b, &row); err != nil {
		return m, column, err
	}
	m.Picture = dataURL("image/png", b.Bytes())
	if r.frames > mostFrames {
		return m, column, nil
	}
	heard := mel
	if s.data.Root.Schema.Index("pcm") >= 0 {
		column = "pcm"
		if heard, err = show.OpenMedia(s.data, s.place, r.id, column); err != nil {
			return m, column, err
		}
	}
	b.Reset()
	if _, err := heard.Sound(&b); err != nil {
		return m, column, fmt.Errorf("sound of %s: %w", r.id, err)
	}
	m.Sound = dataURL("audio/wav", b.Bytes())
	return m, column, nil
}

// dataURL holds bytes in a page. What it is made of is our own PNG or WAV file.
func dataURL(kind string, b []byte) template.URL {
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b))
}
