//go:build !linux

package store

import "errors"

func mountTmpfs(string, string) error { return errors.New("no tmpfs here") }

func unmount(string) error { return nil }

func remountReadOnly(string) error { return errors.New("no tmpfs here") }
