package diagnosis

import (
	"fmt"
	"strconv"
	"strings"

	"voxpack/internal/number"
)

var configShapesRule = Rule{
	ID:      "config-shapes",
	Looks:   "whether all batches have one shape",
	Limit:   "they have: TensorFlow traces its graph, and XLA compiles, once for each shape",
	Meaning: "the GPU is idle while a graph is made for a shape that was not seen before",
	Setting: "`pad_to_fixed_length`, `max_text_length`, `max_mel_frames`",
	Gain:    "the time of tracing and compiling; not known before a run",
	subject: "shapes",
	audit: func(c *Config) Seen {
		on, s, given := c.switched("pad_to_fixed_length")
		_, _, text := c.number("max_text_length")
		_, _, mel := c.number("max_mel_frames")
		v := Verdict{Kind: Limits, Number: 0, Limit: 1, Unit: "fixed", Setting: "pad_to_fixed_length", Basis: Computed, At: s.At,
			Cause: "batches have the shape of their longest row, and a graph is traced for each new one",
			Cure:  "pad_to_fixed_length: true"}
		if !c.graphs() {
			v.Basis, v.Cause = Suspected, "batches have the shape of their longest row, and a graph may be traced for each new one"
		}
		switch {
		case c.vague("pad_to_fixed_length"):
			return c.unset("pad_to_fixed_length")
		case given && on && text && mel:
			return well("fixed")
		case given && on && !c.Ours:
			return missingMaxima(c, v, s, text, mel)
		case given && on, !given && (c.Ours || !c.tensorFlow()):
			return Seen{}
		case given:
			v.Cure, v.Fixes = s.key()+": true", []Fix{{Path: s.Path, Value: "true"}}
		default:
			v.Cause = "nothing makes shapes fixed: " + v.Cause
			v.Fixes = []Fix{{Name: "pad_to_fixed_length", Value: "true"}}
		}
		if xla, _, _ := c.switched("enable_xla"); xla {
			v.Cause += ", and compiled anew by XLA"
		}
		more := missingMaxima(c, v, s, text, mel)
		for _, m := range more.Found {
			v.Fixes = append(v.Fixes, m.Fixes...)
		}
		return found(v)
	},
}

// missingMaxima says which maxima a fixed shape lacks, and what they would be.
func missingMaxima(c *Config, v Verdict, s Setting, text, mel bool) Seen {
	v.Basis, v.Fixes, v.Cure, v.At = Suspected, nil, "", s.At
	v.Cause = "shapes are fixed, and the file does not say to what: the trainer's defaults count"
	var cures []string
	for _, m := range []struct {
		name  string
		given bool
		of    *Lengths
	}{{"max_text_length", text, c.Text}, {"max_mel_frames", mel, c.Mel}} {
		if m.given {
			continue
		}
		if m.of == nil {
			cures = append(cures, "give "+m.name)
			continue
		}
		cures = append(cures, fmt.Sprintf("%s: %d fits all rows", m.name, m.of.Longest))
		v.Fixes = append(v.Fixes, Fix{Name: m.name, Value: strconv.Itoa(m.of.Longest)})
	}
	if cures == nil {
		return Seen{}
	}
	v.Cure = strings.Join(cures, ", ")
	return found(v)
}

var configTextRule = Rule{
	ID:      "config-text-length",
	Looks:   "`max_text_length`, the tokens of the dataset's rows",
	Limit:   "all rows but one in a hundred fit; and it is not over 1.25 times the longest row; suspected only, if the config does not name the dataset's front end",
	Meaning: "rows are left out or cut; or a large part of each batch is padding",
	Setting: "`max_text_length`",
	Gain:    "of padding: the part of a batch that no row needs",
	subject: "text length",
	audit:   func(c *Config) Seen { return lengthsOf(c, "max_text_length", c.Text, "tokenizer") },
}

var configMelRule = Rule{
	ID:      "config-mel-frames",
	Looks:   "`max_mel_frames`, the frames of the dataset's rows",
	Limit:   "all rows but one in a hundred fit; and it is not over 1.25 times the longest row; suspected only, if the config does not name the dataset's front end",
	Meaning: "rows are left out or cut; or a large part of each batch is padding",
	Setting: "`max_mel_frames`",
	Gain:    "of padding: the part of a batch that no row needs",
	subject: "mel frames",
	audit:   func(c *Config) Seen { return lengthsOf(c, "max_mel_frames", c.Mel, "sample_rate", "hop_length") },
}

const (
	outPart   = 100 // more than 1/outPart of the rows outside is worth a line
	gravePart = 5   // more than 1/gravePart is what a build asks about as well
	roomPart  = 4   // more than 1/roomPart over the longest row is padding for nothing
)

// lengthsOf holds a maximum against the lengths that rows have. These follow from
// the settings named: of a config that does not name the dataset's it is only
// suspected that its rows are as long.
func lengthsOf(c *Config, name string, l *Lengths, follow ...string) Seen {
	n, s, given := c.number(name)
	switch {
	case !given:
		return Seen{}
	case l == nil || l.Rows == 0:
		return unknown(fmt.Sprintf("%s %d: no dataset to hold it against", name, n))
	}
	unnamed, other := c.front(follow)
	if other.Name != "" {
		return unknown(fmt.Sprintf("%s %d: %s is %s, and the dataset's %s were made with %s", name, n, other.Name, other.Value, l.Unit, c.Made[other.Name]))
	}
	v := Verdict{Number: float64(n), Unit: l.Unit, Setting: name, Basis: Computed, At: s.At}
	switch {
	case l.Over*outPart > l.Rows:
		v.Kind, v.Limit = Wastes, float64(l.P99)
		if l.Over*gravePart > l.Rows {
			v.Kind = Risks
		}
		v.Cause = fmt.Sprintf("%s of %s do not fit %d %s (%.1f %%)",
			number.Commas(l.Over), number.Count(l.Rows, "row"), n, l.Unit, 100*float64(l.Over)/float64(l.Rows))
		v.Cure = fmt.Sprintf("%s: %d fits 99 %%, %d fits all", s.key(), l.P99, l.Longest) // which of them is for a person to say
	case (n-l.Longest)*roomPart > l.Longest:
		v.Kind, v.Limit = Wastes, float64(l.Longest)
		v.Cause = fmt.Sprintf("the longest row has %s %s: %.0f %% of each batch is padding that no row needs",
			number.Commas(l.Longest), l.Unit, 100*float64(n-l.Longest)/float64(n))
		v.Cure = fmt.Sprintf("%s: %d fits all", s.key(), l.Longest)
		v.Fixes = []Fix{{Path: s.Path, Value: strconv.Itoa(l.Longest)}}
	case l.Over > 0:
		return well(fmt.Sprintf("%d %s: %s of %s do not fit", n, l.Unit, number.Commas(l.Over), number.Commas(l.Rows)))
	default:
		return well(fmt.Sprintf("%d %s: all %s fit, the longest has %s", n, l.Unit, number.Count(l.Rows, "row"), number.Commas(l.Longest)))
	}
	if unnamed != nil {
		v.Basis = Suspected
		v.Cause += ", if " + c.same(unnamed)
	}
	return found(v)
}

// front compares the settings that lengths follow from with the dataset's: those
// that the config does not name, and the first that is another.
func (c *Config) front(follow []string) (unnamed []string, other Setting) {
	for _, name := range follow {
		s, given := c.get(name)
		switch {
		case given && !s.open() && !s.equals(Setting{Value: c.Made[name]}):
			return nil, s
		case (!given || s.open()) && !c.Ours:
			unnamed = append(unnamed, name)
		}
	}
	return unnamed, Setting{}
}

// same is "hop_length is the dataset's, 256".
func (c *Config) same(names []string) string {
	var values []string
	for _, name := range names {
		values = append(values, c.Made[name])
	}
	verb := " is"
	if len(names) > 1 {
		verb = " are"
	}
	return strings.Join(names, " and ") + verb + " the dataset's, " + strings.Join(values, " and ")
}

var configXLARule = Rule{
	ID:      "config-xla",
	Looks:   "whether XLA compiles the graph",
	Limit:   "it does, with fixed shapes: teams report steps that are 10 to 30 % shorter",
	Meaning: "each operation is started by itself",
	Setting: "`enable_xla`",
	Gain:    "known by others' experience only",
	subject: "XLA",
	audit: func(c *Config) Seen {
		on, s, given := c.switched("enable_xla")
		switch {
		case c.vague("enable_xla"):
			return c.unset("enable_xla")
		case given && on:
			return well("on")
		case !given && !c.tensorFlow():
			return Seen{}
		}
		v := Verdict{Kind: Limits, Number: 0, Limit: 1, Unit: "compiled", Setting: "enable_xla", Basis: Suspected, At: s.At,
			Cause: "XLA is off", Cure: "enable_xla: true, with fixed shapes"}
		if given {
			v.Cure = s.key() + ": true, with fixed shapes"
		} else {
			v.Cause = "nothing turns XLA on"
		}
		return found(v)
	},
}

var configPrecisionRule = Rule{
	ID:      "config-precision",
	Looks:   "whether the model computes in 16 bits where that is enough",
	Limit:   "it does: half the bytes, and the fast units of GPUs from Volta on",
	Meaning: "steps are longer, and batches smaller, than the GPU can do",
	Setting: "`mixed_precision`",
	Gain:    "known by experience only: it depends on the model",
	subject: "precision",
	audit: func(c *Config) Seen {
		on, s, given := c.switched("mixed_precision")
		switch {
		case c.vague("mixed_precision"):
			return c.unset("mixed_precision")
		case given && on:
			return well("mixed")
		// Others set it on the command line, or in a file for all their trainings.
		case !given && (c.Ours || !c.tensorFlow()):
			return Seen{}
		}
		v := Verdict{Kind: Limits, Number: 32, Limit: 16, Unit: "bits", Setting: "mixed_precision", Basis: Suspected, At: s.At,
			// It changes what is computed, so that nothing but a person should set it.
			Cause: "mixed precision is off", Cure: "mixed_precision: true, if the loss stays as it is"}
		if given {
			v.Cure = s.key() + ": true, if the loss stays as it is"
		} else {
			v.Cause = "nothing turns mixed precision on"
		}
		return found(v)
	},
}
