package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/rogpeppe/go-internal/testscript"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/internal/corpustest"
	"voxpack/internal/perf"
	"voxpack/internal/schematest"
	"voxpack/store"
)

// inParallel is how many tests run at a time where -parallel does not say. Most
// of the time they wait for processes, which mostly sleep: on two cores, two at
// a time left both idle for two thirds of the time.
const inParallel = 8

// programs are what scripts run as programs of their own.
var programs = map[string]func(){"voxpack": main, "holdlock": holdLock, "consume": consume, "trainer": trainer}

func TestMain(m *testing.M) {
	term.ProgressAfter = time.Hour
	if name := filepath.Base(os.Args[0]); programs[name] == nil { // testscript runs this binary as those
		flag.Parse()
		given := false
		flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
		if !given {
			flag.Set("test.parallel", strconv.Itoa(max(inParallel, runtime.GOMAXPROCS(0))))
		}
	}
	testscript.Main(m, programs)
}

// TestScripts runs every script of testdata/script: the program itself, in a
// process of its own, over real corpora.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "script"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"corpus": corpusCmd, "edit": editCmd, "state": stateCmd, "json": jsonCmd, "lines": linesCmd,
			"npy": npyCmd, "png": pngCmd, "flip": flipCmd, "waitfile": waitCmd, "old": oldCmd, "keep": keepCmd, "schema": schemaCmd, "scrape": scrapeCmd,
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "strace": // and this process may trace others
				return exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() == nil, nil
			case "ljspeech":
				return ljspeech() != "", nil
			case "onecore":
				return perf.ProcessCores().Usable() == 1, nil
			case "hup": // under nohup all programs ignore it, and a shell cannot change that
				return !signal.Ignored(syscall.SIGHUP), nil
			}
			return false, fmt.Errorf("condition %q is not known", name)
		},
	})
}

// ljspeech is the folder of the 32 real clips, "" where there is none.
func ljspeech() string {
	if dir := os.Getenv("VOXPACK_CORPORA"); dir != "" {
		return filepath.Join(dir, "ljspeech-32")
	}
	return ""
}

// holdLock is a program that holds a store's lock until it is killed: holdlock
// STORE FILE writes FILE when it has it.
func holdLock() {
	lock, err := store.TakeLock(os.Args[1])
	if err == nil {
		err = os.WriteFile(os.Args[2], nil, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	time.Sleep(time.Hour)
	lock.Release()
}

// corpusCmd: corpus NAME DIR copies a bundled corpus, or ljspeech.
func corpusCmd(ts *testscript.TestScript, _ bool, args []string) {
	from := filepath.Join(moduleDir(ts), "testdata", "corpus", args[0])
	switch args[0] {
	case "ljspeech":
		from = ljspeech()
	case "audio": // short clips in every format
		from = filepath.Join(moduleDir(ts), "testdata", "audio")
	}
	to := ts.MkAbs(args[1])
	ts.Check(os.CopyFS(to, corpustest.Files(from)))
	// Time stamps of a moment ago are too fresh to be trusted; a script that
	// asks what a build reads again must not depend on how fast it runs.
	ts.Check(age(to))
}

// oldCmd: old PATH… gives files a time stamp that can be trusted.
func oldCmd(ts *testscript.TestScript, _ bool, args []string) {
	for _, path := range args {
		ts.Check(age(ts.MkAbs(path)))
	}
}

// age sets back the time stamps of files, and waits until the other stamp, that
// of the change of the file's own record, is one tick old too.
func age(dir string) error {
	when := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, when, when)
	})
	time.Sleep(30 * time.Millisecond)
	return err
}

func moduleDir(ts *testscript.TestScript) string {
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	ts.Check(err)
	return dir
}

// editCmd: edit FILE OLD NEW replaces the one occurrence of OLD; \n and \xHH are escapes.
func editCmd(ts *testscript.TestScript, _ bool, args []string) {
	src := ts.ReadFile(args[0])
	unescape := func(s string) string {
		u, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
		ts.Check(err)
		return u
	}
	from, to := unescape(args[1]), unescape(args[2])
	if n := strings.Count(src, from); n != 1 {
		ts.Fatalf("%s has %q %d times, want once", args[0], from, n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(src, from, to, 1)), 0o644))
}

// stateCmd: state DIR FILE writes what a file system knows of a folder: names,
// sizes, contents' digests, time stamps. Two equal files mean that nothing was written.
func stateCmd(ts *testscript.TestScript, _ bool, args []string) {
	var b bytes.Buffer
	root := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		digest := ""
		if d.Type().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			digest = store.Sum(content).Short()
		}
		fmt.Fprintf(&b, "%s %d %d %s %v\n", rel, info.Size(), info.ModTime().UnixNano(), digest, info.Mode())
		return nil
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o644))
}

// schemaCmd: schema NAME FILE holds what a command printed to docs/schema/NAME.json.
func schemaCmd(ts *testscript.TestScript, _ bool, args []string) {
	schema := filepath.Join(moduleDir(ts), "docs", "schema", args[0]+".json")
	if err := schematest.Check(schema, []byte(ts.ReadFile(args[1]))); err != nil {
		ts.Fatalf("%s is not as docs/schema/%s.json says:\n%v", args[1], args[0], err)
	}
}

// scrapeCmd: scrape AT FILE writes what a program serves that said "metrics at URL",
// once it has, if Prometheus' parser reads it.
func scrapeCmd(ts *testscript.TestScript, _ bool, args []string) {
	url, found := "", false
	for range 1000 {
		said, _ := os.ReadFile(ts.MkAbs(args[0]))
		if url, found = strings.CutPrefix(strings.TrimSpace(string(said)), "metrics at "); found {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !found {
		ts.Fatalf("%s does not say where metrics are", args[0])
	}
	answer, err := http.Get(url)
	ts.Check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	ts.Check(err)
	p := expfmt.NewTextParser(model.LegacyValidation)
	_, err = p.TextToMetricFamilies(bytes.NewReader(text))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o644))
}

// jsonCmd: json FILE PATH WANT compares a value; PATH is "rows.kept" or
// "rejections.0.line", WANT is JSON, or "keys a b c" for the fields of an object.
func jsonCmd(ts *testscript.TestScript, neg bool, args []string) {
	var v any
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(d.Decode(&v))
	if d.More() {
		ts.Fatalf("%s holds more than one JSON value", args[0])
	}
	for step := range strings.SplitSeq(args[1], ".") {
		switch at := v.(type) {
		case map[string]any:
			if step != "" {
				v = at[step]
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(at) {
				ts.Fatalf("%s: no element %s among %d", args[1], step, len(at))
			}
			v = at[i]
		default:
			ts.Fatalf("%s: nothing at %q", args[1], step)
		}
	}
	got := ""
	if m, ok := v.(map[string]any); ok && strings.HasPrefix(args[2], "keys ") {
		keys := make([]string, 0, len(m))
		for k := range m {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		got = "keys " + strings.Join(keys, " ")
	} else {
		b, err := json.Marshal(v)
		ts.Check(err)
		got = string(b)
	}
	if (got == args[2]) == neg {
		ts.Fatalf("%s %s = %s, want %s (negated: %v)", args[0], args[1], got, args[2], neg)
	}
}

// linesCmd: lines FILE N; lines FILE ≤N.
func linesCmd(ts *testscript.TestScript, _ bool, args []string) {
	got := strings.Count(ts.ReadFile(args[0]), "\n")
	most, upTo := strings.CutPrefix(args[1], "≤")
	want, err := strconv.Atoi(most)
	ts.Check(err)
	if got != want && !(upTo && got < want) {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

// npyCmd: npy FILE STORE ID COLUMN TYPE TRUE-LENGTH SHAPE compares every byte
// with what the format (NumPy, version 1.0) and the store say.
func npyCmd(ts *testscript.TestScript, _ bool, args []string) {
	st, err := store.Open(ts.MkAbs(args[1]))
	ts.Check(err)
	defer st.Close()
	d, err := st.Dataset("main")
	ts.Check(err)
	at, err := d.Find(args[2])
	ts.Check(err)
	value, err := d.Value(at, args[3])
	ts.Check(err)
	c := d.Root.Schema[d.Root.Schema.Index(args[3])]
	length, err := strconv.Atoi(args[5])
	ts.Check(err)
	header := "{'descr': '" + args[4] + "', 'fortran_order': False, 'shape': " + args[6] + ", }"
	for (10+len(header)+1)%64 != 0 {
		header += " "
	}
	want := "\x93NUMPY\x01\x00" + string([]byte{byte(len(header) + 1), 0}) + header + "\n" + string(value[:length*c.RowBytes()])
	if got := ts.ReadFile(args[0]); got != want {
		ts.Fatalf("%s has %d bytes (%.90q …), want %d (%.90q …)", args[0], len(got), got, len(want), want)
	}
}

// pngCmd: png FILE MIN-WIDTH decodes a picture and looks whether it shows much.
func pngCmd(ts *testscript.TestScript, _ bool, args []string) {
	img, err := png.Decode(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	colours := map[[3]uint32]int{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			colours[rgb(img, x, y)]++
		}
	}
	least, err := strconv.Atoi(args[1])
	ts.Check(err)
	white := colours[[3]uint32{0xffff, 0xffff, 0xffff}]
	if b.Dx() < least || len(colours) < 100 || white < b.Dx()*b.Dy()/10 {
		ts.Fatalf("%s is %v with %d colours and %d white pixels", args[0], b, len(colours), white)
	}
}

func rgb(img image.Image, x, y int) [3]uint32 {
	r, g, b, _ := img.At(x, y).RGBA()
	return [3]uint32{r, g, b}
}

// flipCmd: flip STORE changes one bit in the middle of what the largest value
// log holds, which is speech or tokens.
func flipCmd(ts *testscript.TestScript, _ bool, args []string) {
	logs, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "packs", "*", "*.vlog"))
	ts.Check(err)
	largest, most := "", int64(0)
	for _, path := range logs {
		if info, err := os.Stat(path); err == nil && info.Size() > most {
			largest, most = path, info.Size()
		}
	}
	b, err := os.ReadFile(largest)
	ts.Check(err)
	used := len(bytes.TrimRight(b, "\x00"))
	ts.Check(os.Chmod(largest, 0o644))
	b[used/2] ^= 1
	ts.Check(os.WriteFile(largest, b, 0o644))
}

// waitCmd: waitfile FILE waits until a program in the background has made it.
func waitCmd(ts *testscript.TestScript, _ bool, args []string) {
	for range 12_000 { // two minutes, since the machine may have much else to do
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s did not come", args[0])
}

// keepCmd: keep FILE PATH NAME [N] puts a value of a JSON file into the environment, or
// its first N characters.
func keepCmd(ts *testscript.TestScript, _ bool, args []string) {
	var v map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &v))
	value := fmt.Sprint(v[args[1]])
	if len(args) > 3 {
		n, err := strconv.Atoi(args[3])
		ts.Check(err)
		value = value[:n]
	}
	ts.Setenv(args[2], value)
}
