package settings

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/internal/config"
	"voxpack/store"
)

// Flags is what flags say of a compilation.
type Flags struct {
	Dataset  string // folder; "" finds it
	Config   string // file; "" is the dataset's own, if it has one
	Metadata string // file; "" finds it
	Store    string // folder; "" is the dataset's own
	Workers  int    // 0: as the config says
	Follow   bool   // links wherever they lead
	Tool     string // the program and its version, which a snapshot keeps
}

// Options puts an order and its config file together. Warnings go to stderr at
// once; problems are all listed and end the command before any work. The files
// are those that the config was read from, itself first.
func (o Flags) Options(stderr io.Writer) (opts compiler.Options, files []string, err error) {
	path, err := o.configFile()
	if err != nil {
		return opts, nil, err
	}
	c, err := Load(path, stderr)
	if err != nil {
		return opts, nil, err
	}
	if err := o.sources(path, &c.Config); err != nil {
		return opts, nil, err
	}
	dataset, err := o.folder(c.Config.Dataset.Path)
	if err != nil {
		return opts, nil, err
	}
	corpora, _ := translateCorpora(c.Config) // loadConfig has judged its problems
	workers := o.Workers
	if workers == 0 {
		workers = c.Config.Workers
	}
	roots := c.Config.Dataset.AudioRoots
	if o.Follow {
		roots = []string{string(filepath.Separator)}
	}
	rows := c.Config.Rows
	return compiler.Options{Dataset: dataset, Metadata: o.Metadata, MetadataTrain: rows.MetadataTrain, MetadataEval: rows.MetadataEval,
		Columns: rows.Columns, Corpora: corpora, AudioRoots: roots, Store: o.Store, Config: c.Compile, MinKept: 1 - c.Config.MaxLoss, Keep: store.Retention(c.Config.Keep), Workers: workers, Tool: o.Tool, Now: time.Now}, c.Config.Files(), nil
}

// Retention is what the dataset's config says of earlier snapshots; without one, nothing.
func (o Flags) Retention(stderr io.Writer) (keep store.Retention, err error) {
	path, err := o.configFile()
	if err != nil || path == "" {
		return keep, err
	}
	c, err := Load(path, stderr)
	if err != nil {
		return keep, err
	}
	return store.Retention(c.Config.Keep), nil
}

// sources settles where rows come from, when the config at path names more than
// a folder. Several corpora have no folder in common: what belongs to all of
// them, as the store, lies beside the config.
func (o Flags) sources(path string, c *config.Config) error {
	for _, named := range []struct {
		key string
		set bool
	}{{"datasets", len(c.Dataset.Datasets) > 0}, {"metadata_train", c.Rows.MetadataTrain != ""}} {
		if named.set && o.Metadata != "" {
			return term.Usagef("--metadata and %v", c.Problem(named.key, "both say where the rows are", "take one of them away"))
		}
	}
	if len(c.Dataset.Datasets) == 0 {
		return nil
	}
	c.Dataset.Path = filepath.Dir(path)
	if o.Config != "" && o.Dataset != "" && !sameFolder(o.Dataset, c.Dataset.Path) {
		return term.Usagef("%s and %v", o.Dataset, c.Problem("datasets", "both say where the rows are", "take one of them away, or move the config into that folder"))
	}
	return nil
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// configFile is --config, else the one in the dataset's folder, else "".
func (o Flags) configFile() (string, error) {
	if o.Config != "" {
		return o.Config, nil
	}
	dataset, err := o.folder("")
	if own := filepath.Join(dataset, locate.ConfigName); err == nil && locate.Exists(own) {
		return own, nil
	}
	return "", err
}

// folder is the dataset's folder: the argument, else what the config says (where
// one was read), else the one we stand in.
func (o Flags) folder(configured string) (string, error) {
	switch {
	case o.Dataset != "":
		return o.Dataset, nil
	case o.Config != "" && configured != "":
		return configured, nil
	}
	return locate.Here()
}
