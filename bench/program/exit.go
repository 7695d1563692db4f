package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// ErrUsage marks flags that make no sense.
var ErrUsage = errors.New("usage")

// Run runs a program that an interrupt may end, and ends it: with 2 for
// ErrUsage, with 1 for another error.
func Run(name string, run func(ctx context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx)
	code := 1
	if errors.Is(err, ErrUsage) {
		code = 2
	}
	Exit(name, err, code)
}

// Exit ends a program with the code where there is an error, after saying it; an asked-for help is no news. Without one it returns.
func Exit(name string, err error, code int) {
	if err == nil {
		return
	}
	if !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, name+":", err)
	}
	os.Exit(code)
}
