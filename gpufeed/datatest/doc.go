// Package datatest makes small datasets for the tests of gpufeed and the packages
// below it: rows whose bytes follow from their ids, in stores of their own.
package datatest
