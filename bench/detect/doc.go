// Command detect is our side of the comparison of language detectors: it reads
// lines from stdin, prints the code found for each, and then, as one JSON
// object, how long a line took and how much memory the detector holds.
//
//	detect.py ── sentences and fragments ──▶ detect (Go)
//	                                    └──▶ peer.py (lingua)   ──▶ one table
package main
