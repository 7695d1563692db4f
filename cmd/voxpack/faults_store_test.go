//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"voxpack/compiler"
)

// endless is a feed that goes on until something ends it, 50 batches a second.
// Its rows cross from the store each time.
func endless(args ...string) []string {
	return append([]string{"--epochs", "0", "--step-ms", "20", "--cache", "off"}, args...)
}

// storeFaults are what happens to a store that is fed.
func storeFaults() []*fault {
	rehash, rehashFa := "`voxpack repair`, then `--resume`", "`voxpack repair` و سپس `--resume`"
	return []*fault{
		{
			en: words{"a sample is damaged", "`corrupt sample` with its id and what is wrong, before a trainer has it", rehash},
			fa: words{"نمونه‌ای آسیب دیده است", "پیش از آنکه به آموزشگر برسد `corrupt sample`، با شناسه‌اش و آنچه نادرست است", rehashFa},
			trials: []trial{
				{name: "dual", own: true, before: flipBit, code: exitFindings, says: []string{`fill: batch \d: corrupt sample: en-\d{4}, column \w+: .*checksum.*--on-corrupt skip`}, check: afterRehash, wrecked: true},
				{name: "direct", args: []string{"--mode", "direct"}, own: true, before: flipBit, code: exitFindings, says: []string{`corrupt sample: en-\d{4}`}, check: afterRehash, wrecked: true},
			},
		},
		{
			en:     words{"a sample is damaged, with `--on-corrupt skip`", "it is left out, counted, and named in a warning at the end", "`voxpack repair`"},
			fa:     words{"نمونه‌ای آسیب دیده است، با `--on-corrupt skip`", "کنار گذاشته و شمرده می‌شود و هشداری در پایان نامش را می‌برد", "`voxpack repair`"},
			trials: []trial{{name: "in each epoch", args: []string{"--on-corrupt", "skip"}, own: true, before: flipBit, others: true, says: []string{"warning: .*left out: en-\\d{4}; .*voxpack repair"}, check: leftOut}},
		},
		{
			en:     words{"a sample is damaged, with `--on-corrupt repair`", "its shard is made anew from the sources; the batches are the same", "`voxpack repair`"},
			fa:     words{"نمونه‌ای آسیب دیده است، با `--on-corrupt repair`", "قطعه‌اش از منبع‌ها از نو ساخته می‌شود؛ دسته‌ها همان‌اند", "`voxpack repair`"},
			trials: []trial{{name: "the same batches", args: []string{"--on-corrupt", "repair"}, own: true, before: flipBit, wrecked: true, says: []string{"voxpack repair"}}},
		},
		{
			en: words{"a pack is cut short under a run, or its disk fails", "`corrupt sample` and why, no crash; what came before is sound", rehash},
			fa: words{"بسته‌ای در میان اجرا کوتاه می‌شود یا دیسکش از کار می‌افتد", "`corrupt sample` همراه با دلیل، بی آنکه برنامه فرو بریزد؛ آنچه پیش از آن رسیده بود درست است", rehashFa},
			trials: []trial{
				{name: "to nothing", args: endless(), own: true, during: cutPacks(0), code: exitFindings, says: []string{`fill: batch \d+: corrupt sample: .*\.vlog, byte \d+, cannot be read: the file was cut short`}, wrecked: true},
				{name: "to its first page", args: endless("--mode", "direct"), own: true, during: cutPacks(4096), code: exitFindings, says: []string{`\.vlog, byte \d+, cannot be read: the file was cut short`}, wrecked: true},
			},
		},
		{
			en:     words{"the same with `--on-corrupt skip`", "it goes on as long as an epoch has one sound row, then says `not one sample`", "`voxpack repair`"},
			fa:     words{"همان با `--on-corrupt skip`", "تا وقتی دوره‌ای یک سطر سالم دارد پیش می‌رود، سپس می‌گوید `not one sample`", "`voxpack repair`"},
			trials: []trial{{name: "nothing is left", args: endless("--on-corrupt", "skip"), own: true, during: cutPacks(4096), code: exitEnvironment, others: true, wrecked: true, says: []string{`fill: batch \d+: not one sample of an epoch could be read`, "left out: en-"}}},
		},
		{
			en: words{"the store is moved or deleted during a run", "the run goes on to its end: what it has open stays; the next one finds no store (exit code 3)", "build again"},
			fa: words{"انبار در میان اجرا جابه‌جا یا پاک می‌شود", "اجرا تا پایان پیش می‌رود: آنچه باز کرده می‌ماند؛ اجرای بعد انباری نمی‌یابد (کد خروج ۳)", "دوباره بسازید"},
			trials: []trial{
				{name: "deleted", args: []string{"--steps", "60", "--step-ms", "20", "--cache", "off", "--digest"}, own: true, wrecked: true, check: nextFindsNone,
					during: func(t *testing.T, r *running) { r.await(t, 12); do(t, os.RemoveAll(r.dataset)) }},
				{name: "moved", args: []string{"--steps", "60", "--step-ms", "20", "--digest"}, own: true, wrecked: true, check: nextFindsNone,
					during: func(t *testing.T, r *running) { r.await(t, 12); do(t, os.Rename(r.dataset, r.dataset+".away")) }},
			},
		},
		{
			en: words{"a build writes to the store during a run", "the run keeps the dataset that it opened", ""},
			fa: words{"در میان اجرا ساختی در انبار می‌نویسد", "اجرا مجموعه‌داده‌ای را که باز کرده نگه می‌دارد", ""},
			trials: []trial{{name: "another text", args: []string{"--steps", "60", "--step-ms", "20", "--cache", "off", "--digest"}, own: true, wrecked: true, during: rebuild,
				check: func(t *testing.T, r *running) {
					if next := (&machine{dataset: r.dataset}).digest(t); next == r.report.Digests[0] {
						t.Error("the build changed nothing: the next feed delivers the same")
					}
				}}},
		},
	}
}

// do ends a test whose own work failed.
func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// digest is that of the first epoch on the host.
func (m *machine) digest(t *testing.T) string {
	t.Helper()
	digests, _ := m.host(t, "--batch-size", "2")
	return digests[0]
}

// logs are the files of a store's packs that hold the samples.
func (r *running) logs(t *testing.T) []string {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(r.dataset, compiler.StoreName, "packs", "*", "*.vlog"))
	if err != nil || len(logs) == 0 {
		t.Fatal("no logs in the packs", err)
	}
	for _, path := range logs {
		do(t, os.Chmod(path, 0o644))
	}
	return logs
}

// flipBit changes one bit of a sample.
func flipBit(t *testing.T, r *running) {
	path := r.logs(t)[0]
	b, err := os.ReadFile(path)
	do(t, err)
	b[len(bytes.TrimRight(b, "\x00"))/2] ^= 1
	do(t, os.WriteFile(path, b, 0o644))
}

// cutPacks shortens the packs under a running feed.
func cutPacks(size int64) func(*testing.T, *running) {
	return func(t *testing.T, r *running) {
		logs := r.logs(t)
		r.await(t, 12)
		for _, path := range logs {
			do(t, os.Truncate(path, size))
		}
	}
}

// rebuild builds another dataset into the store that is fed.
func rebuild(t *testing.T, r *running) {
	metadata := filepath.Join(r.dataset, "metadata.csv")
	src, err := os.ReadFile(metadata)
	do(t, err)
	do(t, os.WriteFile(metadata, bytes.ReplaceAll(src, []byte("stone bridge"), []byte("iron bridge")), 0o666))
	r.await(t, 12)
	voxpack(t, "build", "-q", r.dataset)
}

// afterRehash: the store is repaired, and the feed goes on where it stood.
func afterRehash(t *testing.T, r *running) {
	voxpack(t, "build", "-q", "--rehash", r.dataset)
	r.checkResume(t)
}

// leftOut: one row never came, another one of its batch stood in.
func leftOut(t *testing.T, r *running) {
	if c := r.report.Corrupt; c.Rows != 1 || c.Deliveries != 4 || slices.Contains(r.ids, c.IDs[0]) || len(r.ids) != 40 {
		t.Errorf("%+v was left out of %q, want one row four times out of 40", c, r.ids)
	}
}

// nextFindsNone: all was delivered, and there is no store for another run.
func nextFindsNone(t *testing.T, r *running) {
	if len(r.ids) != 120 {
		t.Errorf("%d samples were delivered, want 120", len(r.ids))
	}
	var exit *exec.ExitError
	err := exec.CommandContext(t.Context(), r.machine.program, "feed", r.dataset).Run()
	if !errors.As(err, &exit) || exit.ExitCode() != exitEnvironment {
		t.Errorf("the next run ended with %v, want %d", err, exitEnvironment)
	}
	if fmt.Sprint(names(r.dataset)) != "[]" {
		t.Errorf("where the dataset was there are %q", names(r.dataset))
	}
}
