//go:build !linux

package compiler

import "errors"

func mountSmall(string, string) error { return errors.New("no tmpfs here") }

func unmountSmall(string) error { return nil }
