//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package main

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// processFaults are what a user, a system and a trainer do to a feed.
func processFaults() []*fault {
	stop := func(s syscall.Signal) func(*testing.T, *running) {
		return func(t *testing.T, r *running) { r.await(t, 12); r.signal(t, s) }
	}
	interrupted := []string{"voxpack: interrupted; the position is in at.json"}
	stops := []trial{
		{name: "SIGINT", args: endless("--digest"), during: stop(syscall.SIGINT), code: exitInterrupted, says: interrupted},
		{name: "SIGTERM", args: endless(), during: stop(syscall.SIGTERM), code: exitInterrupted, says: interrupted},
		{name: "SIGINT while the cache serves", args: []string{"--epochs", "0", "--step-ms", "20"}, during: stop(syscall.SIGINT), code: exitInterrupted, says: interrupted},
		{name: "SIGINT without a trainer", args: []string{"--epochs", "0"}, during: stopEarly, code: exitInterrupted, says: interrupted, others: true},
	}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup(1)
		stops = append(stops, trial{name: "SIGHUP", args: endless(), during: stop(syscall.SIGHUP), code: exitInterrupted, says: interrupted})
	}
	return []*fault{
		{
			en:     words{"Ctrl-C, SIGTERM, or the terminal is closed (SIGHUP)", "report and position are written", "`--resume`"},
			fa:     words{"Ctrl-C، SIGTERM، یا بسته شدن پایانه (SIGHUP)", "گزارش و جایگاه نوشته می‌شوند", "`--resume`"},
			trials: stops,
		},
		{
			en:     words{"a second signal, half a second later or more", "ends the run at once, also one that waits for a copy", "`--resume`"},
			fa:     words{"سیگنال دوم، دست‌کم نیم ثانیه پس از اولی", "اجرا را درجا پایان می‌دهد، حتی اگر منتظر رونوشتی باشد", "`--resume`"},
			trials: []trial{{name: "while a copy hangs", env: []string{"FAKECUDA_HANG_COPY=4"}, args: endless("--mode", "direct"), during: stopTwice, code: exitInterrupted, frozen: true}},
		},
		{
			en:     words{"nobody reads stdout any more (`--ids - \\| head`)", "the error of the write; the position is written", ""},
			fa:     words{"دیگر کسی stdout را نمی‌خواند (`--ids - \\| head`)", "خطای نوشتن؛ جایگاه نوشته می‌شود", ""},
			trials: []trial{{name: "ids", args: endless("--ids", "-", "--json=false"), deaf: true, code: exitEnvironment, says: []string{"voxpack: .*--ids: .*broken pipe"}, others: true}},
		},
		{
			en: words{"`kill -9`, or the system kills the process", "nothing more; with `--step-ms` the position was saved within the last 5 s, and another run does not notice", "`--resume`"},
			fa: words{"`kill -9`، یا سیستم فرایند را می‌کشد", "هیچ؛ با `--step-ms` جایگاه در ۵ ثانیهٔ آخر ذخیره شده است و اجرای بعد اثری از آن نمی‌بیند", "`--resume`"},
			trials: []trial{{name: "behind the first position", args: endless(), during: killBehindPosition, code: 137, frozen: true, check: func(t *testing.T, r *running) {
				if n := cursorCount(r.cursor); n == 0 || n > len(r.ids) {
					t.Errorf("the position is behind %d samples, %d were delivered", n, len(r.ids))
				}
			}}},
		},
		{
			en:     words{"a trainer gives no batch back", "it gets those that its GPU holds, then after 60 s `no batch came within`, with where they are and what to do; when it gives one back the feed goes on", "release batches when they are used"},
			fa:     words{"آموزشگر هیچ دسته‌ای را پس نمی‌دهد", "آنچه را پردازنده‌اش نگه می‌دارد می‌گیرد و پس از ۶۰ ثانیه `no batch came within`، همراه با اینکه کجا هستند و چه باید کرد؛ با پس دادن یک دسته تغذیه پیش می‌رود", "دسته‌ها را پس از مصرف پس بدهید"},
			trials: []trial{{name: "with a shorter timeout", inside: "TestFeedWhoseTrainerKeepsAll"}},
		},
		{
			en: words{"the position is of another seed, shuffle, tail or selection", "`cursor does not fit`, with all that differs", "the settings of the first run"},
			fa: words{"جایگاه از آنِ بذر، ترتیب، ته‌مانده یا گزینش دیگری است", "`cursor does not fit` با همهٔ فرق‌ها", "تنظیم‌های اجرای نخست"},
			trials: []trial{
				{name: "seed and tail", args: []string{"--seed", "5", "--tail", "pad", "--resume", "../at.json"}, before: anotherPosition, code: exitUsage, says: []string{"(?s)cursor does not fit: its seed is 0, here it is 5.*its tail is drop, here it is pad"}},
			},
		},
	}
}

// stopTwice signals a feed whose fourth copy hangs until it has ended.
func stopTwice(t *testing.T, r *running) {
	r.await(t, 6)
	r.signal(t, syscall.SIGINT)
	for again := time.NewTicker(oneSignal / 2); ; {
		select {
		case <-again.C:
			_ = r.cmd.Process.Signal(syscall.SIGINT) // it may have ended
		case <-r.ended:
			again.Stop()
			return
		}
	}
}

// stopEarly stops a feed whose ids come to their file in large pieces: as soon
// as there are some.
func stopEarly(t *testing.T, r *running) {
	r.await(t, 1)
	r.signal(t, syscall.SIGINT)
}

// killBehindPosition waits until a position was saved on the way.
func killBehindPosition(t *testing.T, r *running) {
	r.until(t, "a position", func() bool {
		text, err := os.ReadFile(filepath.Join(r.dir, "at.json"))
		return err == nil && bytes.HasSuffix(text, []byte("}\n"))
	})
	r.await(t, 12)
	r.signal(t, syscall.SIGKILL)
}

// anotherPosition is saved by a run with other settings.
func anotherPosition(t *testing.T, r *running) {
	at := filepath.Join(filepath.Dir(r.dir), "at.json")
	voxpack(t, "feed", r.dataset, "-q", "--record", "none", "--device", "host", "--batch-size", "2", "--steps", "2", "--save-cursor", at)
	t.Cleanup(func() { _ = os.Remove(at) })
}
