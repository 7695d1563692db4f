package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/gpufeed/serve"
)

// TestWhatTheFlagsOfAFeederSay: what the dataset's config or the defaults say
// too is nobody's surprise; everything else is told with its flag.
func TestWhatTheFlagsOfAFeederSay(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, locate.ConfigName), []byte("data:\n  batch_size: 8\n  val_split: 0.1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want []serve.Told
	}{
		{"no flag", nil, nil},
		{"what the config says", []string{"--batch-size", "8", "--val-split", "0.1", "--seed", "0", "--shuffle", "global"}, nil},
		{"what changes no batch", []string{"--workers", "1", "--prefetch-buffer-size", "9", "--checksums", "always", "--on-corrupt", "repair"}, nil},
		{"a default against the config", []string{"--batch-size", "32"}, []serve.Told{{Key: "batch", Flag: "--batch-size 32"}}},
		{"others", []string{"--speaker", "sara", "--speaker", "omid", "--weight", "language:fa=2", "--buckets", "180,240", "--on-corrupt", "skip"}, []serve.Told{
			{Key: "speakers", Flag: "--speaker sara,omid"}, {Key: "weights", Flag: "--weight language:fa=2"},
			{Key: "buckets", Flag: "--buckets 180,240"}, {Key: "on_corrupt", Flag: "--on-corrupt skip"},
		}},
	} {
		var o serveOptions
		f := pflag.NewFlagSet("serve", pflag.ContinueOnError)
		o.addFlags(f)
		if err := f.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		o.Given = f.Changed
		p := locate.Place{Dataset: dir}
		if err := o.Configure(p, os.Stderr); err != nil {
			t.Fatal(err)
		}
		if got, err := o.told(p); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: told = %v, %v, want %v", c.name, got, err, c.want)
		}
		if c.args != nil {
			continue
		}
		edited := locate.Place{Dataset: t.TempDir()} // as if its config had been edited
		if err := os.WriteFile(filepath.Join(edited.Dataset, locate.ConfigName), []byte("data:\n  batch_size: 16\n  val_split: 0.1\n  train_split: 0.5\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := o.told(edited); err != nil || !reflect.DeepEqual(got, []serve.Told{{Key: "batch", Flag: "--batch-size 8"}, {Key: "train", Flag: "--train-split 0"}}) {
			t.Errorf("after an edit: told = %v, %v, want batch and train of the start", got, err)
		}
	}
}
