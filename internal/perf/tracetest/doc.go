// Package tracetest checks, for tests, that a timeline is what the Chrome and
// Perfetto trace-event format asks for.
package tracetest
