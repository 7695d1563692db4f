package hftok

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finder gives the first match in s at or after from; -1 where there is none.
// No match is empty.
type finder func(s string, from int) (start, end int)

// readPattern makes a finder of a literal text or a regular expression.
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

// classEscapes are the escapes that mean Unicode's classes in the original and
// ASCII's in Go, as they stand inside brackets.
var classEscapes = map[byte]string{
	's': `\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`,
	'd': `\p{Nd}`,
	'S': "", 'D': "", // outside brackets only
}

// readRegex reads expressions of single characters, classes, groups,
// alternatives and greedy repetitions, which mean the same to Go's package
// regexp as to Oniguruma: the first alternative from the left.
func readRegex(expr, path string) (finder, error) {
	if f, ok := wholePatterns[expr]; ok {
		return f, nil
	}
	refuse := func(what string) (finder, error) {
		return nil, fmt.Errorf("%s: pattern: regular expression %q: %s", path, expr, what)
	}
	translated, what := translate(expr)
	if what != "" {
		return refuse("this version does not know " + what)
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
		m := re.FindStringIndex(s[from:])
		if m == nil {
			return -1, -1
		}
		return from + m[0], from + m[1]
	}, nil
}

// translate writes an expression in Go's dialect; what is the first part of it
// that either has no counterpart or might mean something else.
func translate(expr string) (out, what string) {
	var b strings.Builder
	inside := false   // of brackets
	repeated := false // the last thing was a repetition
	for i := 0; i < len(expr); i++ {
		again := false
		switch c := expr[i]; {
		case c == '\\':
			if i++; i == len(expr) {
				return "", "a backslash at the end"
			}
			text, size, ok := escape(expr[i:], inside)
			if !ok {
				_, width := utf8.DecodeRuneInString(expr[i:])
				return "", `\` + expr[i:i+width]
			}
			b.WriteString(text)
			i += size - 1
		case c == '[' && inside, c == '&' && inside:
			return "", "a class in a class"
		case c == '[':
			inside = true
			b.WriteByte(c)
			if strings.HasPrefix(expr[i+1:], "^") {
				i++
				b.WriteByte('^')
			}
			if strings.HasPrefix(expr[i+1:], "]") {
				return "", "an empty class"
			}
		case c == ']' && inside:
			inside = false
			b.WriteByte(c)
		case !inside && c == '(' && strings.HasPrefix(expr[i:], "(?") && !strings.HasPrefix(expr[i:], "(?:"):
			return "", "groups that begin with " + expr[i:min(len(expr), i+4)]
		case !inside && (c == '^' || c == '$' || c == '.'):
			return "", string(c)
		case !inside && strings.IndexByte("?*+{", c) >= 0:
			text, ok := repetition(expr[i:])
			if !ok || repeated {
				return "", "repetitions such as " + expr[max(0, i-1):min(len(expr), i+3)]
			}
			b.WriteString(text)
			i += len(text) - 1
			again = true
		default:
			b.WriteByte(c)
		}
		repeated = again
	}
	return b.String(), ""
}

// repetition is the one that s begins with: ? * + {n} {n,} {n,m}.
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

// escape translates what stands behind a backslash.
func escape(s string, inside bool) (text string, size int, ok bool) {
	switch c := s[0]; {
	case c == 's' || c == 'd':
		if inside {
			return classEscapes[c], 1, true
		}
		return "[" + classEscapes[c] + "]", 1, true
	case (c == 'S' || c == 'D') && !inside:
		return "[^" + classEscapes[c+'a'-'A'] + "]", 1, true
	case c == 'r' || c == 'n' || c == 't':
		return `\` + s[:1], 1, true
	case c == 'p' || c == 'P':
		end := strings.IndexByte(s, '}')
		if end < 3 || s[1] != '{' {
			return "", 0, false
		}
		if name := s[2:end]; unicode.Categories[name] == nil {
			return "", 0, false
		}
		return `\` + s[:end+1], end + 1, true
	case c < utf8.RuneSelf && c > ' ' && !isAlphanumeric(c):
		return `\` + s[:1], 1, true
	}
	return "", 0, false
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// matchesEmpty reports whether an expression can match the empty text.
func matchesEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpPlus, syntax.OpCapture:
		return matchesEmpty(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || matchesEmpty(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !matchesEmpty(sub) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if matchesEmpty(sub) {
				return true
			}
		}
		return false
	}
	return true // stars, queries, and whatever else
}
