package intake

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// librispeech is LibriSpeech's tree of subsets, speakers and chapters, as its
// README.TXT describes it: readers and chapters have LibriVox's numbers, utterances
// four digits after both, and texts are in capitals without punctuation.
var librispeech = Format{
	Name:  "librispeech",
	Shape: "folders train-…/SPEAKER/CHAPTER, or SPEAKER/CHAPTER, with SPEAKER-CHAPTER.trans.txt beside the clips",
	Find: func(dir string) []Part {
		return chapterParts(dir, func(name string) bool { return strings.HasSuffix(name, ".trans.txt") })
	},
	Read: readLibriSpeech,
}

// chapterParts are the subsets of a tree SUBSET/SPEAKER/CHAPTER, or the folder
// itself where speakers stand in it. In the chapters have to be files that the
// format is told by.
func chapterParts(dir string, known func(file string) bool) []Part {
	var parts []Part
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		word, _, _ := strings.Cut(e.Name(), "-")
		split, err := ParseSplit(word)
		if err == nil && split != Unsplit && hasChapter(filepath.Join(dir, e.Name()), known) {
			parts = append(parts, Part{File: e.Name(), Split: split})
		}
	}
	if parts == nil && hasChapter(dir, known) {
		parts = []Part{{File: "."}}
	}
	return parts
}

// looked is how many speakers, and chapters of each, are looked into for a file
// that tells the format: the first have one, or the tree is another.
const looked = 4

// hasChapter reports whether a folder holds SPEAKER/CHAPTER with a known file.
// Speakers and chapters are numbers.
func hasChapter(dir string, known func(file string) bool) bool {
	numbers := func(dir string) []string {
		var out []string
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if strings.Trim(e.Name(), "0123456789") == "" && len(out) < looked {
				out = append(out, filepath.Join(dir, e.Name()))
			}
		}
		return out
	}
	for _, speaker := range numbers(dir) {
		for _, chapter := range numbers(speaker) {
			entries, _ := os.ReadDir(chapter)
			if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return known(e.Name()) }) {
				return true
			}
		}
	}
	return false
}

// chapters lists the chapters of a part, and whose they are.
func (in *Input) chapters() ([]listing, error) {
	root := in.lists([]string{in.File})
	if root[0].err != nil {
		return nil, fmt.Errorf("a folder of speakers is wanted: %w", root[0].err)
	}
	return in.lists(foldersOf(in.lists(foldersOf(root)))), nil
}

// The speaker is the name of the folder above the chapter's. Clips are FLAC, as in
// the release; the search for a clip allows another extension.
func readLibriSpeech(in *Input) error {
	chapters, err := in.chapters()
	if err != nil {
		return err
	}
	var files []string
	for _, c := range chapters {
		found := slices.DeleteFunc(slices.Clone(c.files), func(name string) bool { return !strings.HasSuffix(name, ".trans.txt") })
		files = append(files, c.within(found)...)
		if clips := clipsOf(c); len(found) == 0 && len(clips) > 0 {
			missing := path.Join(c.dir, path.Base(path.Dir(c.dir))+"-"+path.Base(c.dir)+".trans.txt")
			in.refuseFile(missing, "", fmt.Errorf("no such file, and so no text for the clips beside it: %d", len(clips)))
		}
	}
	for i, trans := range in.smallTexts(files) {
		in.File = files[i]
		if trans.err != nil {
			in.Refuse(1, "", trans.err)
			continue
		}
		dir := path.Dir(in.File)
		in.Lines(trans.text, func(n int, line string) {
			id, text, _ := strings.Cut(strings.TrimSpace(line), " ")
			if text = strings.TrimSpace(text); text == "" {
				in.refuse(n, id, errors.New("no text after the id"))
				return
			}
			in.Row(n, Row{ID: id, Text: text, Speaker: path.Base(path.Dir(dir)), Audio: &Audio{Path: path.Join(dir, id+".flac")}})
		})
	}
	return nil
}

// clipsOf are the files of a listing that are audio, by their stems.
func clipsOf(l listing) map[string]string {
	clips := map[string]string{}
	for _, name := range l.files {
		if ext := path.Ext(name); KnownAudio(ext) {
			clips[strings.TrimSuffix(name, ext)] = name
		}
	}
	return clips
}
