// Package detmath has the functions of package math that the tables and features of audio need, with
// the same bits on every machine: logarithm, exponential, sine and cosine, and the Bessel function of
// Kaiser's window.
package detmath
