package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// foreignTexts are the places that may search a message, because another program
// wrote it and gives no kind with it: the file and function, and whose words.
var foreignTexts = map[string]string{
	"audio/ffmpeg/ffmpeg.go saidOf":       "ffmpeg has no codes for what the system refused, only the C library's words",
	"gpufeed/cuda/invoke_purego.go open":  "dlopen gives a sentence and no number",
	"store/guard.go badgerError":          "Badger formats the causes of its errors into text, without their numbers",
	"internal/config/tree.go syntaxFault": "the YAML reader's error has a second line with an excerpt, which is cut off",
}

// searches are the functions that look for something in a text, by package.
var searches = map[string][]string{
	"strings": {"Contains", "ContainsAny", "ContainsFunc", "ContainsRune", "Count", "Cut", "CutPrefix", "CutSuffix", "EqualFold", "Fields", "FieldsSeq",
		"HasPrefix", "HasSuffix", "Index", "IndexAny", "IndexByte", "IndexFunc", "LastIndex", "Split", "SplitN", "SplitSeq"},
	"regexp": {"MatchString"},
}

// expressionMethods are the methods of regexp.Regexp that look into a string.
var expressionMethods = []string{"MatchString", "FindString", "FindStringIndex", "FindStringSubmatch", "FindAllString", "FindAllStringSubmatch"}

// messageFields are the fields that hold sentences for people: of rejections,
// refusals, problems, findings, notes.
var messageFields = []string{"Reason", "reason", "Message", "message", "Detail", "Refused", "What", "Hint"}

// messageRule: nothing is decided by the words of an error or of a message. A file's
// name stands in many of them, and a better wording would change what a program does.
func messageRule(files []goFile) []string {
	findings, met := searchedMessages(files)
	for _, place := range slices.Sorted(maps.Keys(foreignTexts)) {
		if !met[place] {
			findings = append(findings, place+" searches no message any more; take it out of the table")
		}
	}
	return findings
}

// searchedMessages finds every search of a message but those in foreignTexts, of
// which it says which it met.
func searchedMessages(files []goFile) (findings []string, met map[string]bool) {
	met = map[string]bool{}
	for _, f := range files {
		if f.test || strings.HasPrefix(f.path, "bench/") { // whose programs read what voxpack prints, as a person does
			continue
		}
		for _, decl := range f.syntax.Decls {
			place := f.path
			if fn, ok := decl.(*ast.FuncDecl); ok {
				place += " " + fn.Name.Name
			}
			for _, found := range searchesIn(decl) {
				if _, may := foreignTexts[place]; may {
					met[place] = true
					continue
				}
				findings = append(findings, fmt.Sprintf("%s: %s; decide by a kind or a type", f.line(found.at), found.what))
			}
		}
	}
	return findings, met
}

type searched struct {
	at   token.Pos
	what string
}

func searchesIn(decl ast.Decl) (list []searched) {
	texts := map[string]bool{} // variables of this function that hold a message
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, right := range n.Rhs {
				if name, ok := n.Lhs[i].(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					texts[name.Name] = isMessage(right, texts)
				}
			}
		case *ast.CallExpr:
			if name, ok := search(n); ok && slices.ContainsFunc(n.Args, func(a ast.Expr) bool { return isMessage(a, texts) }) {
				list = append(list, searched{n.Pos(), name + " looks into a message"})
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				if isMessage(n.X, texts) && isText(n.Y) || isMessage(n.Y, texts) && isText(n.X) {
					list = append(list, searched{n.Pos(), "a message is compared with a text"})
				}
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && isMessage(n.Tag, texts) {
				list = append(list, searched{n.Pos(), "a switch over a message"})
			}
		}
		return true
	})
	return list
}

// search is the name of a function that looks into a text.
func search(call *ast.CallExpr) (name string, ok bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	if pkg, ok := sel.X.(*ast.Ident); ok && slices.Contains(searches[pkg.Name], sel.Sel.Name) {
		return pkg.Name + "." + sel.Sel.Name, true
	}
	return sel.Sel.Name, slices.Contains(expressionMethods, sel.Sel.Name)
}

// isMessage reports whether an expression is the text of an error, a field that holds
// a sentence, or made of one.
func isMessage(e ast.Expr, texts map[string]bool) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return isMessage(e.X, texts)
	case *ast.Ident:
		return texts[e.Name]
	case *ast.SelectorExpr:
		return slices.Contains(messageFields, e.Sel.Name)
	case *ast.SliceExpr:
		return isMessage(e.X, texts)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isMessage(e.X, texts) || isMessage(e.Y, texts))
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		if sel.Sel.Name == "Error" && len(e.Args) == 0 {
			return true
		}
		pkg, ok := sel.X.(*ast.Ident)
		rewrites := ok && (pkg.Name == "strings" || pkg.Name == "fmt" && strings.HasPrefix(sel.Sel.Name, "Sprint"))
		return rewrites && slices.ContainsFunc(e.Args, func(a ast.Expr) bool {
			name, ok := a.(*ast.Ident)
			return isMessage(a, texts) || pkg.Name == "fmt" && ok && name.Name == "err"
		})
	}
	return false
}

// isText reports whether an expression is a string literal with something in it.
func isText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING && len(lit.Value) > 2
}

func TestMessages(t *testing.T) { guard(t, messageRule) }

func TestMessageRule(t *testing.T) {
	file := func(body string) map[string]string {
		return map[string]string{"compiler/a.go": "package compiler\nfunc f(err error, r row) {\n" + body + "\n}\n"}
	}
	rule := func(files []goFile) []string {
		findings, _ := searchedMessages(files)
		return findings
	}
	prove(t, rule, []sample{
		{"the text of an error is not searched", file(`_ = strings.Contains(err.Error(), "no such")`), []string{"compiler/a.go:3: strings.Contains"}},
		{"nor a rejection's reason", file(`_ = strings.HasPrefix(r.Reason, "no audio")`), []string{"strings.HasPrefix"}},
		{"nor through a variable", file("s := err.Error()\n_ = strings.Index(s, \":\")"), []string{"compiler/a.go:4: strings.Index"}},
		{"nor in small letters", file(`_ = strings.Contains(strings.ToLower(err.Error()), "x")`), []string{"strings.Contains"}},
		{"nor printed first", file(`_ = strings.Contains(fmt.Sprint(err), "x")`), []string{"strings.Contains"}},
		{"nor by an expression", file(`_ = pattern.MatchString(r.Message)`), []string{"MatchString"}},
		{"nor compared", file(`if err.Error() == "EOF" || r.Reason != "" { }`), []string{"compared"}},
		{"nor switched over", file(`switch err.Error() { }`), []string{"switch"}},
		{"an empty reason is no word", file(`if r.Reason == "" { print(r.Reason) }`), nil},
		{"other texts are", file(`_ = strings.Contains(r.Path, "/")`), nil},
		{"a test may", map[string]string{"compiler/a_test.go": "package compiler\nfunc f(err error) { _ = strings.Contains(err.Error(), `x`) }\n"}, nil},
	})
}
