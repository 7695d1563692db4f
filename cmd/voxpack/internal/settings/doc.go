// Package settings puts flags and a config file together as the options of a
// build. It is the one place that knows both the config's keys and the
// compiler's types.
//
//	config file ──▶ Load ──▶ config.Config ──▶ translate.go ──▶ compiler.Config
//	Flags ───────────────────────────────────▶ Flags.Options ──▶ compiler.Options
//
// Everything that is wrong in a config comes out in one error (Judge).
package settings
