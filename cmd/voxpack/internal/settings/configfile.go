package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/internal/config"
)

// Loaded is a config file, read and translated.
type Loaded struct {
	Config  config.Config
	Compile compiler.Config
}

// ReadFile reads a file that the user names. What is none is refused before it is
// opened: a pipe waits for a writer that may never come, and hears no Ctrl-C meanwhile.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file but %s; write what it gives into a file, and name that", path, kindOf(info.Mode()))
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, config.MaxBytes+1)) // which the reader of configs refuses
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// Load reads a config file; "" gives the defaults.
func Load(path string, stderr io.Writer) (Loaded, error) {
	c := config.Default()
	var problems []config.Problem
	if path != "" {
		src, err := ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return Loaded{}, term.Usagef("config %s: no such file", path)
		}
		if err != nil {
			return Loaded{}, term.Usagef("config: %w", err)
		}
		c, problems = config.Load(path, src, intake.FormatNames())
	}
	compile, problems := translate(c, problems)
	if err := Judge(problems, stderr); err != nil {
		return Loaded{}, err
	}
	return Loaded{c, compile}, nil
}

// Judge prints warnings, or ends with everything that is wrong.
func Judge(problems []config.Problem, stderr io.Writer) error {
	if !config.Errors(problems) {
		for _, p := range problems {
			fmt.Fprintln(stderr, p)
		}
		return nil
	}
	var b strings.Builder
	wrong := 0
	for _, p := range problems {
		if !p.Warning {
			wrong++
		}
		fmt.Fprintf(&b, "\n%v", p)
	}
	return term.Usagef("%s in the config, nothing was done:%s", term.Count(wrong, "problem"), b.String())
}
