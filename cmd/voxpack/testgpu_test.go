package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"voxpack/gpufeed/fakecuda"
	"voxpack/internal/corpustest"
	"voxpack/internal/exectest"
)

// gpuScript runs bench/gpu/test_gpu.py with a program, and gives its exit code,
// what it printed, and the page it wrote ("" if it wrote none).
func gpuScript(t *testing.T, env []string, program string, args ...string) (code int, printed, page string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOTICE: no python3: the checks for a GPU were not tried")
	}
	out := filepath.Join(t.TempDir(), "page.md")
	args = append([]string{filepath.Join("..", "..", "bench", "gpu", "test_gpu.py"), "--voxpack", program, "--out", out}, args...)
	cmd := exec.CommandContext(t.Context(), python, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "PYTHONDONTWRITEBYTECODE=1")
	cmd.Env = append(cmd.Env, env...)
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	content, _ := os.ReadFile(out)
	return cmd.ProcessState.ExitCode(), string(text), string(content)
}

// program is the voxpack that TestMain put on the path.
func program(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("voxpack")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// builtDataset is a built copy of the bundled corpus.
func builtDataset(t *testing.T) string {
	t.Helper()
	dir := corpustest.Copy(t, "en")
	if code := run([]string{"build", dir, "-q"}, strings.NewReader(""), &strings.Builder{}, os.Stderr); code != 0 {
		t.Fatalf("build ended with %d", code)
	}
	return dir
}

// fakeGPUs is the environment of a machine with two GPUs that do not exist,
// whose memory in use is what living processes have.
func fakeGPUs(t *testing.T) []string {
	t.Helper()
	dir := fakecuda.Build(t)
	cmd := exec.CommandContext(t.Context(), "cc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread",
		"-I", filepath.Join("..", "..", "gpufeed", "fakecuda"), "-o", filepath.Join(dir, "libnvidia-ml.so.1"),
		filepath.Join("..", "..", "bench", "gpu", "testdata", "livememory.c"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return []string{"LD_LIBRARY_PATH=" + dir, "FAKENVML_COUNTERS=" + dir, "CUDA_VISIBLE_DEVICES=0,1"}
}

// The script cannot rot while there is no GPU: all of it runs over the fake
// driver, torch apart, without a word about how fast that is.
func TestGPUScript(t *testing.T) {
	if testing.Short() {
		t.Skip("feeds for half a minute")
	}
	t.Parallel()
	code, printed, page := gpuScript(t, fakeGPUs(t), program(t), "--quick", "--no-goals", "--clips", "64", "--long", "1")
	if code != 0 {
		t.Fatalf("exit code %d, want 0\n%s", code, printed)
	}
	if !strings.HasSuffix(printed, page+"\n") {
		t.Errorf("the last thing printed is not the page that was written:\n%s", page)
	}
	const digests, speeds = `.*3 epochs of 64 samples.*\| passed`, `.* 8\.2 MB \d.*\| measured`
	hasRows(t, page,
		`open \| .* \| Fake GPU 0; the same from the driver, NVML.* \| passed`,
		`raw: pinned \|`+speeds, `raw: registered memfd, as the feed's ring \|`+speeds, `raw: write-combined \|`+speeds, `raw: pageable \|`+speeds,
		`digest: direct \|`+digests, `digest: direct, batches of 7 \|`+digests, `digest: gathered from the cache \|`+digests,
		`digest: dual, GPU 0 to 0 \|`+digests, `digest: dual, GPU 0 to 0, cache \|`+digests,
		`digest: dual, GPU 0 to 1 \|`+digests, `digest: dual, GPU 0 to 1, cache \|`+digests,
		`sustained: cost \|.* CPU seconds per GB.*\| measured`,
		`sustained: by the copies' own times \|.* GB/s.*, copies alone \d.*%.*\| measured: the goal is 95 %`,
		`sustained: by the clock \|.* GB/s.*, copies alone \d.*%.*\| measured: the goal is 95 %`,
		`steps: 5 ms \|.*\| measured: the goal is 1 %`, `steps: 20 ms \|.*% of a step.*\| measured: the goal is 1 %`,
		`cache: filled \|.*16 of 16 MB for 64 rows.*\| passed`, `cache: rate \|.* GB/s.*\| measured`,
		`trace: format \|.*\| passed`, `trace: overlap \|.*% of the time of \d+ copies.*\| measured: the goal is 95 %`,
		`limits: 24000 MB \|.*all fit \| passed`, `limits: 8 MB \|.*batch 32 no longer fits: .*--model-gpu-memory \| passed`,
		`limits: 24000 MB \|.* with a cache of 16 MB \d+ MB in all; .*`, `limits: 20 MB \|.* with a cache of 14 MB 20 MB in all; .*`,
		`limits: dual, 20 MB each \|.* with a cache of 14 MB 20 and 6 MB in all.*\| passed`, `limits: given back \|.*\| passed`, `limits: a full GPU \|.*\| skipped: what one process takes, another still has.*`,
		`kill: kill -9 \|.*ms after the signal \| passed`, `kill: kill -9, in time \|.* \d+ ms \| measured: the goal is 1 s`,
		`kill: Ctrl-C \|.*exit code 130.*\| passed`, `kill: Ctrl-C while hashing \|.*exit code 130.*\| passed`,
		`context \|.* 400 MB beside 25 MB of slots \| measured`,
		`long: content \|.*\d+ epochs.*\| passed`, `long: memory \|.*GPU \d.*\| passed`)
	for _, check := range []string{"open: torch", "raw: torch, pinned", "raw: torch, pageable", "loader"} {
		hasRows(t, page, check+` \|.*\| skipped: .+`)
	}
	if strings.Contains(page, "FAILED") {
		t.Errorf("a check failed:\n%s", page)
	}
}

// hasRows looks for rows of a page, as patterns without the outer bars.
func hasRows(t *testing.T, page string, rows ...string) {
	t.Helper()
	for _, row := range rows {
		if !regexp.MustCompile(`(?m)^\| ` + row + ` \|$`).MatchString(page) {
			t.Errorf("no row %s in\n%s", row, page)
		}
	}
}

// Where there is no C compiler either, the simulated GPUs remain.
func TestGPUScriptOverSimulatedGPUs(t *testing.T) {
	if testing.Short() {
		t.Skip("feeds for some seconds")
	}
	t.Parallel()
	code, printed, page := gpuScript(t, nil, program(t), "--device", "sim", "--quick", "--no-goals", "--clips", "64", "--only", "open,raw,digest,limits,context")
	if code != 0 || strings.Contains(page, "FAILED") {
		t.Fatalf("exit code %d, want 0\n%s", code, printed)
	}
	hasRows(t, page,
		`not the whole run \| --only open,raw,digest,limits,context --quick --no-goals --device sim`,
		`open \| .* \| simulated GPU; .* \| passed`, `raw: pinned \|.*\| skipped: no driver to ask: .+`,
		`digest: direct \|.*\| passed`, `digest: dual, GPU 0 to 1, cache \|.*\| passed`,
		`limits: 8 MB \|.*batch 32 no longer fits.*\| passed`, `limits: given back \|.*\| skipped: .+`, `context \|.*\| skipped: .+`)
}

// A check that cannot fail proves nothing. Each wrong program is a shell script
// around the right one, which is $VOXPACK.
func TestGPUScriptFindsWhatIsWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("feeds for some seconds")
	}
	t.Parallel()
	const onGPU = `case "$*" in *"--device sim"*) ;; *) exec "$VOXPACK" "$@" ;; esac` + "\n"
	tests := []struct{ name, check, wrong, want string }{ // over the fake driver where the check is of a GPU's memory, or name
		{"a digest that is not the host's", "digest",
			onGPU + `"$VOXPACK" "$@" | sed 's/"epoch_digests": \[/&"0",/'`, `FAILED +digest: direct: .*epoch 0 differs`},
		{"a limit that is not kept", "limits",
			`case "$*" in *--model-gpu-memory*) set -- $(echo "$*" | sed 's/--model-gpu-memory [0-9]*//') ;; esac` + "\n" + `exec "$VOXPACK" "$@"`,
			`FAILED +limits: 8 MB: .*batch 32 of 8\.2 MB ended with 0`},
		{"a refusal that does not say what to change", "limits",
			onGPU + `"$VOXPACK" "$@" 2>err; code=$?; sed 's/--model-gpu-memory/it/' err >&2; exit $code`, `FAILED +limits: 8 MB: .*batch 32 ended with 3 and`},
		{"a cache that keeps not all", "cache",
			onGPU + `"$VOXPACK" "$@" | sed '/"cache": {/,/}/s/"bytes": [0-9]*/"bytes": 1/'`, `FAILED +cache: filled: .*16 MB would be all`},
		{"a timeline without lengths", "trace",
			onGPU + `"$VOXPACK" "$@"; for last; do :; done; sed -i 's/"dur"/"length"/' "$last"`, `FAILED +trace: format: .*has no dur`},
		{"another GPU's name", "open",
			`"$VOXPACK" "$@" | sed 's/"name": "Fake GPU 0"/"name": "Fake GPU 1"/'`, `FAILED +open: .*the driver says Fake GPU 0`},
		{"memory that a dead feed keeps", "kill",
			`case "$*" in *ids-kill*) "$VOXPACK" "$@" & feed=$!; (while kill -0 $PPID; do sleep 0.1; done; kill -9 $feed) & wait $feed ;; *) exec "$VOXPACK" "$@" ;; esac`, `FAILED +kill: kill -9: .*its memory was not given back`},
		{"a program that ends early", "digest",
			onGPU + `echo "voxpack: no such luck" >&2; exit 3`, `FAILED +digest: direct \(.*ended with 3: no such luck\)`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			wrong := filepath.Join(dir, "voxpack")
			script := fmt.Sprintf("#!/bin/sh\ncd %q\n%s\n", dir, test.wrong)
			exectest.Write(t, wrong, script)
			env, device := []string{"VOXPACK=" + program(t)}, "sim"
			if test.check == "open" || test.check == "kill" {
				env, device = append(env, fakeGPUs(t)...), "cuda"
			}
			code, printed, page := gpuScript(t, env, wrong, "--device", device, "--quick", "--no-goals", "--clips", "64", "--only", test.check)
			if code != 1 || !regexp.MustCompile(test.want).MatchString(printed) || !strings.Contains(page, "| FAILED: ") {
				t.Errorf("exit code %d, want 1 and %s\n%s", code, test.want, printed)
			}
		})
	}
}

// Without a GPU there is nothing to check, and the page of an earlier run stays.
func TestGPUScriptWithoutGPU(t *testing.T) {
	t.Parallel()
	code, printed, page := gpuScript(t, []string{"CUDA_VISIBLE_DEVICES="}, program(t))
	if code != 0 || page != "" || !regexp.MustCompile(`^NOTICE: .*nothing was written\.\n$`).MatchString(printed) {
		t.Errorf("exit code %d, page %q, printed %q; want 0, none and a notice", code, page, printed)
	}
}
