package intake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// jsonl is a manifest of JSON objects, one a line, as NeMo writes it: audio_filepath,
// text, and duration and offset in seconds (its documentation, "Preparing custom ASR
// data"). NeMo's duration is of the clip, with an offset or without; here only an
// offset makes a part, since most manifests name whole files.
var jsonl = Format{
	Name:  "jsonl",
	Shape: `lines of {"audio_filepath": …, "text": …}, also with offset, duration, speaker, lang, id; columns: in the config names other keys`,
	Look:  func(lines []string) int { return jsonLook(lines, false) },
	Read:  func(in *Input) error { return (&sheet{in: in}).readJSON(in.File) },
}

// jsonLook counts the lines that are objects with a clip and a text.
// object is used again from line to line: a look goes through 1,000 of them.
func jsonLook(lines []string, audioFolder bool) int {
	var object jsonFields
	count := 0
	for _, l := range lines {
		var err error
		object, err = jsonObject(l, object)
		if err != nil {
			continue
		}
		_, folder := object.value("file_name")
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
	s.rows = make([]sheetRow, 0, strings.Count(src, "\n")+1)
	var object jsonFields
	var keys [columnCount]string // of the last row: mostly those of all
	s.in.Lines(src, func(n int, line string) {
		var rec record
		var err error
		if object, err = jsonObject(line, object); err == nil {
			rec, err = parseJSON(object, s.in.Columns)
		}
		if err == nil {
			for col := range rec.has {
				if rec.has[col] && rec.key[col] != keys[col] {
					keys[col] = rec.key[col]
					s.in.table.took(columnWords[col].name, keys[col])
				}
			}
			s.take(n, &rec)
			return
		}
		s.refuse(n, cmp.Or(rec.value[colID], s.in.inside(rec.value[colAudio])), err)
	})
	s.finish()
	return nil
}

// parseJSON makes a record of an object; with an error it gives what it could tell.
func parseJSON(object jsonFields, named map[string]string) (record, error) {
	rec, err := jsonRecord(object, named)
	if err != nil {
		return rec, err
	}
	for _, col := range []column{colID, colAudio, colText} {
		name := columnWords[col].name
		if key, ok := named[name]; ok && !rec.has[col] {
			return rec, fmt.Errorf("no key %q, which the config's columns: name for %s", key, name)
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
// A key with null is as good as none.
func jsonRecord(object jsonFields, named map[string]string) (rec record, err error) {
	taken := slices.Collect(maps.Values(named)) // by the config, perhaps for something else
	for col, c := range columnWords {
		keys := c.words
		if key, ok := named[c.name]; ok {
			keys = []string{key}
		}
		for _, key := range keys {
			raw, there := object.value(key)
			if !there || raw == "null" || named[c.name] != key && slices.Contains(taken, key) {
				continue
			}
			value, err := jsonValue(raw, column(col))
			if err != nil {
				return rec, fmt.Errorf("key %s: %w", key, err)
			}
			rec.value[col], rec.has[col], rec.key[col] = strings.TrimSpace(value), true, key
			break
		}
	}
	if !rec.has[colText] && rec.has[colNormalised] { // as in textAtLeast
		rec.value[colText], rec.has[colText], rec.key[colText] = rec.value[colNormalised], true, rec.key[colNormalised]
		rec.value[colNormalised], rec.has[colNormalised] = "", false
	}
	return rec, nil
}

// jsonValue is a string, or a number as it is written: a speaker may be one, and
// times stay exact.
// A text, or a clip's path, has to be a string. Half of a surrogate pair would become U+FFFD in the
// library's hands: a text that nobody wrote.
func jsonValue(raw string, col column) (string, error) {
	switch c := raw[0]; {
	case c == '"':
		s := jsonString(raw)
		if strings.Contains(s, "\uFFFD") && !strings.Contains(raw, "\uFFFD") && !strings.Contains(strings.ToLower(raw), `\ufffd`) {
			return "", fmt.Errorf("half of a surrogate pair stands alone")
		}
		return s, nil
	case (c == '-' || c >= '0' && c <= '9') && col != colText && col != colNormalised && col != colAudio:
		return raw, nil
	}
	return "", fmt.Errorf("%s is not a string", clip(raw, shownID))
}

// jsonFields are an object's keys with their values, uncut.
type jsonFields []struct{ key, raw string }

// value is the value of a key; of a key that is there twice the last one
// counts, as for other readers. RFC 8259, section 4, leaves it open.
func (o jsonFields) value(key string) (raw string, there bool) {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return o[i].raw, true
		}
	}
	return "", false
}

// jsonObject cuts a line that is a JSON object at its keys, into the memory of the
// fields of another. The library says whether it is one; a map of the library's for
// each row would make as much garbage as all the rest.
func jsonObject(line string, fields jsonFields) (jsonFields, error) {
	fields = fields[:0]
	line = strings.TrimSpace(line)
	if b := []byte(line); !json.Valid(b) {
		return fields, fmt.Errorf("the line is no JSON object: %w", json.Unmarshal(b, new(json.RawMessage)))
	}
	if line[0] != '{' {
		return fields, fmt.Errorf("the line is JSON, but no object: %s", clip(line, shownID))
	}
	const space = " \t\r\n"
	for rest := strings.TrimLeft(line[1:], space); rest[0] != '}'; rest = strings.TrimLeft(rest, ","+space) {
		n := jsonLength(rest)
		key := jsonString(rest[:n])
		rest = strings.TrimLeft(rest[n:], ":"+space)
		n = jsonLength(rest)
		fields = append(fields, struct{ key, raw string }{key, strings.TrimRight(rest[:n], space)})
		rest = rest[n:]
	}
	return fields, nil
}

// jsonLength is how long the value at the begin of valid JSON is.
// It counts brackets and knows strings, no more: json.Valid has seen the line, and
// has refused what is more than 10,000 deep.
func jsonLength(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i // the end of the object that the value stands in
			} else if depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// jsonString is what a string of valid JSON says.
func jsonString(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw[1 : len(raw)-1]
	}
	var s string
	if json.Unmarshal([]byte(raw), &s) != nil {
		return raw
	}
	return s
}
