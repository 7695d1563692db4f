// Command train makes the model of the language detector.
//
//	fetch.py ── CODE.txt ──▶ train ──▶ model.bin
//
// fetch.py collects published translations (the dialogues of a game, handbooks,
// manuals, manual pages, messages of programs) and words as often as people
// write them. SOURCES.md tells what came from where. None of it is in a test.
//
// train reads every group of the detector's table, leaves out paragraphs that a
// first short training takes for another language (untranslated rests, names,
// quotations), and fits a multinomial logistic regression by stochastic gradient
// descent on fragments of one to twelve words, all languages equally often. The
// same text gives the same model on machines of one kind.
//
//	python3 textnorm/detect/internal/train/fetch.py TEXT
//	go run ./textnorm/detect/internal/train -text TEXT -out textnorm/detect/model.bin
//
// Both take seven minutes, spent only when the groups, the features or the
// sources change. A new language is a line in the detector's table. Where its
// script is another's too it needs a new model: packages that have much of it come
// into PACKAGES of fetch.py, and the groups that did not change keep their part of
// the model bit for bit.
package main
