package spoken

import (
	"strings"
	"unicode/utf8"
)

// enURL reads an address of the web or of mail, character by character where it must.
func enURL(s *scan) bool {
	rest := s.rest()
	if len(rest) > maxURL { // or a text without spaces would be looked through at every word
		rest = rest[:maxURL]
	}
	end := strings.IndexByte(rest, ' ')
	if end < 0 {
		end = len(rest)
	}
	form := strings.TrimRight(rest[:end], ".,;:!?)>\"'”’")
	if !isAddress(form) {
		return false
	}
	for i := 0; i < len(form); {
		r, n := utf8.DecodeRuneInString(form[i:])
		switch {
		case isLetter(form[i]):
			end := i
			for end < len(form) && isLetter(form[end]) {
				end++
			}
			enURLWord(s, form[i:end])
			n = end - i
		case isDigit(form[i]):
			s.cardinal(form[i : i+1])
		default:
			name, ok := map[rune]string{'.': "dot", '/': "slash", ':': "colon", '@': "at", '-': "dash", '_': "underscore", '?': "question mark", '=': "equals", '&': "and", '#': "hash", '%': "percent", '~': "tilde", '+': "plus"}[r]
			if !ok {
				name = string(r)
			}
			s.say(name)
		}
		i += n
	}
	s.at += len(form)
	return true
}

// isAddress reports whether a form is an address of the web or of mail, in any language.
func isAddress(form string) bool {
	if mail := strings.IndexByte(form, '@'); mail > 0 {
		return strings.Contains(form[mail:], ".")
	}
	return strings.HasPrefix(form, "http://") || strings.HasPrefix(form, "https://") || strings.HasPrefix(form, "www.") || enDomain(form)
}

// enURLWord spells what nobody can read.
func enURLWord(s *scan, word string) {
	low := strings.ToLower(word)
	if low == "http" || low == "https" || low == "ftp" || len(word) <= 3 && !strings.ContainsAny(low, "aeiouy") || low == "io" || low == "uk" || low == "eu" || low == "ai" {
		for i := range len(word) {
			s.say(word[i : i+1])
		}
		return
	}
	s.say(word)
}

// enDomain reports whether a form is a name of the web without anything in front.
func enDomain(form string) bool {
	host, _, _ := strings.Cut(form, "/")
	dot := strings.LastIndexByte(host, '.')
	if dot <= 0 {
		return false
	}
	switch strings.ToLower(host[dot+1:]) {
	case "com", "org", "net", "edu", "gov", "io", "info", "co", "uk", "de", "fr", "pl", "ua", "ru", "cz", "nl", "hu", "ir", "ai", "dev":
		return !strings.Contains(host, "..")
	}
	return false
}

// maxURL is more than browsers and mail take of an address.
const maxURL = 2048
