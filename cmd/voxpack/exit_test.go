package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler/intake"
)

// TestOneCureForACause: a fault of the machine has one cure, said once, whether a
// source was read or anything else, and it is never a mistake in a config.
func TestOneCureForACause(t *testing.T) {
	said := func(err error) string {
		var b strings.Builder
		complain(&b, err)
		return b.String()
	}
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ESTALE, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EDQUOT} {
		fault := &fs.PathError{Op: "open", Path: "x", Err: errno}
		cure, ok := intake.Cure(fault)
		if !ok || cure == "" {
			t.Errorf("%v has no cure", errno)
			continue
		}
		for where, err := range map[string]error{"of a source": fmt.Errorf("row: %w", intake.Machine(fault)), "of a store": fmt.Errorf("store: %w", fault)} {
			if text := said(err); strings.Count(text, cure) != 1 || !strings.HasSuffix(text, cure+"\n") {
				t.Errorf("%v %s: %q, want %q once, at the end", errno, where, text, cure)
			}
			if code := exitCode(term.Usage{Err: err}); code != exitEnvironment {
				t.Errorf("%v %s: exit code %d, want %d", errno, where, code, exitEnvironment)
			}
		}
	}
	denied := &fs.PathError{Op: "open", Path: "voxpack.yaml", Err: syscall.EACCES}
	if text := said(denied); strings.Contains(text, "chmod") || exitCode(term.Usage{Err: denied}) != exitUsage {
		t.Errorf("a file that the user named: %q, exit code %d", text, exitCode(term.Usage{Err: denied}))
	}
	if text := said(intake.Machine(denied)); !strings.Contains(text, "chmod +r") {
		t.Errorf("a source that may not be read: %q", text)
	}
	if text := said(errors.New("odd")); text != "voxpack: odd\n" {
		t.Errorf("an error of another kind: %q", text)
	}
}
