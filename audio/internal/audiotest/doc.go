// Package audiotest holds what the tests of the audio packages share.
package audiotest
