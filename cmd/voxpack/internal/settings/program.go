package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"voxpack/compiler/column"
	"voxpack/internal/config"
)

// translateRun turns the keys of a computed column into its program; nil: it is imported.
func translateRun(c config.Config, own config.Column) (run *column.Run, problems []config.Problem) {
	if !own.Has("run") {
		for _, key := range []string{"input", "version", "files", "workers", "batch", "timeout_minutes"} {
			if own.Has(key) {
				problems = append(problems, c.ColumnProblem(own, key, "is for a computed column, which has run", "name its program by run, or take it away"))
			}
		}
		return nil, problems
	}
	run = &column.Run{Version: own.Version, Files: own.Beside, Workers: own.Workers, Batch: own.Batch, Timeout: time.Duration(own.TimeoutMinutes * float64(time.Minute))}
	var err error
	if run.Command, err = words(own.Run); err != nil {
		problems = append(problems, c.ColumnProblem(own, "run", err.Error(), ""))
	}
	for _, in := range own.Input {
		rate, isRate := strings.CutPrefix(in, "pcm@")
		n, err := strconv.Atoi(rate)
		switch {
		case in == "text":
			run.Text = true
		case in == "tokens":
			run.Tokens = true
		case in == "pcm":
			run.Rate = c.Audio.SampleRate
		case isRate && err == nil && n > 0:
			run.Rate = n
		default:
			problems = append(problems, c.ColumnProblem(own, "input", strconv.Quote(in)+" is none of pcm, pcm@RATE, text and tokens", "as in pcm@16000"))
		}
	}
	return run, problems
}

// words takes a command apart at its spaces. Quotes of both kinds keep spaces; nothing else of a shell is known.
func words(command string) (list []string, err error) {
	var word strings.Builder
	quote, within := rune(0), false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, within = r, true
		case quote == 0 && unicode.IsSpace(r):
			if within {
				list = append(list, word.String())
			}
			word.Reset()
			within = false
		default:
			word.WriteRune(r)
			within = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%q has a quote %c without its end", command, quote)
	}
	if within {
		list = append(list, word.String())
	}
	return list, nil
}
