package config

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/en/config.md and docs/fa/config.md")

func TestReferencePagesAreMadeFromTheTable(t *testing.T) {
	for _, language := range []string{"en", "fa"} {
		path := filepath.Join("..", "..", "docs", language, "config.md")
		want := Reference(language)
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what the table of keys gives: run go test ./internal/config -update", path)
		}
		for _, k := range Keys() {
			if !strings.Contains(want, "\n### `"+k.Name+"`\n") {
				t.Errorf("%s: no heading for %s", path, k.Name)
			}
		}
	}
}

func TestReferencePagesAreTwins(t *testing.T) {
	outline := func(page string) (headings, code int) {
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "#") {
				headings++
			}
			if strings.HasPrefix(line, "```") {
				code++
			}
		}
		return headings, code
	}
	en, enCode := outline(Reference("en"))
	fa, faCode := outline(Reference("fa"))
	if fa != en || faCode != enCode || en < len(Keys()) {
		t.Errorf("fa has %d headings and %d fences, en %d and %d", fa, faCode, en, enCode)
	}
}
