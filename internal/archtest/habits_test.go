package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The limits of the house. A file of 500 lines is two files; a function of 80
// does not fit a screen.
const (
	maxFileLines     = 500
	maxFunctionLines = 80
	maxMethods       = 5
)

// docRule: every package has a doc.go with the package comment.
func docRule(files []goFile) []string {
	documented := map[string]bool{} // folder -> has it
	for _, f := range files {
		if f.test {
			continue
		}
		isDoc := strings.HasSuffix(f.path, "/doc.go") && f.syntax.Doc != nil
		documented[f.dir] = documented[f.dir] || isDoc
	}
	var findings []string
	for _, dir := range slices.Sorted(maps.Keys(documented)) {
		if !documented[dir] {
			findings = append(findings, dir+": no doc.go with a package comment")
		}
	}
	return findings
}

// sizeRule: no file and no function is too long. A table of test cases may be
// longer than a function of the product, a file of them not.
func sizeRule(files []goFile) []string {
	var findings []string
	for _, f := range files {
		if f.generated {
			continue
		}
		if f.lines > maxFileLines {
			findings = append(findings, fmt.Sprintf("%s: %d lines, at most %d", f.path, f.lines, maxFileLines))
		}
		if f.test {
			continue
		}
		for _, decl := range f.syntax.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line + 1
			if n > maxFunctionLines {
				findings = append(findings, fmt.Sprintf("%s: %s has %d lines, at most %d", f.line(fn.Pos()), fn.Name.Name, n, maxFunctionLines))
			}
		}
	}
	return findings
}

// exitRule: in no package but main anything logs or ends the process; the caller
// gets an error. What the programs under bench share counts as theirs.
func exitRule(files []goFile) []string {
	var findings []string
	for _, f := range files {
		if f.test || f.syntax.Name.Name == "main" || strings.HasPrefix(f.path, "bench/") {
			continue
		}
		for _, spec := range f.syntax.Imports {
			if imp, _ := strconv.Unquote(spec.Path.Value); imp == "log" || imp == "log/slog" {
				findings = append(findings, f.line(spec.Pos())+": imports "+imp+" outside of package main")
			}
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Exit" {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "os" {
				findings = append(findings, f.line(sel.Pos())+": os.Exit outside of package main")
			}
			return true
		})
	}
	return findings
}

// interfaceRule: an interface is small, so that its consumers say what they need
// and a test can stand in for it. What one embeds counts as one.
func interfaceRule(files []goFile) []string {
	var findings []string
	for _, f := range files {
		if f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if face, ok := spec.Type.(*ast.InterfaceType); ok && face.Methods.NumFields() > maxMethods {
				findings = append(findings, fmt.Sprintf("%s: %s has %d methods, at most %d", f.line(spec.Pos()), spec.Name.Name, face.Methods.NumFields(), maxMethods))
			}
			return true
		})
	}
	return findings
}

// commentRule: every exported name says what it is.
func commentRule(files []goFile) []string {
	var findings []string
	for _, f := range files {
		if f.test || f.generated {
			continue
		}
		for _, decl := range f.syntax.Decls {
			for _, name := range undocumented(decl) {
				findings = append(findings, f.line(decl.Pos())+": "+name+" has no comment")
			}
		}
	}
	return findings
}

// undocumented names what a declaration exports without a word. One comment
// over a group speaks for constants and variables, not for types.
func undocumented(decl ast.Decl) []string {
	var names []string
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Name.IsExported() && decl.Doc == nil && exportedReceiver(decl) {
			names = append(names, decl.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				alone := len(decl.Specs) == 1 && decl.Doc != nil
				if spec.Name.IsExported() && spec.Doc == nil && !alone {
					names = append(names, spec.Name.Name)
				}
			case *ast.ValueSpec:
				if decl.Doc == nil && spec.Doc == nil && spec.Comment == nil && spec.Names[0].IsExported() {
					names = append(names, spec.Names[0].Name)
				}
			}
		}
	}
	return names
}

// exportedReceiver: a plain function, or a method of an exported type.
func exportedReceiver(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return token.IsExported(x.Name)
		default:
			return true
		}
	}
}

func TestPackageDocs(t *testing.T)     { guard(t, docRule) }
func TestSizes(t *testing.T)           { guard(t, sizeRule) }
func TestNoExit(t *testing.T)          { guard(t, exitRule) }
func TestSmallInterfaces(t *testing.T) { guard(t, interfaceRule) }
func TestComments(t *testing.T)        { guard(t, commentRule) }
