package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"

	"voxpack/textnorm/detect"
)

// options are the settings of a training.
type options struct {
	text    string
	out     string
	samples int     // fragments that each class is shown
	drop    float64 // share of the features that a fragment is shown without
	rate    float64 // of Adagrad
	step    float64 // what one step of a packed weight is worth
	keep    float64 // weights below it are none
	doubt   float64 // how sure it must be that a paragraph is of another language
}

func main() {
	var o options
	flag.StringVar(&o.text, "text", "text", "`FOLDER` with CODE.txt, one paragraph a line")
	flag.StringVar(&o.out, "out", "model.bin", "write the model to `FILE`")
	flag.IntVar(&o.samples, "samples", 500_000, "fragments shown of each language")
	flag.Float64Var(&o.drop, "drop", 0.3, "share of features left out of a fragment")
	flag.Float64Var(&o.rate, "rate", 0.15, "learning rate")
	flag.Float64Var(&o.step, "step", 0.1, "value of one step of a weight")
	flag.Float64Var(&o.keep, "keep", 0.08, "weights below it are left out")
	flag.Float64Var(&o.doubt, "doubt", 0.7, "certainty from which a paragraph is taken for another language and left out")
	flag.Parse()
	if err := run(o); err != nil {
		panic(err) // a tool for whoever changes the model: the trace is its message
	}
}

func run(o options) error {
	groups := map[int][]string{}
	for _, c := range detect.Classes() {
		groups[c.Group] = append(groups[c.Group], c.Code)
	}
	var all []detect.Weights
	for g := range len(groups) {
		corpora, err := readAll(o.text, groups[g])
		if err != nil {
			return err
		}
		// What a first, short training takes for another language of the group
		// is mostly just that: names, quotations, what was left untranslated.
		first := train(o, g, groups[g], corpora, o.samples/4)
		for class := range corpora {
			if corpora[class].space == "" {
				continue // Japanese is mostly told by kana, which the model is not asked about
			}
			before := len(corpora[class].paragraphs)
			corpora[class] = corpora[class].without(func(paragraph string) bool { return first.doubts(g, paragraph, class, o.doubt) })
			fmt.Printf("%s: %d of %d paragraphs left out\n", groups[g][class], before-len(corpora[class].paragraphs), before)
		}
		all = append(all, train(o, g, groups[g], corpora, o.samples).pack(o))
	}
	file, err := detect.Encode(all)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", o.out, len(file))
	return os.WriteFile(o.out, file, 0o666)
}

// train fits one group by stochastic gradient descent on fragments of one to
// twelve words, each language as often as every other.
func train(o options, group int, codes []string, corpora []corpus, samples int) *regression {
	r := newRegression(detect.Rows(group), len(codes))
	random := rand.New(rand.NewPCG(1, uint64(group)))
	var rows []uint32
	wrong := 0
	for i := range samples * len(codes) {
		class := i % len(codes)
		fragment := altered(corpora[class].fragment(random), codes[class], random)
		if codes[class] == "ja" && japanese(fragment) {
			continue
		}
		rows = rows[:0]
		detect.Words(group, fragment, func(some []uint32) {
			for _, row := range some {
				if random.Float64() >= o.drop {
					rows = append(rows, row)
				}
			}
		})
		// The rate falls to a tenth, so that the last fragments do not decide.
		done := float64(i) / float64(samples*len(codes))
		if len(rows) > 0 && r.learn(rows, class, float32(o.rate*(1-0.9*done))) != class {
			wrong++
		}
		if n := samples * len(codes) / 4; (i+1)%n == 0 {
			fmt.Printf("%v: %d fragments, %.2f %% of the last wrong\n", codes, i+1, 100*float64(wrong)/float64(n))
			wrong = 0
		}
	}
	return r
}
