package diagnose

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis/tune"
)

// form is what a file of --apply holds.
type form int

const (
	yamlForm  form = iota
	envForm        // NAME=value
	shellForm      // export NAME=value
)

// formOf tells the form by the end of a file's name.
func formOf(path string) (form, error) {
	switch filepath.Ext(path) {
	case ".yaml", ".yml":
		return yamlForm, nil
	case ".env":
		return envForm, nil
	case ".sh":
		return shellForm, nil
	}
	return 0, fmt.Errorf("--apply %s: want a file that ends in .yaml (settings), or in .env or .sh (variables)", path)
}

// write writes a new file, and refuses one that is there.
func (t *tuned) write(path string) error {
	kind, err := formOf(path)
	if err != nil {
		return term.Usagef("%w", err)
	}
	var b strings.Builder
	switch kind {
	case yamlForm:
		t.yaml(&b)
	case envForm:
		t.shell(&b, "")
	case shellForm:
		t.shell(&b, "export ")
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(b.String())
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path)) // half a file is none
	}
	return nil
}

// shell writes the variables, each under what is known of it.
func (t *tuned) shell(w io.Writer, before string) {
	fmt.Fprintln(w, "# environment")
	for _, v := range t.Environment {
		comment(w, "", v)
		value := fmt.Sprint(v.Value)
		if before != "" { // files of variables are no shell: quotes would be a part of the value
			value = quotedValue(value)
		}
		fmt.Fprintf(w, "%s%s=%s\n", before, v.Name, value)
	}
}

// quotedValue is a value as a shell takes it; it holds no quotes (tune.kept).
func quotedValue(v string) string {
	if strings.ContainsAny(v, " ;&|<>()*?#~[]{}!") {
		return "'" + v + "'"
	}
	return v
}

// yaml writes the settings that voxpack.yaml has.
func (t *tuned) yaml(w io.Writer) {
	fmt.Fprintln(w, "# voxpack.yaml\ndata:")
	for _, s := range t.Settings {
		if s.Place == tune.InConfig {
			comment(w, "  ", s)
			fmt.Fprintf(w, "  %s: %v\n", s.Name, s.Value)
		}
	}
}

// comment writes how an item is known and why it is so.
func comment(w io.Writer, indent string, item tune.Item) {
	text := fmt.Sprintf("%s: %s", item.Basis, item.Why)
	if item.Basis == tune.Table {
		text += " (" + item.Source + ")"
	}
	for _, line := range term.Wrapped(text) {
		fmt.Fprintf(w, "%s# %s\n", indent, line)
	}
}
