package clip

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/compiler/intake"
)

// TestFind says which file is an id's, and what is wrong where there is no one.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir()
	for _, name := range []string{"wavs/a.wav", "wavs/A2.WAV", "b.wav", "wavs/sub/c.wav", "other/d.wav", "wavs/a.wav.bak", "wavs/e.wave", "wavs/f.flac", "g.Opus", "wavs/h.wav", "h.mp3", "wavs/i.txt", "wavs/a.b.wav", "wavs/two.wav", "wavs/two.WAV", "wavs/under.wav", "store/real.wav", "wavs/cafe\u0301.wav", "wavs/sub/\u00fcber.wav", "wavs/\u00e4.wav",
		"wavs/Loud.wav", "wavs/twin.wav", "wavs/TWIN.flac", "wavs/o\u0308.wav", "\u00f6.wav", "wavs/\u00d6.wav", "wavs/i\u0301.wav", "wavs/\u00cd.wav", "wavs/E\u0301TE\u0301.wav", "wavs/Stra\u00dfe.wav", "wavs/b\xff.wav", "wavs/b\xfe.wav"} {
		placeFile(t, filepath.Join(dir, filepath.FromSlash(name)), []byte("bytes"))
	}
	placeFile(t, filepath.Join(dir, "wavs", "empty.wav"), nil)
	placeFile(t, filepath.Join(outside, "x.wav"), []byte("bytes"))
	err := errors.Join(
		os.Symlink(filepath.Join("..", "store", "real.wav"), filepath.Join(dir, "wavs", "inside.wav")),
		os.Symlink(filepath.Join(outside, "x.wav"), filepath.Join(dir, "wavs", "out.wav")),
		os.Symlink(outside, filepath.Join(dir, "wavs", "outdir")),
		os.Symlink("nowhere.wav", filepath.Join(dir, "wavs", "gone.wav")),
		os.Symlink("loop.wav", filepath.Join(dir, "wavs", "loop.wav")),
		os.Mkdir(filepath.Join(dir, "wavs", "folder.wav"), 0o777),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, id, want, reason string }{
		{"in wavs", "a", "wavs/a.wav", ""},
		{"an extension in capitals", "A2", "wavs/A2.WAV", ""},
		{"beside the metadata", "b", "b.wav", ""},
		{"in a folder of wavs", "sub/c", "wavs/sub/c.wav", ""},
		{"compressed", "f", "wavs/f.flac", ""},
		{"what ffmpeg reads, capitals", "g", "g.Opus", ""},
		{"a recording and its compressed twin", "h", "", "2 audio files have this name (wavs/h.wav, h.mp3)"},
		{"a text", "i", "", "no audio"},
		{"in another folder", "other/d", "other/d.wav", ""},
		{"a dot in the id", "a.b", "wavs/a.b.wav", ""},
		{"a link inside the dataset", "inside", "wavs/inside.wav", ""},
		{"another extension is no audio", "e", "", "no audio: neither wavs/e.wav nor e.wav is there"},
		{"no such folder", "x/y", "", "no audio"},
		{"a file name with its letters and marks apart", "caf\u00e9", "wavs/cafe\u0301.wav", ""},
		{"an id with its letters and marks apart", "sub/u\u0308ber", "wavs/sub/\u00fcber.wav", ""},
		{"another case", "LOUD", "wavs/Loud.wav", ""},
		{"another case and another Unicode form", "\u00e9t\u00e9", "wavs/E\u0301TE\u0301.wav", ""},
		{"the Unicode form comes before the case", "\u00ed", "wavs/i\u0301.wav", ""},
		{"the very name comes before all", "\u00d6", "wavs/\u00d6.wav", ""},
		{"two files in other cases", "Twin", "", "no audio has this name, and 2 differ from it only in case (wavs/TWIN.flac, wavs/twin.wav); rename the one that is meant"},
		{"two folders, one with the very name", "\u00f6", "\u00f6.wav", ""},
		{"two files of which a case is near, none by its form", "O\u0308", "wavs/\u00d6.wav", ""},
		{"letters that no case maps to each other", "Strasse", "", "no audio: neither wavs/Strasse.wav nor Strasse.wav is there"},
		{"broken bytes are not one letter", "b\ufffd", "", "no audio"},
		{"the same form", "\u00e4", "wavs/ä.wav", ""},
		{"a link out of the dataset", "out", "", "link out of the dataset"},
		{"a linked folder out of the dataset", "outdir/x", "", "link out of the dataset"},
		{"a link to nothing", "gone", "", "link to nothing"},
		{"a link to itself", "loop", "", "link to nothing"},
		{"a folder", "folder", "", "not a file"},
		{"no bytes", "empty", "", "empty (0 bytes)"},
		{"two files", "two", "", "2 audio files have this name (wavs/two.WAV, wavs/two.wav)"},
	} {
		got, err := findAudio(dir, c.id)
		if c.reason == "" && (err != nil || got != c.want) {
			t.Errorf("%s: find(%q) = %q, %v; want %q", c.name, c.id, got, err, c.want)
		}
		if c.reason != "" && (err == nil || !strings.Contains(err.Error(), c.reason)) {
			t.Errorf("%s: find(%q) = %q, %v; want %q", c.name, c.id, got, err, c.reason)
		}
		if err != nil && (strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), outside)) {
			t.Errorf("%s: the reason depends on where the dataset lies: %v", c.name, err)
		}
	}
}

// findAudio is the path, below the dataset, of the one audio file of an id.
func findAudio(dataset, id string) (string, error) {
	f, err := OpenFolder(intake.Corpus{Dir: dataset}, nil)
	if err != nil {
		return "", err
	}
	rel, _, _, err := f.byName(id)
	return rel, err
}

func placeFile(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, b, 0o666)); err != nil {
		t.Fatal(err)
	}
}
