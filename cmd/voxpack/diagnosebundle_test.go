package main

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// canaries is what must never be in a bundle, by where it is planted.
var canaries = []string{"canaryrowname", "canarytranscript", "canaryspeaker", "canaryfolder", "canaryusername", "canaryhomefolder", "canaryhostname", "canarysecret",
	"canarysection", "canaryconfigkey", "canaryvalue", "canarycomment", "canarylibrary", "canaryrecord"}

// TestABundleTellsNobody: of a dataset, an environment, a config, libraries and run
// records that are full of canaries, none is in a bundle, in whatever coding.
func TestABundleTellsNobody(t *testing.T) {
	t.Parallel()
	work := filepath.Join(t.TempDir(), "canaryhomefolder", "canaryusername")
	dataset := plantedDataset(t, filepath.Join(work, "canaryfolder"))
	library := filepath.Join(work, "canarylibrary")
	writeFiles(t, map[string]string{
		filepath.Join(library, "libcuda.so.1"):                                                 "no library",
		filepath.Join(library, "libnvidia-ml.so.1"):                                            "no library",
		filepath.Join(dataset, "canaryvalue.yaml"):                                             "# canarycomment\ncanarysection:\n  batch_size: 3\n  prefetch_buffer_size: 1\n  canaryconfigkey: canaryvalue\n  mixed_precision: canaryvalue\n  batch_szie: 3\n  enable_xlaa: canaryvalue\n  output_path: " + work + "\n  n_mels: ${canarysection.canaryconfigkey}\n",
		filepath.Join(dataset, ".voxpack", "runs", "29990101T000000.000Z-build-00000000.json"): hostileRecord(t),
	})
	out := filepath.Join(work, "canaryfolder.zip")
	cmd := exec.CommandContext(t.Context(), program(t), "diagnose", dataset, "--config", filepath.Join(dataset, "canaryvalue.yaml"), "--step-ms", "1", "--bundle", out, "--yes")
	cmd.Env = append(os.Environ(), "HOME="+work, "USER=canaryusername", "LOGNAME=canaryusername", "HOSTNAME=canaryhostname", "AWS_SECRET_ACCESS_KEY=canarysecret",
		"LD_LIBRARY_PATH="+library, "CUDA_VISIBLE_DEVICES=GPU-canarysecret", "PYTORCH_ALLOC_CONF=backend:canaryvalue", "OMP_NUM_THREADS=2",
		"TF_XLA_FLAGS=--tf_xla_dump="+work, "TMPDIR="+work)
	if text, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitFindings || !strings.Contains(string(text), "canary") {
		t.Fatalf("code %d: %s", cmd.ProcessState.ExitCode(), text)
	}
	members := unzipped(t, out)
	host, _ := os.Hostname()
	for name, content := range members {
		for _, secret := range append(canaries, work, dataset) {
			for what, coded := range codings(secret) {
				if strings.Contains(name+content, coded) || strings.Contains(strings.ToLower(content), coded) {
					t.Errorf("%s has %s %s:\n%s", name, secret, what, content)
				}
			}
		}
		if len(host) > 5 && strings.Contains(content, host) {
			t.Errorf("%s has this machine's name", name)
		}
	}
	// It is not for want of facts that nothing is told.
	for name, piece := range map[string]string{"config.json": `"name": "prefetch_buffer_size"`, "environment.json": `"value": "2"`, "feed.json": `"deliveries": `,
		"findings.json": `"rule": "config-spelling"`, "findings.txt": "[store-damaged]", "store.json": `"rows": 2`, "diagnosis.json": `"timed": 2`,
		"topology.json": `"call": "dlopen"`, "machine.json": `"cores": `, "README.txt": " values were left out", "build.json": `"kind": "build"`} {
		if !strings.Contains(members[name], piece) {
			t.Errorf("no %s in %s:\n%s", piece, name, members[name])
		}
	}
}

// plantedDataset is one whose rows are canaries, built, and fed with a corrupt row.
func plantedDataset(t *testing.T, dir string) string {
	t.Helper()
	clip, err := os.ReadFile(filepath.Join("..", "..", "testdata", "corpus", "en", "wavs", "en-0001.wav"))
	if err != nil {
		t.Fatal(err)
	}
	files, rows := map[string]string{}, ""
	for _, id := range []string{"canaryrowname1", "canaryrowname2", "canaryrowname3"} {
		rows += `{"audio": "wavs/` + id + `.wav", "text": "The canarytranscript of ` + id + `.", "speaker": "canaryspeaker` + id + `"}` + "\n"
		files[filepath.Join(dir, "wavs", id+".wav")] = string(clip)
	}
	files[filepath.Join(dir, "metadata.jsonl")] = rows
	files[filepath.Join(dir, "wavs", "canaryrowname3.wav")] = "no sound" // so that a row is rejected
	writeFiles(t, files)
	call := func(args ...string) {
		var said bytes.Buffer
		if code := run(args, strings.NewReader(""), io.Discard, &said); code != 0 {
			t.Fatalf("%q ended with %d: %s", args, code, &said)
		}
	}
	call("build", dir, "-q", "--max-loss", "100%")
	logs, err := filepath.Glob(filepath.Join(dir, ".voxpack", "packs", "*", "*.vlog"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("logs %q, %v", logs, err)
	}
	b, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(bytes.TrimRight(b, "\x00"))/2] ^= 1
	if err := os.Chmod(logs[0], 0o644); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, map[string]string{logs[0]: string(b)})
	call("feed", dir, "--device", "host", "--batch-size", "1", "--epochs", "2", "--on-corrupt", "skip", "-q")
	return dir
}

// hostileRecord is of a build, with canaries wherever a record may have a text.
func hostileRecord(t *testing.T) string {
	t.Helper()
	c := "canaryrecord"
	b, err := json.Marshal(map[string]any{"format": 1, "kind": "build", "version": c, "started": "2026-11-01T00:00:00Z", c: c,
		"host":     map[string]any{"os": c, "arch": c, "go": c, "kernel": "6.1-" + c, "cpu": c},
		"settings": map[string]any{"split": c, c: 3, "features": "pcm " + c}, "notes": []string{c}, "calibration": map[string]any{c: 1},
		"stages":  []any{map[string]any{"name": c}},
		"results": map[string]any{"dataset": c, "snapshot": base64.StdEncoding.EncodeToString([]byte(c)), "stages": map[string]any{c: map[string]any{"run": 1}}, "spans": []any{map[string]any{"name": c}, c}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// codings are ways to write a text that a member might have it in.
func codings(text string) map[string]string {
	list := map[string]string{"as it is": text, "quoted": strings.Trim(strconv.Quote(text), `"`), "escaped": url.QueryEscape(text), "in hex": hex.EncodeToString([]byte(text))}
	for shift := range 3 { // the signs that depend on what stands beside it are cut off
		coded := base64.StdEncoding.EncodeToString(append(make([]byte, shift), text...))
		list["in base64, shifted by "+strconv.Itoa(shift)] = coded[4 : len(coded)-4]
	}
	return list
}

func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for path, content := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// unzipped is the members of an archive.
func unzipped(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	members := map[string]string{"the archive's comment": z.Comment}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		members[f.Name] = string(content) + f.Comment + string(f.Extra)
	}
	return members
}
