// Package report is the command report: one page on a dataset that needs no
// network and no other file.
//
// Words: figures are what is known of a dataset as plain values, and are the JSON.
// A distribution is a histogram with its quantiles. A check looks for rows that are
// unlike the others; what it finds are outliers. The page is figures, rows and
// media in one HTML file.
//
//	origin records ── readRows ──▶ rows                            row.go
//	rows ──▶ groups, distributions, alphabet, padding              set.go, distribution.go, alphabet.go, padding.go
//	columns of some rows ── look ──▶ loudness, f0, sound           sound.go, bandwidth.go
//	rows, sound ── checks ──▶ outliers                             outlier.go
//	rejections, run records                                        history.go
//	figures ── words of a language, charts ──▶ page                page.go, words.go, page/, chart.go, browser.go, media.go
//
// The store is all that is read. Texts, ids and names are not trusted: the template
// escapes them, and what would turn or hide text is spelled out.
package report
