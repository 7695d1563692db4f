// Package forms is the door to the four normal forms of Unicode.
package forms
