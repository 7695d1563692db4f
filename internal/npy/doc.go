// Package npy writes the front of NumPy's files, format 1.0.
package npy
