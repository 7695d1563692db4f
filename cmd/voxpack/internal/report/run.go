package report

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/internal/atomicfile"
)

// Options are the flags of report.
type Options struct {
	Where  string
	out    string
	lang   string
	media  int
	json   bool
	outSet func() bool
}

// AddFlags declares the flags.
func (o *Options) AddFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.out, "output", "o", "report.html", "write the page to `FILE`")
	f.StringVar(&o.lang, "lang", "en", "`LANGUAGE` of the page: en or fa")
	f.IntVar(&o.media, "media", -1, fmt.Sprintf("embed sound and picture of `N` rows, 0 to %d (default: outliers and a few more, %d at most)", mostMedia, fewMedia))
	f.BoolVar(&o.json, "json", false, "print the figures as one JSON object; the page is written only with -o")
	o.outSet = func() bool { return f.Changed("output") }
}

// Run writes the page of a dataset, and prints its figures where that is asked for.
func Run(ctx context.Context, o *Options, stdout, stderr io.Writer) error {
	t, err := tongueOf(o.lang)
	if err != nil {
		return err
	}
	if o.media > mostMedia || o.media < -1 {
		return term.Usagef("--media %d: want 0 to %d", o.media, mostMedia)
	}
	if !o.json || o.outSet() {
		if err := o.checkOut(); err != nil {
			return err
		}
	}
	p, err := locate.Find(o.Where)
	if err != nil {
		return err
	}
	d, err := p.OpenDataset()
	if err != nil {
		return err
	}
	defer d.Store.Close()
	started := time.Now()
	progress := term.StartProgress(stderr, false)
	ended := sync.OnceFunc(progress.End)
	defer ended()
	f, s, err := gather(ctx, d, p, progress)
	if err != nil {
		return err
	}
	if !o.json || o.outSet() {
		note, err := o.write(ctx, f, s, t, progress)
		if err != nil {
			return err
		}
		ended()
		if !o.json {
			fmt.Fprintf(stdout, "%s: %s, %s, in %s\n", term.Quoted(o.out), term.Count(f.Rows.Kept, "row"), note, term.Duration(time.Since(started)))
		}
	}
	if !o.json {
		return nil
	}
	ended()
	return term.Buffered(stdout, func(b *bufio.Writer) error { return term.PrintJSON(b, f) })
}

// checkOut refuses a file that cannot be written, or that is hardly a page, before a
// dataset is read for it.
func (o *Options) checkOut() error {
	info, err := os.Stat(o.out)
	switch {
	case err == nil && info.IsDir():
		return term.Usagef("-o %s: it is a folder; name a file, as in -o report.html", o.out)
	case err == nil && !info.Mode().IsRegular(), strings.HasPrefix(o.out, "/dev/"):
		return nil // a pipe; or where a shell sends the output
	case err == nil && filepath.Ext(o.out) != ".html":
		return term.Usagef("-o %s: it is there already, and does not end in .html; name another file, or move that one away", o.out)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("write %s: %w", o.out, err)
	}
	folder := filepath.Dir(o.out)
	if _, err := os.Stat(folder); err != nil {
		return fmt.Errorf("write %s: %w", o.out, err)
	}
	trial, err := os.CreateTemp(folder, atomicfile.TempPrefix+"*") // as the page will be made
	if err != nil {
		return fmt.Errorf("write %s: %w", o.out, err)
	}
	return errors.Join(trial.Close(), os.Remove(trial.Name()))
}

// write replaces the file as a whole, and says what is in it.
func (o *Options) write(ctx context.Context, f *Figures, s *set, t tongue, progress *term.Progress) (note string, err error) {
	n, most := o.media, mostBytes
	if n < 0 {
		n, most = fewMedia, fewBytes
	}
	media, where, err := s.media(ctx, f, n, most, progress)
	if err != nil {
		return "", err
	}
	f.Damage = s.damage()
	var size int64
	err = atomicfile.Replace(o.out, func(file *os.File) error {
		b := bufio.NewWriterSize(file, 1<<20)
		c := &counter{to: b}
		if err := writePage(c, f, s, t, media, where); err != nil {
			return err
		}
		size = c.n
		return b.Flush()
	})
	if err != nil {
		return "", fmt.Errorf("write %s: %w", o.out, err)
	}
	note = term.Size(size) + ", " + term.Count(len(media), "row") + " to see and hear"
	if o.media > len(media) {
		note += fmt.Sprintf(" (of %d asked for)", o.media)
	}
	if n := f.Damage.Rows + f.Damage.Unknown; n > 0 {
		note += fmt.Sprintf(", %s damaged (voxpack verify --full says all)", term.Count(n, "row"))
	}
	return note, nil
}

// counter counts what is written.
type counter struct {
	to io.Writer
	n  int64
}

// Write passes b on.
func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}
