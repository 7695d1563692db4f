package archtest

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// clockTest tests how long the process runs, which is a clock itself.
const clockTest = "cmd/voxpack/internal/feedrun/process_test.go"

// clockRule: no test fails for how long something took. A busy machine makes such
// a test red, and a quick one hides what it looks for: count calls, steps
// (internal/steptest), bytes or allocations. These uses of a clock stay: a deadline
// within a loop that would wait for ever, virtual time (testing/synctest), the least
// time that something takes, which no machine falls short of, and a test of clocks.
func clockRule(files []goFile) []string {
	var findings []string
	for _, f := range files {
		if !f.test || f.path == clockTest {
			continue
		}
		for _, decl := range f.syntax.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || names(fn.Body, "synctest") {
				continue
			}
			measured := durations(fn.Body)
			walkIfs(fn.Body, false, func(stmt *ast.IfStmt, waits bool) {
				late := tooLate(stmt.Cond, func(e ast.Expr) bool { return !waits && asksClock(e) || anyIdent(e, measured) })
				if late && fails(stmt) {
					findings = append(findings, f.line(stmt.Pos())+": a test fails for how long something took")
				}
			})
		}
	}
	return findings
}

// durations are the variables, and the functions in variables, that hold how long
// something took.
func durations(body *ast.BlockStmt) []string {
	var found []string
	for again := true; again; {
		again = false
		ast.Inspect(body, func(n ast.Node) bool {
			assign, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for i, right := range assign.Rhs {
				name, ok := assign.Lhs[min(i, len(assign.Lhs)-1)].(*ast.Ident)
				if !ok || name.Name == "_" || slices.Contains(found, name.Name) {
					continue
				}
				if lit, ok := right.(*ast.FuncLit); ok && !returnsClock(lit) || !ok && !asksClock(right) && !anyIdent(right, found) {
					continue
				}
				found, again = append(found, name.Name), true
			}
			return true
		})
	}
	return found
}

// returnsClock reports whether a function gives back a time that it took.
func returnsClock(lit *ast.FuncLit) bool {
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && slices.ContainsFunc(r.Results, asksClock) {
			found = true
		}
		return !found
	})
	return found
}

// asksClock reports whether an expression holds time.Since or time.Now().Sub.
func asksClock(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && n.Sel.Name == "Since" {
				found = true
			}
			if n.Sel.Name == "Sub" && names(n.X, "time") {
				found = true
			}
		}
		return !found
	})
	return found
}

// tooLate reports whether a condition holds an upper bound of a duration, or
// compares it otherwise than with a lower one.
func tooLate(cond ast.Expr, duration func(ast.Expr) bool) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		c, ok := n.(*ast.BinaryExpr)
		if !ok {
			return true
		}
		switch c.Op {
		case token.LSS, token.LEQ:
			found = found || duration(c.Y)
		case token.GTR, token.GEQ:
			found = found || duration(c.X)
		case token.EQL, token.NEQ:
			found = found || duration(c.X) || duration(c.Y)
		}
		return true
	})
	return found
}

// walkIfs visits the if statements of a body; waits is true within a loop.
func walkIfs(body ast.Node, waits bool, visit func(stmt *ast.IfStmt, waits bool)) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			walkIfs(n.Body, true, visit)
			return false
		case *ast.FuncLit:
			walkIfs(n.Body, waits, visit)
			return false
		case *ast.IfStmt:
			visit(n, waits)
		}
		return true
	})
}

// fails reports whether an if statement ends in an error of the test.
func fails(stmt *ast.IfStmt) bool {
	found := false
	look := func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}, sel.Sel.Name) {
			found = true
		}
		return !found
	}
	ast.Inspect(stmt.Body, look)
	if stmt.Else != nil {
		ast.Inspect(stmt.Else, look)
	}
	return found
}

// anyIdent reports whether an expression uses one of some variables.
func anyIdent(e ast.Expr, list []string) bool {
	return slices.ContainsFunc(list, func(name string) bool { return names(e, name) })
}

// names reports whether a name stands anywhere in a piece of code.
func names(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name && id.Pos() != token.NoPos {
			found = true
		}
		return !found
	})
	return found
}

func TestNoClocks(t *testing.T) { guard(t, clockRule) }

func TestClockRule(t *testing.T) {
	test := func(body string) map[string]string {
		return map[string]string{"a/a_test.go": "package a\nfunc TestA(t *testing.T) {\n" + body + "\n}"}
	}
	late := []string{"a/a_test.go:4: a test fails"}
	prove(t, clockRule, []sample{
		{"a time that is compared", test("took := time.Since(start)\nif took > limit { t.Error() }"), late},
		{"in the statement itself", test("\nif took := time.Since(start); took > 2*limit { t.Fatalf(\"\") }"), late},
		{"without a name", test("\nif err != nil || time.Since(start) > limit { t.Error() }"), late},
		{"by a function", test("took := func() time.Duration { f(); return time.Since(start) }\nif took() > 2*took() { t.Error() }"), late},
		{"from one to another", test("a := time.Now().Sub(start); b := a/2\nif b > limit { t.Error() }"), late},
		{"a deadline of a loop that waits", test("for !done() {\nif time.Since(start) > limit { t.Fatal() } }"), nil},
		{"a loop whose rounds are clocked", test("for range 3 { took := time.Since(start)\nif took > limit { t.Fatal() } }"), late},
		{"the least time", test("took := time.Since(start)\nif took < limit { t.Fatal() }"), nil},
		{"the other way round", test("took := time.Since(start)\nif limit < took { t.Fatal() }"), late},
		{"virtual time", test("synctest.Test(t, func(t *testing.T) { took := time.Since(start)\nif took != limit { t.Error() } })"), nil},
		{"a time that is printed", test("t.Log(time.Since(start))\nif broken { t.Error() }"), nil},
		{"the product may ask a clock", map[string]string{"a/a.go": "package a\nfunc f() error { if time.Since(start) > limit { return t.Error() }; return nil }"}, nil},
	})
}
