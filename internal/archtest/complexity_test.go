package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// maxPaths bounds the cyclomatic complexity of a function: how many ways lead
// through it, and so how many cases its tests need. A function literal counts
// for the function that it stands in.
const maxPaths = 25

// pathsOf is 1 and one for each branch: if, for, case, select, && and ||.
func pathsOf(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil { // default adds no way
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// complexityRule: no function has more than maxPaths ways. The rules that read
// text aloud are lists of cases, and are left out until they are tables.
func complexityRule(files []goFile) []string {
	var findings []string
	for _, f := range files {
		if f.test || f.generated || strings.HasPrefix(f.path, "textnorm/spoken/") {
			continue
		}
		for _, decl := range f.syntax.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := pathsOf(fn); n > maxPaths {
				findings = append(findings, fmt.Sprintf("%s: %s has %d ways through it, at most %d", f.line(fn.Pos()), fn.Name.Name, n, maxPaths))
			}
		}
	}
	return findings
}

func TestComplexity(t *testing.T) { guard(t, complexityRule) }

func TestComplexityRule(t *testing.T) {
	ifs := func(n int) string { return "package a\nfunc f(x bool) {" + strings.Repeat("if x {}\n", n) + "}\n" }
	prove(t, complexityRule, []sample{
		{"25 ways fit", map[string]string{"a/a.go": ifs(24)}, nil},
		{"26 do not", map[string]string{"a/a.go": ifs(25)}, []string{"a/a.go:2: f has 26 ways"}},
		{"a test may have more", map[string]string{"a/a_test.go": ifs(25)}, nil},
		{"an else and a default are no ways of their own",
			map[string]string{"a/a.go": strings.Replace(ifs(22), "{if", "{switch { case x: default: }\nif x {} else {}\nif", 1)}, nil},
		{"operators and literals count",
			map[string]string{"a/a.go": strings.Replace(ifs(22), "{if", "{_ = func() { for x && x || x {} }\nif", 1)}, []string{"26 ways"}},
		{"a select counts its cases",
			map[string]string{"a/a.go": strings.Replace(ifs(24), "{if", "{select { case <-c: default: }\nif", 1)}, []string{"26 ways"}},
	})
}
