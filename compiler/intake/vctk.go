package intake

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// vctk is the tree of the VCTK corpus, of its releases with one microphone
// (wav48) and with two (wav48_silence_trimmed). Its facts are from the READMEs of
// versions 0.80 and 0.92 (datashare.ed.ac.uk/handle/10283/3443): both microphones
// heard the same sentence, so one clip is taken; p280 and p315 have no second one,
// and p315 has no texts.
var vctk = Format{
	Name:  "vctk",
	Shape: "folders txt/SPEAKER with ID.txt, and wav48/SPEAKER with ID.wav or wav48_silence_trimmed/SPEAKER with ID_mic1.flac",
	Find: func(dir string) []Part {
		if isFolder(dir, "txt") && vctkAudio(dir) != "" {
			return []Part{{File: "txt"}}
		}
		return nil
	},
	Read: readVCTK,
}

// vctkAudio is the folder of VCTK's clips; of two the newer one.
func vctkAudio(dir string) string {
	for _, name := range []string{"wav48_silence_trimmed", "wav48"} {
		if isFolder(dir, name) {
			return name
		}
	}
	return ""
}

// Speakers are those of either tree, so that one without texts, or without clips, is seen.
func readVCTK(in *Input) error {
	audio := vctkAudio(in.Dir)
	if audio == "" {
		return errors.New("there is no wav48 or wav48_silence_trimmed beside it")
	}
	roots := in.lists([]string{in.File, audio})
	if roots[0].err != nil {
		return fmt.Errorf("a folder of speakers is wanted: %w", roots[0].err)
	}
	txt := in.File
	speakers := slices.Concat(roots[0].folders, roots[1].folders)
	slices.Sort(speakers)
	speakers = slices.Compact(speakers)
	var listed []string // of each speaker texts, then clips; "" for a folder that is not there
	for _, root := range roots {
		for _, s := range speakers {
			dir := ""
			if slices.Contains(root.folders, s) {
				dir = path.Join(root.dir, s)
			}
			listed = append(listed, dir)
		}
	}
	folders := in.lists(listed)
	var files []string
	for _, texts := range folders[:len(speakers)] {
		for _, name := range texts.files {
			if path.Ext(name) == ".txt" {
				files = append(files, path.Join(texts.dir, name))
			}
		}
	}
	read := in.smallTexts(files)
	for i, speaker := range speakers {
		n := 0
		for n < len(files) && path.Dir(files[n]) == path.Join(txt, speaker) {
			n++
		}
		v := vctkSpeaker{in: in, name: speaker, texts: path.Join(txt, speaker), clips: path.Join(audio, speaker), found: vctkClips(folders[len(speakers)+i])}
		v.read(files[:n], read[:n])
		files, read = files[n:], read[n:]
	}
	return nil
}

// vctkSpeaker is one speaker's texts and clips.
type vctkSpeaker struct {
	in           *Input
	name         string
	texts, clips string            // folders
	found        map[string]string // clips by utterance
}

// read makes a row of each text. Clips without a text are refused, those of a
// speaker who has none at all (p315) by one error.
func (v *vctkSpeaker) read(files []string, texts []small) {
	if len(files) == 0 && len(v.found) > 0 {
		v.in.refuseFile(v.texts, "", fmt.Errorf("speaker %s has no texts; clips in %s: %d", v.name, v.clips, len(v.found)))
		return
	}
	for i, file := range files {
		v.in.File = file
		id := strings.TrimSuffix(path.Base(file), ".txt")
		clip, ok := v.found[id]
		if !ok {
			clip = id + ".wav"
		}
		delete(v.found, id)
		text, err := texts[i].utterance()
		if err != nil {
			v.in.refuseFile(file, id, err)
			continue
		}
		v.in.Row(1, Row{ID: id, Text: text, Speaker: v.name, Audio: &Audio{Path: path.Join(v.clips, clip)}})
	}
	for _, id := range slices.Sorted(maps.Keys(v.found)) {
		v.in.refuseFile(path.Join(v.texts, id+".txt"), id, fmt.Errorf("no such file, and so no text for %s", path.Join(v.clips, v.found[id])))
	}
}

// vctkClips are the clips of a folder by utterance: the first microphone's, the
// second's where only that is there.
func vctkClips(l listing) map[string]string {
	all, clips := clipsOf(l), map[string]string{}
	for stem, name := range all {
		if id, ok := strings.CutSuffix(stem, "_mic2"); ok {
			if all[id+"_mic1"] == "" && all[id] == "" {
				clips[id] = name
			}
			continue
		}
		if id, ok := strings.CutSuffix(stem, "_mic1"); !ok || all[id] == "" {
			clips[id] = name
		}
	}
	return clips
}
