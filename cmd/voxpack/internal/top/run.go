package top

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/term"
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
