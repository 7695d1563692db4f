package compiler

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/store"
)

// TestADryRunForetellsTheBuild: rows by stage exactly, shards and blocks exactly
// or as a bound that says so, over one history of edits.
func TestADryRunForetellsTheBuild(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 24)
	o := Options{Dataset: c.dir, Config: smallConfig()}
	for _, step := range []struct {
		name string
		edit func()
	}{
		{"a first build", func() {}},
		{"nothing", func() {}},
		{"a text", func() { c.rows[3].given = "quite another text" }},
		{"the text of before", func() { c.rows[3].given = c.rows[3].text }},
		{"a shorter mel, cut off", func() { o.Config.Shape.MaxMelFrames, o.Config.Shape.Overlong = 14, OverlongTruncate }},
		{"a longer mel", func() { o.Config.Shape.MaxMelFrames = 30 }},
		{"a shorter one again", func() { o.Config.Shape.MaxMelFrames = 14 }},
		{"rejected instead", func() { o.Config.Shape.Overlong = OverlongReject }},
		{"let in again", func() { o.Config.Shape.MaxMelFrames = 36 }},
		{"another element type", func() { o.Config.MelDType = store.Float16 }},
		{"another name", func() {
			c.rows[5].id, c.wavs["other"] = "other", c.wavs["row-005"]
			delete(c.wavs, "row-005")
		}},
		{"another element type and a text", func() { o.Config.MelDType, c.rows[7].given = store.Float32, "some more words" }},
		{"another number of rows in a shard", func() { o.Config.PerShard = 8 }},
		{"a row less", func() { c.rows = c.rows[:len(c.rows)-1] }},
		{"sound of another row", func() { c.wavs["row-002"] = c.wavs["row-009"] }},
	} {
		step.edit()
		c.write(t)
		dry := o
		dry.DryRun = true
		before := listing(t, c.dir)
		said := mustBuild(t, dry)
		if !maps.Equal(listing(t, c.dir), before) {
			t.Errorf("%s: the dry run wrote something", step.name)
		}
		did := mustBuild(t, o)
		if !maps.Equal(said.Stages, did.Stages) || said.Rows != did.Rows || said.Shards.Total != did.Shards.Total {
			t.Errorf("%s: the dry run said %v, %+v, %d shards; the build did %v, %+v, %d", step.name, said.Stages, said.Rows, said.Shards.Total, did.Stages, did.Rows, did.Shards.Total)
		}
		equal := said.Shards == did.Shards && said.Blocks == did.Blocks
		if bound := said.Shards.Written >= did.Shards.Written && said.Blocks.Written >= did.Blocks.Written; !equal && !(said.AtMost && bound) {
			t.Errorf("%s: the dry run said %+v, %+v (at most: %v); the build did %+v, %+v", step.name, said.Shards, said.Blocks, said.AtMost, did.Shards, did.Blocks)
		}
	}
}

// TestADryRunRefusesAPlaceThatABuildRefuses: with the words of the build.
func TestADryRunRefusesAPlaceThatABuildRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file string
		refused    bool
	}{
		{"somebody's folder", "letter.txt", true},
		{"what a build left that was killed while it made the store", ".tmp-123", false},
	} {
		c := smallCorpus(t, 3)
		o := Options{Dataset: c.dir, Store: filepath.Join(t.TempDir(), "store"), Config: smallConfig(), DryRun: true}
		writeFile(t, filepath.Join(o.Store, tt.file), []byte("x"))
		_, said := Build(t.Context(), o)
		o.DryRun = false
		_, did := Build(t.Context(), o)
		if (said != nil) != tt.refused || (did != nil) != tt.refused || tt.refused && said.Error() != did.Error() {
			t.Errorf("%s: the dry run said %v, the build %v; refused: want %v", tt.name, said, did, tt.refused)
		}
	}
	c := smallCorpus(t, 3)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), Options{Dataset: c.dir, Store: file, Config: smallConfig(), DryRun: true}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a file as the store: %v, want an error that names it", err)
	}
}
