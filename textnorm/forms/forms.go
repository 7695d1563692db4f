package forms

import "golang.org/x/text/unicode/norm"

// Version is the edition of Unicode that the tables are derived from.
const Version = norm.Version

// NFC composes s.
func NFC(s string) string { return norm.NFC.String(s) }

// NFD takes s apart.
func NFD(s string) string { return norm.NFD.String(s) }

// NFKC composes s after it wrote compatible characters as their plain ones.
func NFKC(s string) string { return norm.NFKC.String(s) }

// NFKD takes s apart and writes compatible characters as their plain ones.
func NFKD(s string) string { return norm.NFKD.String(s) }

// IsNFC reports whether NFC leaves s as it is.
func IsNFC(s string) bool { return norm.NFC.IsNormalString(s) }

// Class is the canonical combining class of r, by which marks are ordered.
func Class(r rune) uint8 { return norm.NFD.PropertiesString(string(r)).CCC() }
