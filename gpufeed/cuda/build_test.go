package cuda

import (
	"go/build"
	"slices"
	"testing"
)

// TestImports: which builds have purego in them, and with it a dynamic loader.
func TestImports(t *testing.T) {
	const purego = "github.com/ebitengine/purego"
	for _, tt := range []struct {
		name     string
		os, arch string
		tags     []string
		linked   bool
	}{
		{"Linux amd64 speaks to GPUs", "linux", "amd64", nil, true},
		{"Linux arm64 does too", "linux", "arm64", nil, true},
		{"nogpu leaves purego out", "linux", "amd64", []string{"nogpu"}, false},
		{"other processors do", "linux", "riscv64", nil, false},
		{"macOS does", "darwin", "arm64", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := build.Default
			ctx.GOOS, ctx.GOARCH, ctx.BuildTags, ctx.CgoEnabled = tt.os, tt.arch, tt.tags, false
			pkg, err := ctx.ImportDir(".", 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(pkg.Imports, purego); got != tt.linked {
				t.Errorf("purego is imported: %v, want %v", got, tt.linked)
			}
		})
	}
}
