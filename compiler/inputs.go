package compiler

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// FindAudio is the path, relative to the dataset and with "/", of the one audio
// file of an id. The error says what is wrong where a row would be rejected.
func FindAudio(dataset, id string) (string, error) {
	f, err := newFinder(dataset)
	if err != nil {
		return "", err
	}
	rel, _, _, err := f.find(id)
	return rel, err
}

// Inputs lists the files that a build with these options reads from the
// dataset, sorted: the metadata, the audio of every row that has some, and the
// folders in which audio is looked for, because a file that turns up there can
// heal a row or spoil it. The dataset's own folder is not among them: the store
// lies in it, and each build changes its time stamp.
func Inputs(o Options) ([]string, error) {
	file := o.Metadata
	if file == "" {
		var err error
		if file, err = FindMetadata(o.Dataset); err != nil {
			return nil, err
		}
	}
	m, err := ReadMetadata(o.Dataset, file, o.Config.Format)
	if err != nil {
		return nil, err
	}
	f, err := newFinder(o.Dataset)
	if err != nil {
		return nil, fmt.Errorf("dataset %s: %w", o.Dataset, err)
	}
	inputs := []string{file}
	add := func(rel string) { inputs = append(inputs, filepath.Join(o.Dataset, filepath.FromSlash(rel))) }
	folders := map[string]bool{}
	for i := range m.Rows {
		id := m.Rows[i].ID
		if rel, _, _, err := f.find(id); err == nil {
			add(rel)
		}
		folders[path.Join("wavs", path.Dir(id))] = true
		folders[path.Dir(id)] = true
	}
	for dir := range folders {
		if info, err := os.Stat(f.path(dir)); err == nil && info.IsDir() && dir != "." {
			add(dir)
		}
	}
	slices.Sort(inputs)
	return slices.Compact(inputs), nil
}
