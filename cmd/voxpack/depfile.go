package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"voxpack/compiler"
)

// writeDependencies writes the depfile and, when the dataset's content is
// another than the stamp says, the stamp. The stamp holds the dataset's digest,
// so that it also is right behind a build that was made without it.
func writeDependencies(o buildOptions, opts compiler.Options, configFiles []string, dataset string) error {
	if o.depfile != "" {
		inputs, err := compiler.Inputs(opts)
		if err != nil {
			return err
		}
		if err := writeIfNew(o.depfile, depRules(o.stamp, append(inputs, configFiles...))); err != nil {
			return fmt.Errorf("depfile: %w", err)
		}
	}
	if err := writeIfNew(o.stamp, []byte(dataset+"\n")); err != nil {
		return fmt.Errorf("stamp: %w", err)
	}
	return nil
}

// depRules is one rule with every input and an empty rule for each, so that
// make does not stop at an input that is gone.
func depRules(target string, inputs []string) []byte {
	slices.Sort(inputs)
	var b bytes.Buffer
	b.WriteString(escapeMake(target, true) + ":")
	for _, in := range inputs {
		b.WriteString(" \\\n " + escapeMake(in, false))
	}
	b.WriteByte('\n')
	for _, in := range inputs {
		fmt.Fprintf(&b, "\n%s:\n", escapeMake(in, true))
	}
	return b.Bytes()
}

// escapeMake writes a file name for GNU make. Backslashes are letters to it
// except in front of what they escape, where each counts double. A % is special
// in targets only: there it would make a pattern.
func escapeMake(name string, target bool) string {
	var b strings.Builder
	slashes := 0
	for _, r := range name {
		special := strings.ContainsRune(" \t#:", r) || target && r == '%'
		switch {
		case special:
			b.WriteString(strings.Repeat(`\`, slashes+1))
		case r == '$':
			b.WriteByte('$')
		}
		b.WriteRune(r)
		slashes++
		if r != '\\' {
			slashes = 0
		}
	}
	return b.String()
}

// writeIfNew replaces a file whole, and leaves it alone, time stamp and all,
// when it has these bytes already.
func writeIfNew(path string, content []byte) error {
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return replaceFile(path, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}
