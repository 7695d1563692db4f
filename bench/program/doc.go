// Package program is what the programs of bench share: how they end, answer lines,
// run the go command and judge figures.
package program
