package intake

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// jsonl is a manifest of JSON objects, one a line, as NeMo writes it.
var jsonl = Format{
	Name:  "jsonl",
	Shape: `lines of {"audio_filepath": …, "text": …}, also with offset, duration, speaker, lang, id; columns: in the config names other keys`,
	Look:  func(lines []string) int { return jsonLook(lines, false) },
	Read:  func(in *Input) error { return (&sheet{in: in}).readJSON(in.File) },
}

// jsonLook counts the lines that are objects with a clip and a text.
func jsonLook(lines []string, audioFolder bool) int {
	count := 0
	for _, l := range lines {
		if !strings.HasPrefix(strings.TrimSpace(l), "{") {
			continue
		}
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(l), &object) != nil {
			continue
		}
		_, folder := object["file_name"]
		rec, err := jsonRecord(object, nil)
		if err == nil && folder == audioFolder && rec.has[colText] && (rec.has[colAudio] || rec.has[colID]) {
			count++
		}
	}
	return count
}

// readJSON makes rows of a file of JSON lines.
func (s *sheet) readJSON(file string) error {
	src, err := s.in.Text(file)
	if err != nil {
		return err
	}
	s.in.Lines(src, func(n int, line string) {
		rec, err := parseJSON(line, s.in.Columns)
		if err == nil {
			s.take(n, rec)
			return
		}
		s.refuse(n, cmp.Or(rec.value[colID], s.in.inside(rec.value[colAudio])), err)
	})
	s.finish()
	return nil
}

// parseJSON reads one line; with an error it gives what it could tell.
func parseJSON(line string, named map[string]string) (*record, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &object); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return &record{}, fmt.Errorf("the line is no JSON object (%s)", wrong.Value)
		}
		return &record{}, fmt.Errorf("the line is no JSON object: %w", err)
	}
	rec, err := jsonRecord(object, named)
	if err != nil {
		return rec, err
	}
	for _, col := range []column{colID, colAudio, colText} {
		name := columnWords[col].name
		if key, ok := named[name]; ok && !rec.has[col] {
			return rec, fmt.Errorf("no key %q, which columns: names for %s", key, name)
		}
	}
	switch {
	case !rec.has[colID] && !rec.has[colAudio]:
		err = fmt.Errorf("no key names the clip (audio_filepath, path, file, id, …)")
	case !rec.has[colText]:
		err = fmt.Errorf("no key holds the text (text, sentence, …)")
	}
	return rec, err
}

// jsonRecord takes our columns out of an object: by the keys that the config
// names, else by the usual ones.
func jsonRecord(object map[string]json.RawMessage, named map[string]string) (*record, error) {
	rec := &record{}
	taken := map[string]bool{}
	for _, key := range named {
		taken[key] = true
	}
	for col, c := range columnWords {
		keys := c.words
		if key, ok := named[c.name]; ok {
			keys = []string{key}
		}
		for _, key := range keys {
			raw, there := object[key]
			if !there || string(raw) == "null" || taken[key] && named[c.name] != key {
				continue
			}
			value, err := jsonValue(raw, column(col))
			if err != nil {
				return rec, fmt.Errorf("key %s: %w", key, err)
			}
			rec.value[col], rec.has[col] = strings.TrimSpace(value), true
			break
		}
	}
	if !rec.has[colText] && rec.has[colNormalised] { // as in textAtLeast
		rec.value[colText], rec.has[colText] = rec.value[colNormalised], true
		rec.value[colNormalised], rec.has[colNormalised] = "", false
	}
	return rec, nil
}

// jsonValue is a string, or a number as it is written: a speaker may be one, and
// times stay exact.
func jsonValue(raw json.RawMessage, col column) (string, error) {
	var s string
	switch c := raw[0]; {
	case c == '"':
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", err
		}
		if strings.Contains(s, "\uFFFD") && !strings.Contains(string(raw), "\uFFFD") && !strings.Contains(strings.ToLower(string(raw)), `\ufffd`) {
			return "", fmt.Errorf("half of a surrogate pair stands alone")
		}
		return s, nil
	case (c == '-' || c >= '0' && c <= '9') && col != colText && col != colNormalised && col != colAudio:
		return string(raw), nil
	}
	return "", fmt.Errorf("%s is no text", clip(string(raw), shownID))
}
