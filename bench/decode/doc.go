// Command decode answers bench/peers with the speed of the decoders.
//
//	decode DIR
//
// Each line on stdin is a number of seconds, answered by one line of JSON: all files of the folder are decoded
// from memory, by one goroutine, as often as the seconds last.
package main
