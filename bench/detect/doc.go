// Command detect is our side of the comparison of language detectors: it reads
// lines from stdin, prints the code found for each, and then, as one JSON
// object, how much processor time a line took and how much memory the detector
// holds.
//
//	fetch.py ── CODE.txt ──▶ detect.py ── sentences, fragments ──▶ detect (Go) ──▶ one table
//	                                                      └──────▶ peer.py (lingua) ──┘
//
// To run it:
//
//	python3 bench/detect/fetch.py SETS
//	python3 -m venv VENV && VENV/bin/pip install -r bench/detect/requirements.txt
//	python3 bench/detect/detect.py --python VENV/bin/python news=SETS/news udhr=SETS/udhr spacy=SETS/spacy
package main
