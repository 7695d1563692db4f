//go:build !linux || !(amd64 || arm64)

package main

// canDrop says whether drop does anything on this system.
const canDrop = false

func drop(string) error { return nil }

func willNeed([]byte) error { return nil }

func randomly(string) error { return nil }

func disk(string) string { return unknownDisk }

func hugePages([]byte) {}
