// Package forms is the door to the four normal forms of Unicode, and has one of
// its own: Compat, which undoes what only looks different and leaves what means
// something.
package forms
