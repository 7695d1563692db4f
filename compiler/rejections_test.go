package compiler

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/compiler/kind"
	"voxpack/store"
	"voxpack/textnorm"
)

// TestEveryProblemInOneRun has every way in which a row can be wrong in one
// file: all of them come out of one build, in the order of the file.
func TestEveryProblemInOneRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := noiseWAV(1, 8000, 1200)
	outside := filepath.Join(t.TempDir(), "out.wav")
	writeFile(t, outside, good)
	pcm := good[44:]
	truncated := bytes.Clone(good)[:len(good)-100]
	lying := bytes.Clone(good)
	copy(lying[40:], []byte{0xff, 0xff, 0xff, 0x7f})
	wavs := map[string][]byte{
		"good": good, "notwav": []byte("this is no sound, it is text that somebody named so"), "truncated": truncated, "lying": lying,
		"float": wavFile(3, 1, 8000, 32, bytes.Repeat([]byte{0, 0, 0xc0, 0x7f}, 600)), "zero": wavFile(1, 1, 8000, 16, nil), "short": noiseWAV(2, 8000, 50), "none": {},
		"long": noiseWAV(3, 8000, 4000), "forty": wavFile(1, 1, 8000, 40, pcm),
	}
	for _, id := range []string{"utf8", "extra", "few", "notext", "unknown", "onebad", "dup", "same", "wordy", "klingon", "stranger", "nospeaker", "twice"} {
		wavs[id] = good
	}
	for id, b := range wavs {
		writeFile(t, filepath.Join(dir, "wavs", id+".wav"), b)
	}
	writeFile(t, filepath.Join(dir, "twice.wav"), good)
	if err := errors.Join(os.Symlink(outside, filepath.Join(dir, "wavs", "link.wav")), os.Symlink("gone.wav", filepath.Join(dir, "wavs", "dangling.wav")),
		os.Mkdir(filepath.Join(dir, "wavs", "folder.wav"), 0o777)); err != nil {
		t.Fatal(err)
	}
	type row struct { // no reason: kept
		line, id, stage string
		kind            kind.Rejection
		reason          string
	}
	rows := []row{
		{"good|fine text|fine text|ada|en", "", "", "", ""},
		{"utf8|caf\xe9|text|ada|en", "utf8", "metadata", kind.BadRow, "invalid UTF-8 at byte 8 of the line (0xE9)"},
		{"few|text", "few", "metadata", kind.BadRow, "2 columns, the other lines have 5"},
		{"extra|text|text|ada|en|more", "extra", "metadata", kind.BadRow, "6 columns, the other lines have 5"},
		{"|text|text|ada|en", "", "metadata", kind.BadRow, "the id is empty"},
		{"/etc/passwd|text|text|ada|en", "/etc/passwd", "metadata", kind.BadRow, "not a path below the dataset"},
		{"../good|text|text|ada|en", "../good", "metadata", kind.BadRow, "leaves the dataset's folder"},
		{`wavs\good|text|text|ada|en`, `wavs\good`, "metadata", kind.BadRow, "not a path below the dataset"},
		{"link|text|text|ada|en", "link", "audio", kind.NoAudio, "link out of the dataset"},
		{"dangling|text|text|ada|en", "dangling", "audio", kind.NoAudio, "link to nothing"},
		{"folder|text|text|ada|en", "folder", "audio", kind.NoAudio, "is not a file"},
		{"missing|text|text|ada|en", "missing", "audio", kind.NoAudio, "no audio"},
		{"none|text|text|ada|en", "none", "audio", kind.NoAudio, "is empty (0 bytes)"},
		{"twice|text|text|ada|en", "twice", "audio", kind.NoAudio, "2 audio files have this name"},
		{"notwav|text|text|ada|en", "notwav", "audio", kind.BadAudio, "WAV"},
		{"truncated|text|text|ada|en", "truncated", "audio", kind.BadAudio, "WAV header"},
		{"lying|text|text|ada|en", "lying", "audio", kind.BadAudio, "WAV header"},
		{"float|text|text|ada|en", "float", "audio", kind.BadAudio, "sample 0 (0.000 s) is NaN"},
		{"forty|text|text|ada|en", "forty", "audio", kind.BadAudio, "40 bits"},
		{"zero|text|text|ada|en", "zero", "audio", kind.BadAudio, "no samples"},
		{"short|text|text|ada|en", "short", "mel", kind.Seconds, "a clip of 50 samples is shorter than"},
		{"notext|||ada|en", "notext", "text", kind.NoText, "the text is empty"},
		{"unknown|☃☃|☃☃|ada|en", "unknown", "tokens", kind.NoTokens, "U+2603"},
		{"onebad|snow ☃ falls|snow ☃ falls|ada|en", "onebad", "tokens", kind.NoTokens, "U+2603"},
		{"dup|one|one|ada|en", "dup", "metadata", kind.ConflictingRows, "the id stands in 2 rows that differ (metadata.csv:25, metadata.csv:26)"},
		{"dup|two|two|ada|en", "dup", "metadata", kind.ConflictingRows, "the id stands in 2 rows that differ (metadata.csv:25, metadata.csv:26)"},
		{"same|equal|equal|ada|en", "", "", "", ""},
		{"same|equal|equal|ada|en", "", "", "", ""},
		{"wordy|" + strings.Repeat("word ", 30) + "|" + strings.Repeat("word ", 30) + "|ada|en", "wordy", "tokens", kind.Overlong, "149 tokens, max_text_length is 40"},
		{"long|text|text|ada|en", "long", "mel", kind.Overlong, "62 frames, max_mel_frames is 36"},
		{"klingon|text|text|ada|tlh", "klingon", "metadata", kind.BadRow, `language "tlh" is not a known code`},
		{"nospeaker|text|text||en", "nospeaker", "metadata", kind.BadRow, "the speaker column is empty"},
		{"stranger|text|text|bob|en", "stranger", "metadata", kind.UnknownSpeaker, `speaker "bob" is not in the config's speakers list`},
	}
	var src strings.Builder
	var want []row
	for i, r := range rows {
		src.WriteString(r.line + "\n")
		if r.reason != "" {
			r.line = fmt.Sprint("metadata.csv:", i+1)
			want = append(want, r)
		}
	}
	writeFile(t, filepath.Join(dir, "metadata.csv"), []byte(src.String()))
	c := smallConfig()
	c.Speakers, c.Tokens = []string{"ada"}, textnorm.TokenizerConfig{Unknown: "reject"}
	for round, o := range []Options{{Dataset: dir, Config: c, DryRun: true}, {Dataset: dir, Config: c}, {Dataset: dir, Config: c}} {
		r := mustBuild(t, o)
		if r.Rows.Kept != 2 || r.Rows.Rejected != len(want) || r.Rows.Total != 2+len(want) {
			t.Errorf("build %d: rows = %+v, want 2 kept and %d rejected", round, r.Rows, len(want))
		}
		for i := range max(len(want), len(r.Rejections)) {
			if i >= len(want) || i >= len(r.Rejections) {
				t.Fatalf("build %d: %d rejections, want %d; the last is %v", round, len(r.Rejections), len(want), r.Rejections[len(r.Rejections)-1])
			}
			x, w := r.Rejections[i], want[i]
			if got := fmt.Sprintf("%s:%d", x.File, x.Line); got != w.line || x.ID != w.id || x.Stage != w.stage || x.Kind != string(w.kind) || !strings.Contains(x.Reason, w.reason) {
				t.Errorf("build %d: rejection (%s) %v, want (%s) %s: %s: %s: …%s…", round, x.Kind, x, w.kind, w.line, w.id, w.stage, w.reason)
			}
			if strings.Contains(x.Reason, dir) {
				t.Errorf("build %d: the reason of %s depends on where the dataset lies: %s", round, x.ID, x.Reason)
			}
		}
		if n := r.Notes; len(n) == 0 || n[0].Kind != "repeated-row" || n[0].Count != 1 {
			t.Errorf("build %d: notes = %v, want the equal repeated row", round, n)
		}
	}
}

// TestARejectionOfAnotherVersionHasAKind: an older store kept none and a newer one may
// have more, and a program that reads JSON finds one of the table all the same.
func TestARejectionOfAnotherVersionHasAKind(t *testing.T) {
	for had, want := range map[string]kind.Rejection{"": kind.Other, "clipped": kind.Other, "overlong": kind.Overlong} {
		if got := RejectedRowOf(&store.Rejection{Kind: had}).Kind; got != string(want) {
			t.Errorf("kind %q is reported as %q, want %q", had, got, want)
		}
	}
}
