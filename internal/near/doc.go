// Package near measures how far two names are apart, for messages that guess
// which one was meant.
package near
