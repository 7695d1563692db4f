package program

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

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
