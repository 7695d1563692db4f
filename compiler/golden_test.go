package compiler

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/audio/resample"
	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/store"
	"voxpack/textnorm"
)

var update = flag.Bool("update", false, "rewrite testdata/golden/stages.txt")

// goldenStages holds lines of stage, version and digest, tab-separated.
var goldenStages = filepath.Join("..", "testdata", "golden", "stages.txt")

// TestAStageChangesOnlyWithItsVersion computes what each stage makes of the
// bundled corpora. Another digest under the same version means that stores out
// there would mix two outputs under one key: give the stage a new version, then
// rewrite the file with -update.
func TestAStageChangesOnlyWithItsVersion(t *testing.T) {
	var now []string
	for _, g := range goldenDigests(t) {
		now = append(now, strings.Join(g[:], "\t"))
	}
	text := strings.Join(now, "\n") + "\n"
	if *update {
		writeFile(t, goldenStages, []byte(text))
		return
	}
	b, err := os.ReadFile(goldenStages)
	if err != nil {
		t.Fatalf("%v; make it with go test ./compiler -run %s -update", err, t.Name())
	}
	kept := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		cols := strings.Split(line, "\t")
		kept[cols[0]] = cols
	}
	for _, g := range goldenDigests(t) {
		switch was := kept[g[0]]; {
		case len(was) != 3:
			t.Errorf("%s has no line in %s", g[0], goldenStages)
		case was[1] != g[1]:
			t.Errorf("%s is of version %q, the file has %q: rewrite it with -update", g[0], g[1], was[1])
		case was[2] != g[2] && strings.HasPrefix(g[0], "root"):
			t.Errorf("the %s is %s and was %s while no stage has a new version: settings, tables or records say something else, and every dataset gets another identity; if that is meant, rewrite it with -update", g[0], g[2], was[2])
		case was[2] != g[2]:
			t.Errorf("%s makes %s of the bundled corpora, and made %s under the same version %q: give it a new version", g[0], g[2], was[2], g[1])
		}
	}
	if len(kept) != len(now) {
		t.Errorf("%d lines in the file, %d stages and roots", len(kept), len(now))
	}
}

// goldenDigests is name, version and digest of each stage, then of each corpus's root.
func goldenDigests(t *testing.T) (out [][3]string) {
	t.Helper()
	outputs := map[string]*bytes.Buffer{}
	for s := range action.End() {
		outputs[s.Name()] = &bytes.Buffer{}
	}
	versions, used := "", Config{}
	for _, s := range used.stages().Versions() {
		versions += s.Name + "=" + s.Value + " "
	}
	var roots [][3]string
	for _, corpus := range []string{"en", "fa"} {
		dir := filepath.Join("..", "testdata", "corpus", corpus)
		m, err := intake.Read(intake.Corpus{Dir: dir})
		if err != nil || len(m.Errors) > 0 || len(m.Rows) < 5 {
			t.Fatalf("%s: %d rows, %v %v", dir, len(m.Rows), m.Errors, err)
		}
		for _, row := range m.Rows {
			goldenText(t, outputs, row)
			goldenAudio(t, outputs, dir, row.ID)
		}
		r := mustBuild(t, Options{Dataset: dir, Store: filepath.Join(t.TempDir(), "store")})
		roots = append(roots, [3]string{"root of " + corpus, strings.TrimSpace(versions), r.Dataset})
	}
	for s := range action.End() {
		out = append(out, [3]string{s.Name(), s.Version(), store.Sum(outputs[s.Name()].Bytes()).String()})
	}
	return append(out, roots...)
}

// goldenText runs the text stage over both text columns and the tokens stage,
// plain and with everything on, over what it makes.
func goldenText(t *testing.T, out map[string]*bytes.Buffer, row intake.Row) {
	t.Helper()
	normalizer, err := textnorm.NewNormalizer(textnorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	aloud, err := textnorm.NewNormalizer(textnorm.Config{Verbalise: true, Mojibake: textnorm.MojibakeRepair, CodeSwitching: true})
	if err != nil {
		t.Fatal(err)
	}
	// The rest has what no clean corpus has: composed late, controls, odd spaces.
	for _, text := range []string{row.Text, row.Given, "e\u0301\u0007 \u00a0x\u200b\u200cy " + row.Text} {
		spoken, notes := normalizer.Normalize(text, row.Language)
		fmt.Fprintf(out[action.NameText], "%q %q %v\n", row.Language, spoken, notes)
		for _, language := range []string{"en", "fa"} {
			said, notes := aloud.Normalize(text+" Dr. cafÃ© 12.5 km, ۳٫۱۴", language)
			fmt.Fprintf(out[action.NameText], "%q %v %s\n", said, notes, aloud.Language(text))
		}
		for _, c := range []textnorm.TokenizerConfig{{}, {Unknown: "unk", AddBlank: true, AddBOS: true, AddEOS: true}} {
			tok, err := textnorm.NewTokenizer(c)
			if err != nil {
				t.Fatal(err)
			}
			ids, notes, err := tok.Encode(nil, spoken+" ☃")
			fmt.Fprintln(out[action.NameTokens], ids, notes, err)
		}
	}
}

// goldenAudio decodes a clip, brings it to two rates, and makes mels in each
// number format.
func goldenAudio(t *testing.T, out map[string]*bytes.Buffer, dir, id string) {
	t.Helper()
	path, _ := statOf(t, dir, id)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pcm, info, err := codec.Decode(nil, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, rate := range []int{22050, 16000} {
		at := pcm
		if info.Rate != rate {
			r, err := resample.New(info.Rate, rate)
			if err != nil {
				t.Fatal(err)
			}
			at = r.Resample(nil, pcm)
		}
		fmt.Fprintf(out[action.NameAudio], "%s {%d %d %d %d} %d\n", id, info.Rate, info.Channels, info.Bits, info.Samples, len(at))
		binary.Write(out[action.NameAudio], binary.LittleEndian, at)
		mel, err := audio.NewMel(audio.MelConfig{SampleRate: rate})
		if err != nil {
			t.Fatal(err)
		}
		frames := make([]float32, mel.Frames(int64(len(at)))*mel.Config().NMels)
		mel.Compute(frames, at)
		for _, put := range []func([]byte, []float32){audio.PutFloat32, audio.PutFloat16, audio.PutBFloat16} {
			stored := make([]byte, 4*len(frames))
			put(stored, frames)
			out[action.NameMel].Write(stored)
		}
		for _, f := range audio.Features()[1:] {
			c, err := f.New(mel.Config())
			if err != nil {
				t.Fatal(err)
			}
			values := make([]float32, c.Frames(int64(len(at)))*c.Width())
			c.Compute(values, at)
			binary.Write(out[f.Name], binary.LittleEndian, values)
		}
	}
}
