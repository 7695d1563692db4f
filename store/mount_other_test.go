//go:build !linux

package store

import "errors"

func mountTmpfs(string, string) error { return errors.New("no tmpfs here") }

func unmount(string) error { return nil }
