package intake

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"voxpack/internal/number"
)

// column is one of what a row can take from a table with a header.
type column int

const (
	colID column = iota
	colAudio
	colText
	colNormalised
	colSpeaker
	colLanguage
	colSplit
	colOffset
	colDuration
	columnCount
)

// columnWords are our names of the columns, as the config has them, and the
// headers that mean them, the likelier ones first. Case, spaces and hyphens of a
// header do not count. audio_filepath and lang are NeMo's, file_name and transcription
// Hugging Face's, client_id, sentence and locale Common Voice's, audio_file and
// speaker_name Coqui's, utt and spk Kaldi's; the others are spellings of these.
var columnWords = [columnCount]struct {
	name  string
	words []string
}{
	colID:         {"id", []string{"id", "utterance_id", "utt_id", "utt"}},
	colAudio:      {"audio", []string{"audio_filepath", "audio_file", "audio_path", "audio", "file_name", "filename", "file_path", "filepath", "path", "file", "wav_path", "wav_file", "wav"}},
	colText:       {"text", []string{"text", "sentence", "transcription", "transcript", "raw_text"}},
	colNormalised: {"normalised", []string{"normalized_text", "normalised_text", "text_normalized", "text_normalised", "normalized", "normalised", "normalized_transcription", "normalised_transcription", "normalized_transcript", "normalised_transcript"}},
	colSpeaker:    {"speaker", []string{"speaker", "speaker_name", "speaker_id", "client_id", "spk", "spk_id"}},
	colLanguage:   {"language", []string{"language", "locale", "lang", "language_id", "lang_id"}},
	colSplit:      {"split", []string{"split", "subset"}},
	colOffset:     {"offset", []string{"offset"}},
	colDuration:   {"duration", []string{"duration"}},
}

var (
	errNoSpeaker = errors.New("the speaker column is empty")
	errNoColumns = errors.New("name the columns under columns: in the config, as in columns: {audio: 1, text: 2}")
)

// columnsAt says where the columns of a table stand, from 0; -1: not there.
type columnsAt [columnCount]int

// enough reports whether rows can be made: a clip and its text.
func (at *columnsAt) enough() bool {
	return (at[colID] >= 0 || at[colAudio] >= 0) && at[colText] >= 0
}

// usual finds columns by their usual headers.
// The first word of the list that is there wins, not the first column of the table.
func usual(header []string) columnsAt {
	words, joined := make([]string, len(header)), strings.NewReplacer(" ", "_", "-", "_")
	for i, h := range header {
		words[i] = strings.ToLower(joined.Replace(strings.TrimSpace(h)))
	}
	var at columnsAt
	for col, c := range columnWords {
		at[col] = -1
		for _, w := range c.words {
			if at[col] = slices.Index(words, w); at[col] >= 0 {
				break
			}
		}
	}
	at.textAtLeast()
	return at
}

// textAtLeast: a table with nothing but the normalised text has that as its text,
// since a row cannot be without one, and says nothing of normalised texts then.
func (at *columnsAt) textAtLeast() {
	if at[colText] < 0 {
		at[colText], at[colNormalised] = at[colNormalised], -1
	}
}

// columnsOf finds the columns of a table by its first line: those that the
// config names, then the usual ones. A line that is no header is a row, where the
// config says the columns by number.
// A header that the config uses is not taken for another column by its usual name.
func columnsOf(first []string, named map[string]string) (at columnsAt, header bool, err error) {
	all := usual(first)
	header = all.enough()
	rest := slices.Clone(first) // headers that the config has no use for
	var given columnsAt
	for col, c := range columnWords {
		given[col] = -1
		name, ok := named[c.name]
		if !ok {
			continue
		}
		n, notNumber := strconv.Atoi(name)
		if notNumber == nil && n >= 1 && n <= len(first) { // a place, also where a cell holds the same number
			given[col], rest[n-1] = n-1, ""
			continue
		}
		given[col] = slices.IndexFunc(first, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), strings.TrimSpace(name)) })
		if given[col] >= 0 {
			header, rest[given[col]] = true, ""
			continue
		}
		if notNumber != nil {
			return at, false, fmt.Errorf("columns: %s is %q, which is not in the header:%s", c.name, name, shown(first))
		}
		return at, false, fmt.Errorf("columns: %s is %d, and the first line has %s:%s", c.name, n, number.Count(len(first), "column"), shown(first))
	}
	at = usual(rest)
	for col := range at {
		if given[col] >= 0 || !header {
			at[col] = given[col]
		}
	}
	at.textAtLeast()
	if !at.enough() {
		return at, header, fmt.Errorf("the first line is not a header that tells where the clips (path, file, audio, id, …) and their text (text, sentence, …) are:%s\n%w", shown(first), errNoColumns)
	}
	return at, header, nil
}

// shown is a header for a message.
func shown(first []string) string {
	return "\n    " + clip(fmt.Sprintf("%q", first), 240)
}

// widthError says how the columns of a line differ from the header's. Which column
// is missing no line tells; the last ones are what writers leave out.
func widthError(n int, header []string) error {
	if n > len(header) {
		return fmt.Errorf("%s, the header has %d (%s)", number.Count(n, "column"), len(header), clip(strings.Join(header, ", "), 120))
	}
	return fmt.Errorf("%s, the header has %d: no %s", number.Count(n, "column"), len(header), clip(strings.Join(header[n:], ", no "), 120))
}

// firstOf is the first line of a file that is not empty, "" where there is none.
func (c Corpus) firstOf(file string) string {
	if !c.isFile(file) {
		return ""
	}
	lines, err := c.head(file)
	if err != nil || len(lines) == 0 {
		return ""
	}
	return lines[0]
}

// tabular is the format of a file whose columns the config names, nil where
// they are not in its first line. Such a header need not be a usual one.
// A line with bars is no table without a header: those forms have readers of their own.
func (c Corpus) tabular(lines []string) *Format {
	if len(c.Columns) == 0 || len(lines) == 0 {
		return nil
	}
	if strings.HasPrefix(strings.TrimSpace(lines[0]), "{") {
		object, err := jsonObject(lines[0], nil)
		if err == nil {
			_, err = parseJSON(object, c.Columns)
		}
		if err != nil {
			return nil
		}
		return formatNamed("jsonl")
	}
	for _, f := range []struct{ name, separators string }{{"tsv", "\t"}, {"csv", ",;"}} {
		t, err := tableOf(lines[0], f.separators, c.Columns)
		if err == nil && (t.named || !strings.Contains(lines[0], "|")) {
			return formatNamed(f.name)
		}
	}
	return nil
}
