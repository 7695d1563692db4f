package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/store"
)

func main() {
	lateCollector()
	log.SetOutput(store.CatchFatal(os.Stderr, func(err error) {
		complain(os.Stderr, err)
		os.Exit(exitEnvironment)
	}))
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program: it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	// A second signal ends the process at once, unless it belongs to the first:
	// timeout(1) signals its child and then the whole group.
	context.AfterFunc(ctx, func() { time.AfterFunc(oneSignal, stop) })
	out, said := term.MakeSafe(stdout), term.MakeSafe(stderr)
	defer out.End()
	defer said.End()
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(said)
	endProfiles, err := startProfiles(os.Getenv)
	if err == nil {
		err = store.Shielded(func() error { return root.ExecuteContext(ctx) })
		if unwritten := endProfiles(); err == nil && unwritten != nil {
			err = fmt.Errorf("profile: %w", unwritten)
		}
	}
	if err != nil && ctx.Err() != nil && !errors.Is(err, term.ErrInterrupted) {
		err = term.ErrInterrupted // whatever the interrupted work called it
	}
	complain(said, err)
	return exitCode(err)
}

// oneSignal: signals that come within it are one wish. Nobody presses Ctrl-C
// twice that fast who means two things.
const oneSignal = 500 * time.Millisecond

// endings are the signals that ask for an end. A closed terminal is one, unless
// nohup(1) has the program outlive it.
func endings() []os.Signal {
	s := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		s = append(s, syscall.SIGHUP)
	}
	return s
}
