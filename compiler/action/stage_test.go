package action

import (
	"slices"
	"testing"

	"voxpack/audio"
	"voxpack/compiler/frontend"
	"voxpack/store"
)

// TestStagesHaveTheOrderOfTheFormat: audio, text, tokens, mel, then further features
// in the order of their table, whatever order a config names them in.
func TestStagesHaveTheOrderOfTheFormat(t *testing.T) {
	var names []string
	for at := Audio; at < End(); at++ {
		names = append(names, at.Name())
		if at.Version() == "" {
			t.Errorf("%s has no version", at.Name())
		}
		if at >= Mel && at.Feature().Name != at.Name() {
			t.Errorf("%s computes %s", at.Name(), at.Feature().Name)
		}
	}
	if want := []string{"audio", "text", "tokens", "mel", "linear", "energy", "f0", "pcm"}; !slices.Equal(names, want) {
		t.Errorf("stages %q, want %q", names, want)
	}
	if int(End()) != len(names) || End()+MostOwn > Most || Most > 32 {
		t.Errorf("%d stages, End %d, Most %d", len(names), End(), Most)
	}
	set := Set{Features: []string{"pcm", "linear"}}
	names = nil
	for _, s := range set.Versions() {
		names = append(names, s.Name)
	}
	if want := []string{"audio", "text", "tokens", "mel", "linear", "pcm"}; !slices.Equal(names, want) {
		t.Errorf("the stages of a root are %q, want %q", names, want)
	}
	names = nil
	for at := range set.Computed() {
		names = append(names, at.Name())
	}
	if want := []string{"mel", "linear", "pcm"}; !slices.Equal(names, want) {
		t.Errorf("features %q, want %q", names, want)
	}
	for at := Audio; at < End(); at++ {
		if want := at <= Mel || slices.Contains(set.Features, at.Name()); set.Has(at) != want {
			t.Errorf("Has(%s) = %v, want %v", at.Name(), !want, want)
		}
	}
}

// TestKeysOfARowAreNumberedAnew: whatever features the root before had, a key stands
// at its own stage afterwards, and comes out in the order of a root again.
func TestKeysOfARowAreNumberedAnew(t *testing.T) {
	all := []string{"linear", "energy", "f0", "pcm"}
	sets := []Set{{}, {Features: []string{"linear"}}, {Features: []string{"energy", "pcm"}}, {Features: all}, {Own: []Own{{"a", "1"}}},
		{Features: []string{"pcm"}, Own: []Own{{"a", "1"}, {"b", "1"}}}, {Own: []Own{{"b", "1"}}}}
	key := func(name string) store.Key { return store.Key(store.Sum([]byte(name))) }
	for _, was := range sets {
		for _, now := range sets {
			var row store.OriginRow
			had := map[string]store.Key{} // of other stages it is zero
			for _, n := range was.Versions() {
				had[n.Name] = key(n.Name)
				row.Keys = append(row.Keys, key(n.Name))
			}
			NewKeyOrder(&store.Root{Stages: was.Versions()}, now).Renumber(&row)
			if len(row.Keys) != now.Width() {
				t.Fatalf("%v to %v: %d keys, want %d", was, now, len(row.Keys), now.Width())
			}
			var want []store.Key
			for _, n := range now.Versions() {
				want = append(want, had[n.Name])
				if at, ok := now.named(n.Name); !ok || row.Keys[at] != had[n.Name] {
					t.Errorf("%v to %v: at %s stands %v", was, now, n.Name, row.Keys[at])
				}
			}
			if got := now.Keys(row.Keys); !slices.Equal(got, want) {
				t.Errorf("%v to %v: an origin record gets %v, want %v", was, now, got, want)
			}
		}
	}
}

// TestAStageReadsWhatItsKeyIsMadeOf, by the names of roots: explain tells by it which
// setting was the cause.
func TestAStageReadsWhatItsKeyIsMadeOf(t *testing.T) {
	for setting, stages := range map[string][]Stage{
		"sample_rate": {Audio, Mel}, "channel": {Audio}, "raw_audio": {Audio}, "trim_db": {Audio}, "pre_emphasis": {Audio}, "normalize_to": {Audio}, "peak_db": {Audio}, "loudness_lufs": {Audio},
		"fmax": {Mel}, "n_mels": {Mel}, "mel_dtype": {Mel}, "mel_norms": {Mel}, "hop_length": {Mel}, "pad_mode": {Mel},
		"text": {Text}, "lexicon": {Text}, "tokenizer": {Tokens}, "symbols": {Tokens}, "add_bos": {Tokens}, "unknown": {Tokens},
		"rows_per_shard": {}, "min_seconds": {}, "features": {}, "no such setting": {},
	} {
		for at := Audio; at <= Mel; at++ {
			if got, want := at.Reads(setting), slices.Contains(stages, at); got != want {
				t.Errorf("%s reads %s: %v, want %v", at.Name(), setting, got, want)
			}
		}
	}
	for _, at := range []Stage{Text, Tokens} {
		for _, name := range frontend.Keys(at.Name()) {
			if !at.Reads(name) {
				t.Errorf("%s does not read %s, which the front end says it does", at.Name(), name)
			}
		}
	}
	for i, f := range audio.Features() {
		for _, name := range f.Reads {
			if at := Mel + Stage(i); !at.Reads(name) {
				t.Errorf("%s does not read %s, which its row of the table says it does", at.Name(), name)
			}
		}
	}
}

// TestTheSourceIsTheNormalisedColumn where there is one and it says something.
func TestTheSourceIsTheNormalisedColumn(t *testing.T) {
	for _, c := range []struct {
		text, given string
		has         bool
		want        string
	}{
		{"raw", "", false, "raw"},
		{"raw", "read", true, "read"},
		{"raw", "read", false, "raw"},
		{"raw", "", true, "raw"},
		{"", "read", true, "read"},
		{"", "", true, ""},
	} {
		row := &store.OriginRow{Text: c.text, Given: c.given, HasGiven: c.has}
		if got := Source(row); got != c.want || SourceOf(c.text, c.given, c.has) != got {
			t.Errorf("of %q and %q (%v) the text stage reads %q, want %q", c.text, c.given, c.has, got, c.want)
		}
	}
}

// TestChangesAreSettingsVersionsAndTables of two roots, each with its value before and
// now; what no key is made of is among them too, since it may decide about rows.
func TestChangesAreSettingsVersionsAndTables(t *testing.T) {
	root := func() *store.Root {
		return &store.Root{Config: []store.Named{{Name: "fmax", Value: "8000"}, {Name: "min_seconds", Value: "1"}},
			Stages: []store.Named{{Name: "mel", Value: "mel/1"}}, Symbols: []string{"a"}, PerShard: 16, Languages: "languages/1"}
	}
	for _, c := range []struct {
		name string
		edit func(r *store.Root)
		want []string
	}{
		{"nothing", func(*store.Root) {}, nil},
		{"a setting", func(r *store.Root) { r.Config[0].Value = "11025" }, []string{"fmax 8000 → 11025"}},
		{"a setting that comes", func(r *store.Root) { r.Config = append(r.Config, store.Named{Name: "pad_mode", Value: "edge"}) }, []string{"pad_mode (default) → edge"}},
		{"a setting that goes", func(r *store.Root) { r.Config = r.Config[:1] }, []string{"min_seconds 1 → (default)"}},
		{"a version", func(r *store.Root) { r.Stages[0].Value = "mel/2" }, []string{"version of mel mel/1 → mel/2"}},
	} {
		now := root()
		c.edit(now)
		var got []string
		for _, change := range Changes(root(), now) {
			got = append(got, change.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
