package intake

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// mls is Multilingual LibriSpeech, one language of it. The language is said in the
// name of the folder alone, which is no part of a dataset: the config gives it.
// openslr.org/94: ids are SPEAKER_BOOK_NUMBER, and the first two are the clip's
// folders, so a line without them names no file. segments.txt says where in LibriVox
// a clip is from, and limited_supervision/ lists ids of this same file again.
var mls = Format{
	Name:  "mls",
	Shape: "folders train, dev, test, each with transcripts.txt (id, tab, text) and audio/SPEAKER/BOOK",
	Find: func(dir string) []Part {
		var parts []Part
		for _, name := range []string{"train", "dev", "test"} {
			if regular(dir, name, "transcripts.txt") && isFolder(dir, name, "audio") {
				split, _ := ParseSplit(name)
				parts = append(parts, Part{File: name + "/transcripts.txt", Split: split})
			}
		}
		return parts
	},
	Read: readMLS,
}

func readMLS(in *Input) error {
	src, err := in.Text(in.File)
	if err != nil {
		return err
	}
	audio := path.Join(path.Dir(in.File), "audio")
	in.Lines(src, func(n int, line string) {
		id, text, _ := strings.Cut(line, "\t")
		id, text = strings.TrimSpace(id), strings.TrimSpace(text)
		names := strings.Split(id, "_")
		shown, err := ID(id)
		switch {
		case err != nil:
		case len(names) != 3 || names[0] == "" || names[1] == "" || names[2] == "":
			err = fmt.Errorf("the id is not SPEAKER_BOOK_NUMBER, by which the clip is found")
		case text == "":
			err = errors.New("no text; the line is id, tab, text")
		}
		if err != nil {
			in.Refuse(n, shown, err)
			return
		}
		in.Row(n, Row{ID: id, Text: text, Speaker: names[0],
			Audio: &Audio{Path: path.Join(audio, names[0], names[1], id+".flac")}})
	})
	return nil
}
