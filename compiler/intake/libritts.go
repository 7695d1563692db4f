package intake

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
)

// libritts is LibriTTS's tree: LibriSpeech's, with two texts beside each clip (its
// README, and that of LibriTTS-R). Names are SPEAKER_CHAPTER_PARAGRAPH_SENTENCE, but
// nothing is taken out of them: the folders tell the speaker.
var libritts = Format{
	Name:  "libritts",
	Shape: "folders train-…/SPEAKER/CHAPTER, or SPEAKER/CHAPTER, with ID.original.txt and ID.normalized.txt beside ID.wav",
	Find: func(dir string) []Part {
		return chapterParts(dir, func(name string) bool {
			return strings.HasSuffix(name, originalText) || strings.HasSuffix(name, normalizedText)
		})
	},
	Read: readLibriTTS,
}

const (
	originalText   = ".original.txt"
	normalizedText = ".normalized.txt"
)

// twoTexts are the files of one utterance of LibriTTS.
type twoTexts struct {
	dir, id              string
	original, normalized int // 1 + their place among the files; 0: not there
}

// Utterances are taken from clips and both kinds of texts, so that each of the three
// that stands alone is reported.
func readLibriTTS(in *Input) error {
	chapters, err := in.chapters()
	if err != nil {
		return err
	}
	var files []string
	var all []twoTexts
	for _, c := range chapters {
		utterances := map[string]*twoTexts{}
		of := func(id string) *twoTexts {
			if utterances[id] == nil {
				utterances[id] = &twoTexts{dir: c.dir, id: id}
			}
			return utterances[id]
		}
		for id := range clipsOf(c) {
			of(id)
		}
		for _, name := range c.files {
			if id, ok := strings.CutSuffix(name, originalText); ok {
				files = append(files, path.Join(c.dir, name))
				of(id).original = len(files)
			} else if id, ok := strings.CutSuffix(name, normalizedText); ok {
				files = append(files, path.Join(c.dir, name))
				of(id).normalized = len(files)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(utterances)) {
			all = append(all, *utterances[id])
		}
	}
	texts := in.smallTexts(files)
	for _, u := range all {
		in.readTwoTexts(u, texts)
	}
	return nil
}

// readTwoTexts makes a row of one utterance, or refuses it at the file that is
// the cause.
// The original is the text and the normalised one what is given for it; with one
// file alone that is the text. Positions name the file that the text is of.
func (in *Input) readTwoTexts(u twoTexts, texts []small) {
	clip := path.Join(u.dir, u.id)
	r := Row{ID: u.id, Speaker: path.Base(path.Dir(u.dir)), Audio: &Audio{Path: clip + ".wav"}}
	if u.original == 0 && u.normalized == 0 {
		in.refuseFile(clip+originalText, u.id, errors.New("no such file, nor "+u.id+normalizedText+", and so no text for the clip beside it"))
		return
	}
	var err error
	if u.normalized > 0 {
		if r.Given, err = texts[u.normalized-1].utterance(); err != nil {
			in.refuseFile(clip+normalizedText, u.id, err)
			return
		}
		r.Text, r.HasGiven, in.File = r.Given, true, clip+normalizedText
	}
	if u.original > 0 {
		if r.Text, err = texts[u.original-1].utterance(); err != nil {
			in.refuseFile(clip+originalText, u.id, err)
			return
		}
		in.File = clip + originalText
	}
	in.Row(1, r)
}
