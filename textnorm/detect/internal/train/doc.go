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
// sources change. A new language whose script nobody else has is a line in the
// detector's tables of codes and of single scripts. Where a script is shared it is
// a code in the table of groups and in CODES of fetch.py, and a new model.
package main
