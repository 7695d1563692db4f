package diagnosis

import "fmt"

var configValuesRule = Rule{
	ID:      "config-values",
	Looks:   "values that cannot be, and settings that contradict each other",
	Limit:   "the range of each setting; one value for each",
	Meaning: "the trainer stops, or takes one of two values",
	Setting: "the setting named",
	Gain:    "none in time: without it the training may not run as written",
	subject: "values",
	audit: func(c *Config) Seen {
		var list []Verdict
		add := func(path, cause, cure string, at Position) {
			list = append(list, Verdict{Kind: Risks, Number: 1, Limit: 0, Unit: "faults", Setting: path,
				Basis: Computed, At: at, Cause: cause, Cure: cure})
		}
		told := map[Position]bool{}
		for _, f := range c.Faults {
			told[f.At] = true
			add(f.Path, f.Path+": "+f.Text, f.Cure, f.At)
		}
		first := map[string]Setting{}
		for _, s := range c.Settings {
			was, twice := first[s.Name]
			switch {
			case s.open():
			case !twice:
				first[s.Name] = s
			case !was.equals(s) && !told[s.At]:
				add(s.Path, fmt.Sprintf("%s is %s, and %s at line %d is %s", s.Path, s.Value, was.Path, was.At.Line, was.Value),
					"give one of them", s.At)
				if was.section() != s.section() { // which may be two trainings
					list[len(list)-1].Basis = Suspected
				}
			}
		}
		for _, pair := range [][2]string{{"prefetch_buffer_size", "pipeline_buffer_size"}} {
			less, s, one := c.number(pair[0])
			most, _, two := c.number(pair[1])
			if one && two && most > 0 && less > most && !told[s.At] {
				add(s.Path, fmt.Sprintf("%s %d is over %s %d", pair[0], less, pair[1], most), fmt.Sprintf("%s: %d", pair[1], less), s.At)
			}
		}
		to, s, one := c.switched("prefetch_to_gpu")
		if better, _, two := c.switched("enhanced_gpu_prefetch"); one && two && better && !to {
			add(s.Path, "enhanced_gpu_prefetch is on, and prefetch_to_gpu off", "prefetch_to_gpu: true", s.At)
		}
		if list != nil {
			return found(list...)
		}
		return well(fmt.Sprintf("%d settings, none contradicts another", len(first)))
	},
}

var configSpellingRule = Rule{
	ID:      "config-spelling",
	Looks:   "keys that are a letter or two off a known one",
	Limit:   "keys as trainers read them",
	Meaning: "the value is not read, and a default counts",
	Setting: "the key named",
	Gain:    "none in time: without it the value has no effect",
	subject: "spelling",
	audit: func(c *Config) Seen {
		var list []Verdict
		for _, s := range c.Strays {
			if s.Program == "" {
				list = append(list, Verdict{
					Kind: Risks, Number: 1, Limit: 0, Unit: "keys", Setting: s.Path, Basis: Computed, At: s.At,
					Cause: fmt.Sprintf("%s is not read; a trainer reads %s", s.Path, s.Meant), Cure: "write " + s.Meant,
					Fixes: []Fix{{Path: s.Path, Name: s.Meant, Rename: true}},
				})
			}
		}
		return found(list...)
	},
}

var configForeignRule = Rule{
	ID:      "config-foreign",
	Looks:   "keys of another trainer than the file's",
	Limit:   "keys of one trainer",
	Meaning: "most likely the value is not read, and a default counts",
	Setting: "the key named",
	Gain:    "none in time: without it the value has no effect",
	subject: "other trainer",
	audit: func(c *Config) Seen {
		var list []Verdict
		for _, s := range c.Strays {
			if s.Program == "" {
				continue
			}
			v := Verdict{Kind: Risks, Number: 1, Limit: 0, Unit: "keys", Setting: s.Path, Basis: Suspected, At: s.At,
				Cause: fmt.Sprintf("%s is a key of %s", s.Path, s.Program), Cure: "take it away, unless your trainer reads it"}
			if s.Meant != "" {
				v.Cure = fmt.Sprintf("write %s, unless your trainer reads it", s.Meant)
			}
			list = append(list, v)
		}
		return found(list...)
	},
}
