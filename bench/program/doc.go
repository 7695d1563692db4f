// Package program is what the programs of bench end with.
package program
