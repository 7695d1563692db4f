package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestMakePagesHoldWhatTheScriptsRun: what a reader copies from the pages is
// what make and ninja ran.
func TestMakePagesHoldWhatTheScriptsRun(t *testing.T) {
	root := filepath.Join("..", "..")
	found := 0
	for _, script := range []string{"make", "ninja"} {
		a, err := txtar.ParseFile(filepath.Join(root, "testdata", "script", script+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if f.Name == "train" {
				continue
			}
			found++
			for _, lang := range []string{"en", "fa"} {
				page, err := os.ReadFile(filepath.Join(root, "docs", lang, "make.md"))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(page), "```"+script+"\n"+string(f.Data)+"```\n") {
					t.Errorf("docs/%s/make.md does not hold %s of %s.txtar", lang, f.Name, script)
				}
			}
		}
	}
	if found != 4 {
		t.Errorf("the scripts have %d files for the pages, want 4", found)
	}
}
