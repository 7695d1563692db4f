package intake

import (
	"path"
	"slices"
	"strings"
)

// audiofolder is Hugging Face's AudioFolder: metadata.csv or metadata.jsonl with
// a column file_name, beside the clips, in the folder or in one for each split
// (huggingface.co/docs/datasets, "Create an audio dataset").
var audiofolder = Format{
	Name:  "audiofolder",
	Shape: "metadata.csv or metadata.jsonl with file_name and text (or transcription), in the folder or in train/, validation/ and test/",
	Find:  findAudioFolder,
	Look: func(lines []string) int {
		return max(tableLook(lines, ",", true), jsonLook(lines, true))
	},
	Read: readAudioFolder,
}

// isAudioFolder wants the name as the library does, letter by letter.
func isAudioFolder(header []string) bool { return slices.Contains(header, "file_name") }

// splitFolders are the names that the datasets library takes for splits
// (SPLIT_KEYWORDS in its data_files.py). It counts eval and evaluation as test; here
// they are val wherever they stand (ParseSplit), as in Coqui's metadata_eval.csv.
var splitFolders = []string{"train", "training", "validation", "valid", "val", "dev", "test", "testing", "eval", "evaluation"}

// findAudioFolder looks for metadata in the folder, then in one for each split,
// which may stand in data/.
func findAudioFolder(dir string) (parts []Part) {
	c := Corpus{Dir: dir}
	in := func(folder string) string {
		for _, name := range []string{"metadata.csv", "metadata.jsonl"} {
			file := path.Join(folder, name)
			if first := c.firstOf(file); first != "" && audiofolderLine(first) {
				return file
			}
		}
		return ""
	}
	if file := in("."); file != "" {
		return []Part{{File: file}}
	}
	for _, top := range []string{".", "data"} {
		for _, name := range splitFolders {
			if file := in(path.Join(top, name)); file != "" {
				split, _ := ParseSplit(name)
				parts = append(parts, Part{File: file, Split: split})
			}
		}
	}
	return parts
}

// audiofolderLine reports whether a first line is a header with file_name and a text,
// or an object with both. Without a text the folder is one for classification.
func audiofolderLine(first string) bool {
	lines := []string{first}
	return tableLook(lines, ",", true) > 0 || jsonLook(lines, true) > 0
}

// readAudioFolder reads metadata whose paths begin where it stands. In one for
// all splits the first folder of a path is the split, as the datasets library
// has it.
func readAudioFolder(in *Input) error {
	folder := path.Dir(in.File)
	if path.IsAbs(in.File) {
		folder = "." // it stands outside, the clips below the corpus
	}
	from := len(in.table.Rows)
	s := &sheet{in: in, folder: folder, folderInID: true}
	read := func() error { return s.readTable(in.File, ",") }
	if path.Ext(in.File) == ".jsonl" {
		read = func() error { return s.readJSON(in.File) }
	}
	err := read()
	for i := from; i < len(in.table.Rows); i++ {
		r := &in.table.Rows[i]
		if r.Split != Unsplit || r.Audio == nil {
			continue
		}
		if name, _, below := strings.Cut(r.Audio.Path, "/"); below && slices.Contains(splitFolders, name) {
			r.Split, _ = ParseSplit(name)
			in.table.HasSplit = true
		}
	}
	return err
}
