package hftok

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// finder gives the first match in s at or after from; -1 where there is none.
// No match is empty.
type finder func(s string, from int) (start, end int)

// readPattern makes a finder of a literal text or a regular expression. The package
// tokenizers has Oniguruma for the latter, whose dialect is larger than Go's. What may
// mean something else there is an error that shows the expression and the part of it.
func readPattern(p patternJSON, path string) (finder, error) {
	switch {
	case p.String != nil && *p.String != "" && p.Regex == nil:
		text := *p.String
		return func(s string, from int) (int, int) {
			at := strings.Index(s[from:], text)
			if at < 0 {
				return -1, -1
			}
			return from + at, from + at + len(text)
		}, nil
	case p.Regex != nil && *p.Regex != "" && p.String == nil:
		return readRegex(*p.Regex, path)
	}
	return nil, fmt.Errorf("%s: pattern: it is neither a text nor a regular expression, or is empty", path)
}

// wholePatterns are the expressions by which models of the GPT family split.
// Their look-ahead is beyond Go's package regexp, and a scanner is faster.
var wholePatterns = map[string]finder{
	`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`: gpt2,
	`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: func(s string, from int) (int, int) {
		return gpt4(s, from, 3)
	},
	`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: func(s string, from int) (int, int) {
		return gpt4(s, from, 1)
	},
}

// whiteTail ends the expressions of the GPT family: all white space but the last
// one of a run, which the word after it keeps.
const whiteTail = `|\s+(?!\S)|\s+`

// gptContractions is the one group without regard to case that they have.
const gptContractions = `(?i:'s|'t|'re|'ve|'m|'ll|'d)`

// readRegex reads expressions of single characters, classes, groups,
// alternatives and greedy repetitions, which mean the same to Go's package
// regexp as to Oniguruma: the first alternative from the left. Refused are
//
//	look-around      but for whiteTail at the end, which is a scanner
//	a++ a+?          possessive and lazy repetitions
//	. ^ \b \w        whose meaning depends on options or on an edition of Unicode
//	[a[b]] [a&&b]    sets of sets, which Go reads otherwise
//	(?i)             folding, but for gptContractions
//
// An expression that can match the empty text is refused too: it would split
// everywhere and nowhere.
func readRegex(expr, path string) (finder, error) {
	if f, ok := wholePatterns[expr]; ok {
		return f, nil
	}
	refuse := func(what string) (finder, error) {
		return nil, fmt.Errorf("%s: pattern: regular expression %q: %s", path, expr, what)
	}
	body, tail := strings.CutSuffix(expr, whiteTail)
	translated, what := translate(body)
	if what != "" {
		return refuse("this version does not know " + what)
	}
	if tail {
		translated = "(?:" + translated + ")|([" + tables().sets["space"].inBrackets() + "]+)"
	}
	parsed, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		return refuse(err.Error())
	}
	if matchesEmpty(parsed) {
		return refuse("it matches nothing at all, which splits nowhere")
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return refuse(err.Error())
	}
	return func(s string, from int) (int, int) {
		m := re.FindStringSubmatchIndex(s[from:])
		if m == nil {
			return -1, -1
		}
		if tail && m[2] >= 0 {
			return from + m[0], whiteSpace(s, from+m[0])
		}
		return from + m[0], from + m[1]
	}, nil
}

// translate writes an expression in Go's dialect; what is the first part of it
// that either has no counterpart or might mean something else, "" where there is none.
// It goes from left to right and never back; brackets that do not match and the like
// are left to Go's parser.
func translate(expr string) (out, what string) {
	var b strings.Builder
	inside := false   // of brackets
	repeated := false // the last thing was a repetition
	for i := 0; i < len(expr); {
		var text string // what the next bytes become
		size := 1       // how many they are
		again := false
		switch c := expr[i]; {
		case c == '\\':
			text, size, what = translateEscape(expr[i:], inside)
		case inside && (c == '[' || strings.HasPrefix(expr[i:], "&&")):
			what = "a class in a class"
		case inside:
			text, inside = expr[i:i+1], c != ']'
		case c == '[':
			text, what = openClass(expr[i:])
			size, inside = len(text), true
		case strings.IndexByte("?*+{", c) >= 0:
			ok := false
			if text, ok = repetition(expr[i:]); !ok || repeated {
				what = "repetitions such as " + expr[max(0, i-1):min(len(expr), i+3)]
			}
			size, again = len(text), true
		default:
			text, size, what = translatePlain(expr[i:])
		}
		if what != "" {
			return "", what
		}
		b.WriteString(text)
		i += size
		repeated = again
	}
	return b.String(), ""
}

// translateEscape translates the backslash that s begins with and what belongs to it.
func translateEscape(s string, inside bool) (text string, size int, what string) {
	if len(s) == 1 {
		return "", 0, "a backslash at the end"
	}
	text, size, ok := escape(s[1:], inside)
	if !ok {
		_, width := utf8.DecodeRuneInString(s[1:])
		return "", 0, s[:1+width]
	}
	return text, 1 + size, ""
}

// openClass is the beginning of the class that s begins with, "[" or "[^".
func openClass(s string) (text, what string) {
	text = "["
	if strings.HasPrefix(s, "[^") {
		text = "[^"
	}
	if strings.HasPrefix(s[len(text):], "]") {
		return "", "an empty class"
	}
	return text, ""
}

// translatePlain translates what stands outside of classes and is neither an escape
// nor a repetition.
func translatePlain(s string) (text string, size int, what string) {
	const group = "(?:" // nothing here asks for what a group holds
	switch {
	case strings.HasPrefix(s, gptContractions):
		return gptContractions, len(gptContractions), ""
	case strings.HasPrefix(s, group):
		return group, len(group), ""
	case strings.HasPrefix(s, "(?"):
		return "", 0, "groups that begin with " + s[:min(len(s), 4)]
	case s[0] == '(':
		return group, 1, ""
	case s[0] == '$':
		return "(?m:$)", 1, "" // the end of any line
	case s[0] == '^' || s[0] == '.':
		return "", 0, s[:1]
	}
	return s[:1], 1, ""
}

// repetition is the one that s begins with: ? * + {n} {n,} {n,m}. {,m} is one to
// Oniguruma and a text to Go.
func repetition(s string) (text string, ok bool) {
	if s[0] != '{' {
		return s[:1], true
	}
	end := strings.IndexByte(s, '}')
	if end < 2 || s[1] == ',' || strings.Trim(s[1:end], "0123456789,") != "" {
		return "", false
	}
	return s[:end+1], true
}

// escape translates what stands after a backslash. Classes are written out in
// ranges, since those of Go's package regexp are of the Unicode of its edition.
func escape(s string, inside bool) (text string, size int, ok bool) {
	switch c := s[0]; {
	case c == 'r' || c == 'n' || c == 't':
		return `\` + s[:1], 1, true
	case strings.IndexByte("sSdDpP", c) >= 0:
		name, size := map[byte]string{'s': "space", 'd': "Nd"}[c|0x20], 1
		if c|0x20 == 'p' {
			end := strings.IndexByte(s, '}')
			if end < 3 || end > 4 || s[1] != '{' {
				return "", 0, false
			}
			name, size = s[2:end], end+1
		}
		set := tables().sets[name]
		if len(set) == 0 {
			return "", 0, false
		}
		if c < 'a' {
			set = set.complement()
		}
		if inside {
			return set.inBrackets(), size, true
		}
		return "[" + set.inBrackets() + "]", size, true
	case c < utf8.RuneSelf && c > ' ' && !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'):
		return `\` + s[:1], 1, true
	}
	return "", 0, false
}

// matchesEmpty reports whether an expression can match the empty text. What it does
// not know, such as the end of a line, counts as such.
func matchesEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpPlus, syntax.OpCapture:
		return matchesEmpty(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || matchesEmpty(re.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !matchesEmpty(sub) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, matchesEmpty)
	}
	return true // stars, queries, and whatever else
}
