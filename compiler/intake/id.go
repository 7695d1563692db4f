package intake

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// AudioExtensions are the extensions an id's audio may have. They find a file,
// no more: what it is, its first bytes tell. The first line is read by package
// audio, the others by ffmpeg where it is installed.
var AudioExtensions = []string{
	".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".aif", ".aiff", ".aifc", ".sph",
	".spx", ".m4a", ".m4b", ".mp4", ".aac", ".ac3", ".wma", ".webm", ".mka",
	".mp1", ".mp2", ".caf", ".au", ".amr", ".3gp", ".ape", ".tta", ".wv",
	".raw", ".pcm", // where the config says what they hold
}

// KnownAudio reports whether an extension, with its dot, is one of audio.
func KnownAudio(ext string) bool {
	return slices.Contains(AudioExtensions, strings.ToLower(ext))
}

// ID is a clip's name as metadata may write it, a path with wavs/ and extension, as
// the id that it stands for: without "wavs/" and a known extension. It stays inside
// the corpus's folder by construction of what is refused here.
func ID(name string) (string, error) {
	id := strings.TrimPrefix(strings.TrimPrefix(name, "./"), "wavs/")
	if ext := path.Ext(id); KnownAudio(ext) {
		id = strings.TrimSuffix(id, ext)
	}
	switch {
	case id == "":
		return "", fmt.Errorf("the id is empty")
	case strings.HasPrefix(name, "/") || strings.Contains(name, `\`) || onDrive(name):
		return id, fmt.Errorf("%q is not a path below the dataset; write it relative, with /", name)
	case strings.ContainsRune(id, 0):
		return "", fmt.Errorf("the id holds a NUL character")
	case strings.Contains(id, "\n"): // lists of ids have one a line
		return "", fmt.Errorf("the id holds a line end: %q", clip(id, shownID))
	case len(id) > maxID:
		return clip(id, shownID), fmt.Errorf("the id has %d bytes; %d are the most", len(id), maxID)
	}
	for part := range strings.SplitSeq(id, "/") {
		if part == ".." || part == "." || part == "" {
			return id, fmt.Errorf("%q leaves the dataset's folder or names no file", name)
		}
	}
	return id, nil
}

// onDrive reports whether a path begins like C:/ of Windows. "3:4" is an id, and so is
// "C:b", which Windows would look for in the present folder of the drive.
func onDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && path[2] == '/' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z')
}

// clip shortens s to at most n bytes and a sign of it, between two characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// shownID is how much of an id that is too long stands in a rejection.
const shownID = 64

// maxID bounds an id to what a file name may have on common file systems, with
// room for some folders.
const maxID = 1024

// clipAt gives a row the clip that its metadata names: the path as written is
// its id, unless it has one, and with a known extension it is the file as well.
func (in *Input) clipAt(r *Row, written string) {
	p := in.inside(written)
	if r.ID == "" {
		r.ID = p
	}
	if KnownAudio(path.Ext(p)) {
		r.Audio = &Audio{Path: p}
	}
}

// inside is a clip's path below the corpus. Of an absolute one the end counts:
// the longest whose folder is there, else the name alone. It says where the clip
// was when the list was made, and a corpus that moves, or that another machine
// has, stays the same one.
func (in *Input) inside(p string) string {
	if slashed := strings.ReplaceAll(p, `\`, "/"); onDrive(slashed) {
		p = slashed[2:]
	} else if !path.IsAbs(p) {
		return p
	}
	folder, name := path.Split(path.Clean(p))
	for folder = strings.Trim(folder, "/"); folder != ""; _, folder, _ = strings.Cut(folder, "/") {
		if in.hasFolder(folder) {
			return folder + "/" + name
		}
	}
	return name
}

// hasFolder reports whether the corpus has a folder, or a link to one.
func (in *Input) hasFolder(folder string) bool {
	there, known := in.folders[folder]
	if !known {
		there = isFolder(in.Dir, folder)
		if in.folders == nil {
			in.folders = map[string]bool{}
		}
		in.folders[folder] = there
	}
	return there
}
