//go:build !linux

package main

import "os"

// consume: feeders are of Linux.
func consume() { os.Exit(1) }

// trainer: feeders are of Linux.
func trainer() { os.Exit(1) }
