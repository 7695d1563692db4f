package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/internal/config"
)

// configName is the config file that a dataset's folder may have.
const configName = "voxpack.yaml"

// order is what flags say of a compilation.
type order struct {
	dataset  string // folder; "" finds it
	config   string // file; "" is the dataset's own, if it has one
	metadata string // file; "" finds it
	store    string // folder; "" is the dataset's own
	workers  int    // 0: as the config says
	follow   bool   // links wherever they lead
}

// compiled puts an order and its config file together. Warnings go to stderr at
// once; problems are all listed and end the command before any work. The files
// are those that the config was read from, itself first.
func (o order) compiled(stderr io.Writer) (opts compiler.Options, files []string, err error) {
	path, err := o.configFile()
	if err != nil {
		return opts, nil, err
	}
	c, err := loadConfig(path, stderr)
	if err != nil {
		return opts, nil, err
	}
	if err := o.sources(path, &c.config); err != nil {
		return opts, nil, err
	}
	dataset, err := o.folder(c.config.Dataset.Path)
	if err != nil {
		return opts, nil, err
	}
	corpora, _ := translateCorpora(c.config) // loadConfig has judged its problems
	workers := o.workers
	if workers == 0 {
		workers = c.config.Workers
	}
	roots := c.config.Dataset.AudioRoots
	if o.follow {
		roots = []string{string(filepath.Separator)}
	}
	rows := c.config.Rows
	return compiler.Options{Dataset: dataset, Metadata: o.metadata, MetadataTrain: rows.MetadataTrain, MetadataEval: rows.MetadataEval,
		Columns: rows.Columns, Corpora: corpora, AudioRoots: roots, Store: o.store, Config: c.compile, MinKept: 1 - c.config.MaxLoss, Workers: workers, Tool: toolVersion(), Now: time.Now}, c.config.Files(), nil
}

// sources settles where rows come from, when the config at path names more than
// a folder. Several corpora have no folder in common: what belongs to all of
// them, as the store, lies beside the config.
func (o order) sources(path string, c *config.Config) error {
	for _, named := range []struct {
		key string
		set bool
	}{{"datasets", len(c.Dataset.Datasets) > 0}, {"metadata_train", c.Rows.MetadataTrain != ""}} {
		if named.set && o.metadata != "" {
			return usagef("--metadata and %v", c.Problem(named.key, "both say where the rows are", "take one of them away"))
		}
	}
	if len(c.Dataset.Datasets) == 0 {
		return nil
	}
	c.Dataset.Path = filepath.Dir(path)
	if o.config != "" && o.dataset != "" && !sameFolder(o.dataset, c.Dataset.Path) {
		return usagef("%s and %v", o.dataset, c.Problem("datasets", "both say where the rows are", "take one of them away, or move the config into that folder"))
	}
	return nil
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// configFile is --config, else the one in the dataset's folder, else "".
func (o order) configFile() (string, error) {
	if o.config != "" {
		return o.config, nil
	}
	dataset, err := o.folder("")
	if own := filepath.Join(dataset, configName); err == nil && isThere(own) {
		return own, nil
	}
	return "", err
}

// folder is the dataset's folder: the argument, else what the config says (where
// one was read), else the one we stand in.
func (o order) folder(configured string) (string, error) {
	switch {
	case o.dataset != "":
		return o.dataset, nil
	case o.config != "" && configured != "":
		return configured, nil
	}
	return datasetHere()
}

// isThere says yes as well where the system does not tell: who opens it hears why.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// loaded is a config file, read and translated.
type loaded struct {
	config  config.Config
	compile compiler.Config
}

// readRegular reads a file that the user names. What is none is refused before it is
// opened: a pipe waits for a writer that may never come, and hears no Ctrl-C meanwhile.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file but %s; write what it gives into a file, and name that", path, kindOf(info.Mode()))
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
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

// loadConfig reads a config file; "" gives the defaults.
func loadConfig(path string, stderr io.Writer) (loaded, error) {
	c := config.Default()
	var problems []config.Problem
	if path != "" {
		src, err := readRegular(path)
		if errors.Is(err, fs.ErrNotExist) {
			return loaded{}, usagef("config %s: no such file", path)
		}
		if err != nil {
			return loaded{}, usagef("config: %w", err)
		}
		c, problems = config.Load(path, src, intake.FormatNames())
	}
	compile, problems := translate(c, problems)
	if err := judge(problems, stderr); err != nil {
		return loaded{}, err
	}
	return loaded{c, compile}, nil
}

// judge prints warnings, or ends with everything that is wrong.
func judge(problems []config.Problem, stderr io.Writer) error {
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
	return usagef("%s in the config, nothing was done:%s", count(wrong, "problem"), b.String())
}
