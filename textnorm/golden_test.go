package textnorm

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"voxpack/textnorm/detect"
	"voxpack/textnorm/spoken"
)

var update = flag.Bool("update", false, "add the digest of a new stage version to testdata/golden.txt")

// corpus is the kept corpus: one text a line, in many scripts, not all of it UTF-8.
func corpus(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

// TestOutputChangesOnlyWithTheVersion holds each stage to the digest that its
// version had before. -update adds a line for a new version and never changes
// one: a result that changed needs a new version.
func TestOutputChangesOnlyWithTheVersion(t *testing.T) {
	const path = "testdata/golden.txt"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	golden := map[string]string{}
	for line := range strings.Lines(string(b)) {
		version, digest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		golden[version] = digest
	}
	spokenVersion := TextVersion + " " + spoken.Version + " " + detect.Version
	for version, output := range map[string]string{TextVersion: textOutput(t), spokenVersion: spokenOutput(t), TokensVersion: tokensOutput(t)} {
		got := fmt.Sprintf("%x", sha256.Sum256([]byte(output)))
		want, known := golden[version]
		switch {
		case !known && *update:
			b = fmt.Appendf(b, "%s\t%s\n", version, got)
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
		case !known:
			t.Errorf("version %q has no digest in %s: run with -update", version, path)
		case got != want:
			t.Errorf("output of %q has digest %s, want %s: raise the version, then -update", version, got, want)
		}
	}
}

func textOutput(t *testing.T) string {
	var b strings.Builder
	n := newNormalizer(t)
	for _, line := range corpus(t) {
		text, notes := n.Normalize(line, "und")
		fmt.Fprintf(&b, "%q %v\n", text, notes)
	}
	return b.String()
}

// spokenOutput is what the rules of languages say of the same lines, with soft hyphens
// in their words and damage beside them, so that notes and repairs are held too.
func spokenOutput(t *testing.T) string {
	var b strings.Builder
	n, err := NewNormalizer(Config{Mojibake: MojibakeRepair, Verbalise: true, CodeSwitching: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range corpus(t) {
		line = strings.ReplaceAll(line, "á", "á\u00ad") + " TÃ¼kÃ¶r, кириллица 1990 سال"
		for _, language := range []string{"en", "fa", "und"} {
			text, notes := n.Normalize(line, language)
			fmt.Fprintf(&b, "%s %q %v\n", language, text, notes)
		}
	}
	return b.String()
}

func tokensOutput(t *testing.T) string {
	var b strings.Builder
	configs := []TokenizerConfig{{}, {Unknown: UnknownUnk, AddBlank: true, AddBOS: true, AddEOS: true},
		{Unknown: UnknownReject}, {Symbols: small}}
	for _, c := range configs {
		tok := newTokenizer(t, c)
		for _, line := range corpus(t) {
			ids, notes, err := tok.Encode(nil, line)
			fmt.Fprintf(&b, "%v %v %v\n", ids, notes, err)
		}
	}
	return b.String()
}
