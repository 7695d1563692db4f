package archtest

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// home is this module's path with the slash that follows it.
const home = "voxpack/"

// area is a folder of the tree with everything below it.
type area struct {
	name  string
	may   []string // the other areas that its packages may import
	tests []string // further areas that its _test.go files may import
}

// areas is the import graph. compiler and gpufeed never meet: only cmd and the
// benchmarks know both.
var areas = []area{
	{name: "internal/blake3"},
	{name: "store", may: []string{"internal/atomicfile", "internal/blake3"}},
	{name: "textnorm", may: []string{"internal/number"}, tests: []string{"internal/steptest"}},
	{name: "audio", tests: []string{"internal/exectest"}},
	{name: "internal/perf", may: []string{"internal/atomicfile"}},
	{name: "internal/config", may: []string{"internal/near"}, tests: []string{"compiler"}},
	{name: "internal/number"},
	{name: "internal/espeak", tests: []string{"internal/exectest"}},
	{name: "internal/atomicfile"},
	{name: "internal/near"},
	{name: "internal/memfile"},
	{name: "internal/npy", may: []string{"store"}},
	{name: "internal/archtest"},
	{name: "internal/docstest"},
	{name: "internal/corpustest"}, // for tests: the corpora in testdata
	{name: "internal/exectest"},   // for tests: programs that they run
	{name: "internal/schematest"}, // for tests: JSON against docs/schema
	{name: "internal/testreport"},
	{name: "internal/steptest"}, // for tests: what an input costs, without a clock
	{name: "compiler", may: []string{"store", "textnorm", "audio", "internal/perf", "internal/espeak", "internal/atomicfile", "internal/memfile", "internal/number"}, tests: []string{"internal/corpustest", "internal/exectest", "internal/config", "internal/steptest"}},
	{name: "gpufeed/driver"},
	{name: "gpufeed/cuda", may: []string{"gpufeed/driver"}, tests: []string{"gpufeed/fakecuda", "gpufeed/drivertest"}},
	{name: "gpufeed/sim", may: []string{"gpufeed/driver"}, tests: []string{"gpufeed/drivertest"}},
	{name: "gpufeed/nvml", may: []string{"gpufeed/topology"}, tests: []string{"gpufeed/fakecuda"}},
	{name: "gpufeed/topology", tests: []string{"gpufeed/sysfstest"}},
	{name: "gpufeed/sysfstest"}, // for tests: folders like /sys
	{name: "gpufeed/inventory", may: []string{"diagnosis", "gpufeed/driver", "gpufeed/nvml", "gpufeed/topology"},
		tests: []string{"gpufeed/cuda", "gpufeed/fakecuda", "gpufeed/sim", "gpufeed/sysfstest"}},
	{name: "gpufeed/drivertest", may: []string{"gpufeed/driver"}}, // for tests: what every driver keeps
	{name: "gpufeed/fakecuda"},                                    // for tests: a libcuda.so.1 in C
	{name: "gpufeed/plan", may: []string{"store"}, tests: []string{"gpufeed/datatest"}},
	{name: "gpufeed/stats", may: []string{"audio", "gpufeed/plan", "store"}, tests: []string{"gpufeed/datatest"}},
	{name: "gpufeed/extra", may: []string{"audio", "gpufeed/stats", "store"}},
	{name: "gpufeed/datatest", may: []string{"store"}}, // for tests: small datasets
	{name: "gpufeed", may: []string{"store", "internal/memfile", "internal/perf", "gpufeed/plan", "gpufeed/stats", "gpufeed/driver", "gpufeed/cuda", "gpufeed/sim", "gpufeed/nvml", "gpufeed/topology", "diagnosis", "gpufeed/extra"},
		tests: []string{"audio", "gpufeed/fakecuda", "gpufeed/datatest"}},
	{name: "diagnosis", may: []string{"gpufeed/topology", "internal/number", "internal/perf"}, tests: []string{"gpufeed/sysfstest"}},
	{name: "cmd/voxpack", may: []string{"compiler", "diagnosis", "gpufeed", "gpufeed/extra", "gpufeed/inventory", "gpufeed/plan", "gpufeed/sim", "gpufeed/stats", "store", "textnorm", "audio", "internal/config", "internal/perf", "internal/espeak", "internal/atomicfile", "internal/near", "internal/npy", "internal/number"}, tests: []string{"gpufeed/datatest", "gpufeed/fakecuda", "gpufeed/sysfstest", "gpufeed/topology", "internal/corpustest", "internal/exectest", "internal/schematest"}},
	{name: "bench", may: []string{"compiler", "gpufeed", "gpufeed/plan", "store", "textnorm", "audio", "internal/config", "internal/npy", "internal/perf"}, tests: []string{"internal/steptest"}},
}

// module is the door of a third-party module.
type module struct {
	prefix    string   // import paths that begin with this
	areas     []string // the areas that may import it; none: all
	oneFile   bool     // at most one production file imports it
	testsOnly bool     // only _test.go files import it
	tests     []string // areas whose tests may import it too
}

// modules lists every third-party module that may be imported at all; each has
// its note in docs/design.
var modules = []module{
	{prefix: "github.com/dgraph-io/badger/v4", areas: []string{"store"}},
	{prefix: "github.com/zeebo/blake3", areas: []string{"internal/blake3"}},
	// The model in compiler's tests places rows by itself, so as not to trust what it tests.
	{prefix: "github.com/cespare/xxhash/v2", areas: []string{"store"}, tests: []string{"compiler"}},
	{prefix: "github.com/spf13/cobra", areas: []string{"cmd/voxpack"}},
	{prefix: "github.com/spf13/pflag", areas: []string{"cmd/voxpack"}},
	{prefix: "github.com/vbauerster/mpb/v8", areas: []string{"cmd/voxpack"}},
	{prefix: "charm.land/bubbletea/v2", areas: []string{"cmd/voxpack"}, oneFile: true},
	{prefix: "github.com/charmbracelet/x/ansi", areas: []string{"cmd/voxpack"}, oneFile: true},
	{prefix: "github.com/prometheus/", testsOnly: true}, // a reader of metrics
	{prefix: "github.com/go-audio/", testsOnly: true},   // a second reader of WAV files
	{prefix: "golang.org/x/text", areas: []string{"textnorm"}, oneFile: true},
	{prefix: "github.com/goccy/go-yaml", areas: []string{"internal/config"}, oneFile: true},
	{prefix: "golang.org/x/image", areas: []string{"cmd/voxpack"}},
	{prefix: "golang.org/x/sys", areas: []string{"store", "gpufeed", "cmd/voxpack", "audio", "bench", "internal/blake3", "internal/memfile"}, tests: []string{"compiler"}},
	{prefix: "github.com/mmcloughlin/avo", areas: []string{"audio", "internal/blake3"}},
	{prefix: "github.com/ebitengine/purego", areas: []string{"gpufeed/cuda", "gpufeed/nvml"}},
	{prefix: "github.com/klauspost/compress", areas: []string{"compiler"}, oneFile: true},
	{prefix: "github.com/andybalholm/brotli", areas: []string{"compiler"}, oneFile: true},
	{prefix: "github.com/pierrec/lz4/v4", areas: []string{"compiler"}, oneFile: true},
	{prefix: "github.com/pion/opus", areas: []string{"audio"}, oneFile: true},
	{prefix: "github.com/rogpeppe/go-internal", testsOnly: true},
	{prefix: "github.com/santhosh-tekuri/jsonschema/v6", areas: []string{"internal/schematest"}, oneFile: true},
}

// importRule applies both tables.
func importRule(files []goFile) []string {
	var findings []string
	doors := map[string][]string{} // oneFile module -> production files that import it
	for _, f := range files {
		from, ok := areaOf(f.dir)
		if !ok {
			findings = append(findings, fmt.Sprintf("%s: %s is in no area; decide in the table what it may import", f.path, f.dir))
			continue
		}
		for _, spec := range f.syntax.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				findings = append(findings, fmt.Sprintf("%s: %v", f.line(spec.Pos()), err))
				continue
			}
			if why := checkImport(f, from, imp, doors); why != "" {
				findings = append(findings, fmt.Sprintf("%s: imports %s; %s", f.line(spec.Pos()), imp, why))
			}
		}
	}
	for _, m := range modules {
		if through := slices.Compact(doors[m.prefix]); len(through) > 1 {
			findings = append(findings, fmt.Sprintf("%s enters through %s; one file is the rule", m.prefix, strings.Join(through, ", ")))
		}
	}
	return findings
}

// checkImport says what is wrong with one import, or nothing.
func checkImport(f goFile, from area, imp string, doors map[string][]string) string {
	if ours, ok := strings.CutPrefix(imp, home); ok {
		return checkOurs(f, from, ours)
	}
	if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
		return "" // the standard library, or "C", which the cross-compilation finds
	}
	for _, m := range modules {
		if !strings.HasPrefix(imp, m.prefix) {
			continue
		}
		switch {
		case m.testsOnly && !f.test:
			return "only tests may"
		case len(m.areas) > 0 && !slices.Contains(m.areas, from.name) && !(f.test && slices.Contains(m.tests, from.name)):
			return "it enters through " + strings.Join(m.areas, " and ") + " only"
		}
		if m.oneFile && !f.test {
			doors[m.prefix] = append(doors[m.prefix], f.path)
		}
		return ""
	}
	return "not in the table; a new dependency needs a note in docs/design"
}

// checkOurs judges an import of one of our own packages; ours is its path
// inside the module.
func checkOurs(f goFile, from area, ours string) string {
	to, ok := areaOf(ours)
	if !ok {
		return "no such area"
	}
	if !f.test && strings.HasSuffix(ours, "test") && !strings.HasSuffix(f.dir, "test") {
		return "a package of test helpers"
	}
	if to.name == from.name || slices.Contains(from.may, to.name) {
		return ""
	}
	if f.test && slices.Contains(from.tests, to.name) {
		return ""
	}
	return "the architecture does not allow it"
}

// areaOf finds the area of a folder: the longest name that is the folder or a
// parent of it.
func areaOf(dir string) (area, bool) {
	for d := dir; d != "." && d != "/"; d = path.Dir(d) {
		if i := slices.IndexFunc(areas, func(a area) bool { return a.name == d }); i >= 0 {
			return areas[i], true
		}
	}
	return area{}, false
}

func TestImports(t *testing.T) { guard(t, importRule) }

func TestImportRule(t *testing.T) {
	file := func(imports ...string) string {
		src := "package p\n"
		for _, imp := range imports {
			src += "import _ " + strconv.Quote(imp) + "\n"
		}
		return src
	}
	const badger, wav, norm = "github.com/dgraph-io/badger/v4", "github.com/go-audio/wav", "golang.org/x/text/unicode/norm"
	prove(t, importRule, []sample{
		{"the halves meet in store only",
			map[string]string{"compiler/a.go": file("voxpack/store", "os"), "gpufeed/a.go": file("voxpack/store")}, nil},
		{"compiler must not import gpufeed",
			map[string]string{"compiler/a.go": file("voxpack/gpufeed")}, []string{"compiler/a.go:2: imports voxpack/gpufeed"}},
		{"gpufeed must not import compiler, in a test neither",
			map[string]string{"gpufeed/a_test.go": file("voxpack/compiler")}, []string{"architecture"}},
		{"store imports nothing of ours",
			map[string]string{"store/a.go": file("voxpack/audio")}, []string{"architecture"}},
		{"a sub-package belongs to its parent's area",
			map[string]string{"store/pack/a.go": file(badger, "voxpack/store"), "store/pack/b.go": file("voxpack/textnorm")}, []string{"store/pack/b.go:2"}},
		{"a test may import more where the table says so",
			map[string]string{"compiler/a_test.go": file("voxpack/internal/config"), "compiler/a.go": file("voxpack/internal/config")}, []string{"compiler/a.go:2"}},
		{"test helpers stay out of the product",
			map[string]string{"compiler/a.go": file("voxpack/store/storetest"), "compiler/a_test.go": file("voxpack/store/storetest")}, []string{"test helpers"}},
		{"an unknown folder has to be put in the table",
			map[string]string{"util/a.go": file()}, []string{"util is in no area"}},
		{"badger enters through store only",
			map[string]string{"compiler/a.go": file(badger + "/options")}, []string{"through store only"}},
		{"cobra stays in the command",
			map[string]string{"store/a.go": file("github.com/spf13/cobra"), "cmd/voxpack/a.go": file("github.com/spf13/cobra")}, []string{"store/a.go:2"}},
		{"x/text has one door, tests apart",
			map[string]string{"textnorm/a.go": file(norm), "textnorm/b.go": file(norm), "textnorm/c_test.go": file(norm)}, []string{"textnorm/a.go, textnorm/b.go; one file"}},
		{"go-audio is a second reader, for tests",
			map[string]string{"audio/codec/a.go": file(wav), "audio/codec/a_test.go": file(wav)}, []string{"audio/codec/a.go:2"}},
		{"testscript is for tests",
			map[string]string{"cmd/voxpack/a.go": file("github.com/rogpeppe/go-internal/testscript"), "cmd/voxpack/a_test.go": file("github.com/rogpeppe/go-internal/testscript")}, []string{"only tests may"}},
		{"a module without a note is refused",
			map[string]string{"audio/a.go": file("example.org/fft")}, []string{"not in the table"}},
	})
}
