package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/internal/atomicfile"
)

// writeDependencies writes the depfile and, when the dataset's content is
// another than the stamp says, the stamp. The stamp holds the dataset's digest,
// so that it also is right behind a build that was made without it.
func writeDependencies(o buildOptions, opts compiler.Options, configFiles []string, dataset string, stderr io.Writer) error {
	if o.depfile != "" {
		inputs, err := compiler.Inputs(opts)
		if err != nil {
			return err
		}
		inputs = slices.DeleteFunc(inputs, func(in string) bool {
			// Recordings are no folders; a look at each would take as long as a build.
			return !intake.KnownAudio(filepath.Ext(in)) && (holds(in, o.stamp) || holds(in, o.depfile))
		})
		if err := writeDepfile(o, append(inputs, configFiles...), stderr); err != nil {
			return fmt.Errorf("depfile %s: %w", o.depfile, err)
		}
	}
	if _, err := writeIfNew(o.stamp, []byte(dataset+"\n")); err != nil {
		return fmt.Errorf("stamp: %w", err)
	}
	return nil
}

// holds reports whether a file is written into a folder, which changes the
// folder's time: as an input of that file it would be newer for ever.
func holds(folder, file string) bool {
	dir, err := os.Stat(filepath.Dir(file))
	if err != nil {
		return false
	}
	info, err := os.Stat(folder)
	return err == nil && os.SameFile(info, dir)
}

// writeDepfile says of names that ninja cannot read when the file is new, not
// again each time.
func writeDepfile(o buildOptions, inputs []string, stderr io.Writer) error {
	target, err := targetName(o.stamp)
	if err != nil {
		return err
	}
	names, err := inputNames(inputs)
	if err != nil {
		return err
	}
	written, err := writeIfNew(o.depfile, depRules(target, names))
	if err != nil || !written {
		return err
	}
	var foreign []depName
	for _, n := range names {
		if n.foreign() {
			foreign = append(foreign, n)
		}
	}
	if len(foreign) > 0 {
		fmt.Fprintf(stderr, "warning: depfile %s: make reads all of it, ninja (before 1.13, at least) not %s, so it would build each time: %q\n", o.depfile, term.Count(len(foreign), "name"), string(foreign[0]))
	}
	return nil
}

// inputNames are the inputs' names in order; the error names all that cannot be
// written.
func inputNames(inputs []string) ([]depName, error) {
	slices.Sort(inputs)
	var names []depName
	var refused []error
	for _, in := range slices.Compact(inputs) {
		n, err := inputName(in)
		if err != nil {
			refused = append(refused, err)
		}
		names = append(names, n)
	}
	return names, errors.Join(refused...)
}

// depRules is one rule with every input and an empty rule for each, so that
// make does not stop at an input that is gone.
func depRules(target depName, inputs []depName) []byte {
	var b bytes.Buffer
	b.WriteString(target.escaped() + ":")
	if len(inputs) > 0 && bytes.ContainsRune([]byte(inputs[0]), '=') {
		// Else "stamp: a=b" would set a variable. $^ is empty here to make, and
		// letters without a name to ninja.
		b.WriteString(" $^")
	}
	for _, in := range inputs {
		b.WriteString(" \\\n " + in.escaped())
	}
	b.WriteByte('\n')
	for _, in := range inputs {
		b.WriteString("\n" + in.emptyRule() + "\n")
	}
	return b.Bytes()
}

// writeIfNew replaces a file whole, and leaves it alone, time stamp and all,
// when it has these bytes already.
func writeIfNew(path string, content []byte) (written bool, err error) {
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, content) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, atomicfile.Write(path, content)
}
