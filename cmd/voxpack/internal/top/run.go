package top

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed/inventory"
	"voxpack/gpufeed/serve"
)

// Options are the flags of top.
type Options struct {
	Where      string // a dataset's folder, a store, a socket; "" is the nearest, or all feeders
	plain      bool
	json       bool
	prometheus string
	every      time.Duration
	count      int
}

// AddFlags declares the flags.
func (o *Options) AddFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.plain, "plain", false, "print lines in place of a screen, as where there is no terminal")
	f.BoolVar(&o.json, "json", false, "print one JSON object a look, each in a line")
	f.StringVar(&o.prometheus, "prometheus", "", "serve metrics at `ADDR` on loopback, as in 127.0.0.1:9464, until Ctrl-C")
	f.DurationVar(&o.every, "interval", time.Second, "look every `TIME`, at least 100ms")
	f.IntVar(&o.count, "count", 0, "end after `N` looks, with --plain and --json; 0: go on until Ctrl-C")
}

// least is the shortest interval: figures of fewer steps say nothing.
const least = 100 * time.Millisecond

// check finds what is wrong with the flags.
func (o *Options) check() error {
	var ways []string
	for _, w := range []struct {
		name  string
		given bool
	}{{"--plain", o.plain}, {"--json", o.json}, {"--prometheus", o.prometheus != ""}} {
		if w.given {
			ways = append(ways, w.name)
		}
	}
	switch {
	case len(ways) > 1:
		return term.Usagef("%s: give one of them", strings.Join(ways, " and "))
	case o.every < least:
		return term.Usagef("--interval %v: want %v or more", o.every, least)
	case o.count < 0:
		return term.Usagef("--count %d: want 0 or more", o.count)
	case o.prometheus != "":
		return checkLoopback(o.prometheus)
	}
	return nil
}

// Run shows what feeders do until it is told to end.
func Run(ctx context.Context, o *Options, stdin io.Reader, stdout io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	s, err := o.find(ctx)
	if err != nil {
		return err
	}
	if o.prometheus != "" {
		s.first = nil // whoever asks first may ask minutes later
	}
	return errors.Join(o.show(ctx, s.look, stdin, stdout), s.close())
}

// find looks who there is to look at. Metrics are served in any case: a feeder that
// does not run yet is a figure of them.
func (o *Options) find(ctx context.Context) (*source, error) {
	s := &source{feeders: map[string]*watched{}, gauges: inventory.OpenGauges("", "")}
	one, name, err := Address(o.Where)
	if err == nil {
		s.addresses = func() []string { return []string{one} }
		l := s.look(ctx)
		if l.Feeders[0].Error == "" || o.prometheus != "" && o.Where != "" {
			s.first = &l
			return s, nil
		}
		err = nobody(name, l.Feeders[0])
	}
	if o.Where == "" {
		s.all = true
		s.addresses = func() []string {
			list, _ := serve.Addresses() // its error was told at the start
			return list
		}
		l := s.look(ctx)
		s.first = &l
		if _, err = serve.Addresses(); err == nil && len(l.Feeders) == 0 && o.prometheus == "" {
			err = nobody("", Feeder{})
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// Address is where the feeder answers that an argument names, which is its socket or a
// dataset, and the dataset as a command line takes it, "" of a socket.
func Address(where string) (socket, name string, err error) {
	if info, err := os.Stat(where); err == nil && info.Mode().Type() == fs.ModeSocket || strings.HasSuffix(where, ".sock") {
		return where, "", nil
	}
	p, err := locate.Find(where)
	if err != nil {
		return "", "", err
	}
	d, err := p.OpenDataset()
	if err != nil {
		return "", "", err
	}
	digest := d.Digest
	if err := d.Store.Close(); err != nil {
		return "", "", err
	}
	socket, err = serve.Address(digest)
	return socket, cmp.Or(p.Dataset, p.Store), err
}

// nobody says that no feeder answers, and what to do.
func nobody(name string, f Feeder) error {
	if f.Error != "" && f.Error != hasEnded {
		return fmt.Errorf("feeder at %s: %s", f.Socket, f.Error)
	}
	what, dataset, others := "no feeder of this user runs at the usual place", "DATASET", "voxpack top SOCKET shows one that was started with --socket"
	if f.Socket != "" {
		what = "no feeder runs at " + f.Socket
	}
	if name != "" {
		what = fmt.Sprintf("no feeder of %s runs at %s", name, f.Socket)
		dataset, others = term.Quoted(name), "voxpack top without an argument shows feeders of other datasets and builds"
	}
	return fmt.Errorf("%s; start a trainer that reads the dataset with the Python package, or voxpack serve %s; voxpack feed %s measures without a trainer; %s", what, dataset, dataset, others)
}

// show shows looks in the way that was asked for.
func (o *Options) show(ctx context.Context, look func(context.Context) Look, stdin io.Reader, stdout io.Writer) error {
	in, inIs := stdin.(*os.File)
	out, outIs := term.Raw(stdout).(*os.File)
	switch {
	case o.prometheus != "":
		return serveMetrics(ctx, o.prometheus, look, stdout)
	case o.json:
		e := json.NewEncoder(stdout)
		e.SetEscapeHTML(false)
		return o.follow(ctx, look, func(h *History) error { return e.Encode(h.last()) })
	case o.plain, o.count > 0, os.Getenv("TERM") == "dumb", !inIs || !outIs, !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()):
		return o.follow(ctx, look, func(h *History) error {
			_, err := fmt.Fprintln(stdout, strings.Join(h.plain(), "\n"))
			return err
		})
	}
	return runScreen(ctx, look, o.every, in, out)
}

// follow looks again and again, and prints each look.
func (o *Options) follow(ctx context.Context, look func(context.Context) Look, print func(*History) error) error {
	tick := time.NewTicker(o.every)
	defer tick.Stop()
	h := &History{}
	for n := 1; ; n++ {
		h.Add(look(ctx))
		if ctx.Err() != nil {
			return term.ErrInterrupted
		}
		if err := print(h); err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
		if n == o.count {
			return nil
		}
		select {
		case <-ctx.Done():
			return term.ErrInterrupted
		case <-tick.C:
		}
	}
}
