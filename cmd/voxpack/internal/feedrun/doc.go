// Package feedrun is the command feed: it delivers the batches of a dataset as to
// a trainer, and measures that. The command serve takes its options from here.
//
//	flags, config ──▶ Options                     options.go, check.go, selection.go
//	Options ──▶ an open run: devices, advice      run.go, device.go, advice.go
//	each batch ──▶ ids, digests, trainer, cursor  ids.go, digest.go, trainer.go, cursor.go
//	while it runs ──▶ a line for people           live.go, line.go
//	end ──▶ Report ──▶ page, JSON, run record     report.go, page.go, record.go
//
// The cursor is saved before anything that can fail at the end. Whatever came
// before an error or an interrupt is reported all the same.
package feedrun
