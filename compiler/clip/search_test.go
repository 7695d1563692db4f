package clip

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/intake"
	"voxpack/textnorm"
)

// closest is the search of byName by its definition: of the audio files in the
// two folders those of the very stem, else those that differ in Unicode form
// alone, else those that differ in case and perhaps in form.
func closest(files []string, id string) (found []string, differs string) {
	where, stem := path.Split(id)
	where = path.Clean(where)
	var same, form, cased []string
	for _, rel := range files {
		ext := path.Ext(rel)
		name := strings.TrimSuffix(path.Base(rel), ext)
		if dir := path.Dir(rel); !intake.KnownAudio(ext) || dir != where && dir != path.Join("wavs", where) {
			continue
		}
		a, b := textnorm.Compose(name), textnorm.Compose(stem)
		switch {
		case name == stem:
			same = append(same, rel)
		case a == b:
			form = append(form, rel)
		case strings.EqualFold(a, b):
			cased = append(cased, rel)
		}
	}
	switch {
	case len(same) > 0:
		return same, ""
	case len(form) > 0:
		return form, differsInForm
	}
	return cased, differsInCase
}

// TestTheNearestNameIsFoundAndTiesAreRefused holds the search to its definition
// over random folders, whose names are near each other in all ways.
func TestTheNearestNameIsFoundAndTiesAreRefused(t *testing.T) {
	// Composed and decomposed, small and capital; the Kelvin sign folds to k.
	stems := []string{"a", "A", "k", "K", "\u212a", "\u00e9", "e\u0301", "\u00c9", "E\u0301", "a.b", "A.b", "\u00df", "ss"}
	folders := []string{".", "wavs", "sub", "wavs/sub", "other"}
	extensions := []string{".wav", ".WAV", ".flac", ".mp3", ".Opus", ".txt", ""}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	outcomes := map[string]int{}
	base, err := os.MkdirTemp("/dev/shm", "voxpack-test-") // thousands of files, none about a disk
	if err != nil {
		base = t.TempDir()
	}
	defer os.RemoveAll(base)
	for round := range 200 {
		dir := filepath.Join(base, fmt.Sprint(round))
		for range 1 + r.IntN(12) {
			placeFile(t, filepath.Join(dir, pick(folders), pick(stems)+pick(extensions)), []byte("bytes"))
		}
		var files []string // as they lie there: a system may know one case alone
		err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				rel, _ := filepath.Rel(dir, p)
				files = append(files, filepath.ToSlash(rel))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		f, err := OpenFolder(intake.Corpus{Dir: dir}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, stem := range stems {
			id := path.Join(pick([]string{".", "sub"}), stem)
			want, differs := closest(files, id)
			got, _, how, err := f.Find(&intake.Row{ID: id})
			switch {
			case len(want) == 0:
				outcomes["none"]++
				if !errors.Is(err, errNoClip) {
					t.Errorf("%q in %q: %q, %v; want none", id, files, got, err)
				}
			case len(want) == 1:
				outcomes["one "+differs]++
				if err != nil || got != want[0] || how != differs {
					t.Errorf("%q in %q: %q, differs in %q, %v; want %q, %q", id, files, got, how, err, want[0], differs)
				}
			default:
				outcomes["several "+differs]++
				if err == nil || errors.Is(err, errNoClip) {
					t.Errorf("%q in %q: %q, %v; %q are as near", id, files, got, err, want)
				} else if msg := err.Error(); !containsAll(msg, want) || !strings.Contains(msg, fmt.Sprint(len(want))) {
					t.Errorf("%q in %q: %v; want %q named", id, files, err, want)
				}
			}
		}
	}
	for _, kind := range []string{"none", "one ", "one " + differsInForm, "one " + differsInCase, "several ", "several " + differsInForm, "several " + differsInCase} {
		if outcomes[kind] < 3 {
			t.Errorf("%q came %d times of all: the folders do not show it", kind, outcomes[kind])
		}
	}
}

func containsAll(s string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(s, p) })
}

// TestThePathOfTheMetadataIsSearchedInSteps: the file itself, its name with
// another extension, in wavs, and by its last part only where its folder has no
// recordings. An earlier step hides the later ones.
func TestThePathOfTheMetadataIsSearchedInSteps(t *testing.T) {
	for _, c := range []struct {
		name, audio, files, want string
	}{
		{"the file itself, beside twins", "x/a.wav", "x/a.wav x/a.flac wavs/x/a.wav wavs/a.wav a.wav", "x/a.wav"},
		{"another extension in its folder", "x/a.wav", "x/a.flac wavs/a.wav a.wav", "x/a.flac"},
		{"its folder in wavs", "x/a.wav", "wavs/x/a.wav wavs/a.wav", "wavs/x/a.wav"},
		{"its folder and the one in wavs", "x/a.wav", "x/a.mp3 wavs/x/a.flac", "2 audio files have this name (wavs/x/a.flac, x/a.mp3); keep one"},
		{"another case in its folder, before the last part", "x/a.wav", "x/A.wav wavs/a.wav", "x/A.wav"},
		{"the last part in wavs", "x/a.wav", "wavs/a.wav", "wavs/a.wav"},
		{"the last part beside the metadata, another extension", "x/y/a.wav", "a.flac", "a.flac"},
		{"the last part of a folder without recordings", "x/a.wav", "x/notes.txt wavs/a.wav", "wavs/a.wav"},
		{"no last part of a folder that has recordings", "x/a.wav", "x/b.wav wavs/a.wav", "no audio: neither wavs/x/a.wav nor x/a.wav is there"},
		{"no path but the last part", "x/y/a.wav", "y/a.wav z/a.wav", "no audio: neither x/y/a.wav nor wavs/a.wav of the same name is there"},
		{"two of the last part", "x/a.wav", "wavs/a.wav a.wav", "2 audio files have this name (wavs/a.wav, a.wav); keep one"},
		{"two that are near the last part", "x/ab.wav", "wavs/AB.wav Ab.wav",
			"no audio has this name, and 2 differ from it only in case (wavs/AB.wav, Ab.wav); rename the one that is meant"},
		{"a name without a folder has no last part", "a.wav", "x/a.wav", "no audio: neither wavs/a.wav nor a.wav is there"},
	} {
		dir := t.TempDir()
		for _, name := range strings.Fields(c.files) {
			placeFile(t, filepath.Join(dir, filepath.FromSlash(name)), []byte("bytes"))
		}
		f, err := OpenFolder(intake.Corpus{Dir: dir}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, now, _, err := f.Find(&intake.Row{ID: "a", Audio: &intake.Audio{Path: c.audio}})
		if err != nil {
			got = err.Error()
		}
		if got != c.want || err == nil && now.Size != 5 {
			t.Errorf("%s: %s among %s is %s (%+v); want %s", c.name, c.audio, c.files, got, now, c.want)
		}
	}
}

// TestWhatStandsAtTheLastStepIsSaid: a file that is found by the last part of its name and
// cannot be used is no file that is missing.
func TestWhatStandsAtTheLastStepIsSaid(t *testing.T) {
	for what, place := range map[string]func(file string) error{
		"wavs/a.wav is empty (0 bytes)":   func(file string) error { return os.WriteFile(file, nil, 0o666) },
		"wavs/a.wav is not a file":        func(file string) error { return os.Mkdir(file, 0o777) },
		"wavs/a.wav is a link to nothing": func(file string) error { return os.Symlink("b.wav", file) },
	} {
		dir := t.TempDir()
		if err := errors.Join(os.Mkdir(filepath.Join(dir, "wavs"), 0o777), place(filepath.Join(dir, "wavs", "a.wav"))); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFolder(intake.Corpus{Dir: dir}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, err = f.Find(&intake.Row{ID: "a", Audio: &intake.Audio{Path: "x/a.wav"}}); err == nil || err.Error() != what {
			t.Errorf("the last step says %v, want %s", err, what)
		}
	}
}
