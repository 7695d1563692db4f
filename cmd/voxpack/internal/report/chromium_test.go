package report

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"voxpack/compiler"
	"voxpack/internal/corpustest"
)

var shots = flag.String("shots", "", "keep the screenshots of the page in `DIR`, for people to look at")

// browserPrograms are the names that Chromium goes by.
var browserPrograms = []string{"chromium", "chromium-browser", "google-chrome"}

// chromium is a browser without a window, driven through its two pipes: JSON with a
// zero byte after each message.
type chromium struct {
	t       *testing.T
	to      *os.File
	out     *os.File
	from    *bufio.Reader // out
	session string
	last    int
	events  []event // what the page said and asked for
}

type event struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// startChromium starts the browser, or skips the test where there is none.
func startChromium(t *testing.T) *chromium {
	t.Helper()
	program := ""
	for _, name := range browserPrograms {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if program == "" {
		t.Skip("NOTICE: no Chromium is installed, so that no browser opened the page")
	}
	theirIn, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.MkdirTemp("", "voxpack-chromium")
	if err != nil {
		t.Fatal(err)
	}
	// A container has no sandbox to give, and the page is our own.
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--user-data-dir="+data, "--remote-debugging-pipe")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its processes end together
	if err := cmd.Start(); err != nil {
		os.RemoveAll(data)
		t.Skipf("NOTICE: %s does not start: %v", program, err)
	}
	theirIn.Close()
	theirOut.Close()
	c := &chromium{t: t, to: to, out: from, from: bufio.NewReaderSize(from, 1<<20)}
	t.Cleanup(func() {
		to.Close()
		from.Close()
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait() // it was killed
		var err error
		for range 1000 { // the other processes of the browser may write until they are gone
			if err = os.RemoveAll(data); err == nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error(err)
	})
	if _, err := c.next(`{"id":-1,"method":"Browser.getVersion"}`); err != nil {
		t.Skipf("NOTICE: %s does not answer, so that no browser opened the page: %v", program, err)
	}
	var target struct{ TargetID string }
	c.call(&target, "Target.createTarget", map[string]any{"url": "about:blank"})
	var attached struct{ SessionID string }
	c.call(&attached, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	c.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		c.call(nil, domain+".enable", nil)
	}
	return c
}

// call asks the browser, and keeps the events that come before the answer.
func (c *chromium) call(into any, method string, params map[string]any) {
	c.t.Helper()
	c.last++
	if params == nil {
		params = map[string]any{}
	}
	message, err := json.Marshal(struct {
		ID      int            `json:"id"`
		Method  string         `json:"method"`
		Params  map[string]any `json:"params"`
		Session string         `json:"sessionId,omitempty"`
	}{c.last, method, params, c.session})
	for say := string(message); err == nil; say = "" {
		var e event
		if e, err = c.next(say); err != nil || e.ID != c.last {
			continue
		}
		if e.Error != nil {
			err = errors.New(e.Error.Message)
		} else if into != nil {
			err = json.Unmarshal(e.Result, into)
		}
		if err == nil {
			return
		}
	}
	c.t.Fatalf("%s: %v", method, err)
}

// next says something to the browser, unless it is "", and is its next message.
func (c *chromium) next(say string) (e event, err error) {
	if say != "" {
		_, err = c.to.WriteString(say + "\x00")
	}
	if err == nil {
		err = c.out.SetReadDeadline(time.Now().Add(3 * time.Minute)) // one that hangs is no page of ours
	}
	if err != nil {
		return e, err
	}
	b, err := c.from.ReadBytes(0)
	if err != nil {
		return e, err
	}
	err = json.Unmarshal(bytes.TrimSuffix(b, []byte{0}), &e)
	if e.Method != "" {
		c.events = append(c.events, e)
	}
	return e, err
}

// open loads a file and waits until it is there.
func (c *chromium) open(path string) {
	c.t.Helper()
	c.events = nil
	c.call(nil, "Page.navigate", map[string]any{"url": "file://" + path})
	for done := false; !done; {
		for _, e := range c.events {
			done = done || e.Method == "Page.loadEventFired"
		}
		if !done {
			if _, err := c.next(""); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	// The event may have been of the empty page before.
	for c.eval("document.readyState") != `"complete"` {
		time.Sleep(10 * time.Millisecond)
	}
}

// eval is the value of an expression on the page, as JSON.
func (c *chromium) eval(expression string) string {
	c.t.Helper()
	var v struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *json.RawMessage `json:"exceptionDetails"`
	}
	c.call(&v, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
	if v.ExceptionDetails != nil {
		c.t.Fatalf("%s: %s", expression, *v.ExceptionDetails)
	}
	return string(v.Result.Value)
}

// want compares the value of an expression.
func (c *chromium) want(expression, want string) {
	c.t.Helper()
	if got := c.eval(expression); got != want {
		c.t.Errorf("%s is %s, want %s", expression, got, want)
	}
}

// key presses a key.
func (c *chromium) key(key, text string) {
	c.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13}[key]
	c.call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code})
	c.call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "windowsVirtualKeyCode": code})
}

// wantQuiet checks that the page said nothing and asked for nothing but itself.
func (c *chromium) wantQuiet(path string) {
	c.t.Helper()
	for _, e := range c.events {
		switch e.Method {
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			c.t.Errorf("%s: %s", e.Method, e.Params)
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if err := json.Unmarshal(e.Params, &p); err != nil || p.Request.URL != "file://"+path && !strings.HasPrefix(p.Request.URL, "data:") {
				c.t.Errorf("the page asks for %s (%v)", p.Request.URL, err)
			}
		}
	}
}

// shot keeps a picture of the whole page.
func (c *chromium) shot(name string) {
	c.t.Helper()
	if *shots == "" {
		return
	}
	for i, from := range []int{0, 2000, 4000, 6000} {
		var p struct{ Data string }
		c.call(&p, "Page.captureScreenshot", map[string]any{"captureBeyondViewport": true, "clip": map[string]any{"x": 0, "y": from, "width": 1200, "height": 2000, "scale": 1}})
		b, err := base64.StdEncoding.DecodeString(p.Data)
		if err == nil {
			err = os.WriteFile(filepath.Join(*shots, fmt.Sprintf("%s-%d.png", name, i)), b, 0o666)
		}
		if err != nil {
			c.t.Error(err)
		}
	}
}

// hostileDataset is a corpus of both languages, with rows whose texts would leave
// their place, and one without sound.
func hostileDataset(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	corpora := filepath.Join("..", "..", "..", "..", "testdata", "corpus")
	for _, language := range []string{"en", "fa"} {
		if err := os.CopyFS(filepath.Join(dir, language), corpustest.Files(filepath.Join(corpora, language))); err != nil {
			t.Fatal(err)
		}
	}
	var lines bytes.Buffer
	for _, language := range []string{"en", "fa"} {
		src, err := os.ReadFile(filepath.Join(dir, language, "metadata.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			cells := strings.Split(strings.TrimSpace(line), "|")
			writeLine(t, &lines, map[string]string{"audio": language + "/wavs/" + cells[0] + ".wav", "text": cells[1], "language": language, "speaker": "adam"})
		}
	}
	clip, err := os.ReadFile(filepath.Join(corpora, "en", "wavs", "en-0001.wav"))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range hostile[:8] {
		name := fmt.Sprintf("h%d.wav", i)
		if i == 2 {
			name = `a"'<b>&.wav`
		}
		if err := os.WriteFile(filepath.Join(dir, name), clip, 0o666); err != nil {
			t.Fatal(err)
		}
		writeLine(t, &lines, map[string]string{"audio": name, "text": "Read this: " + s + " and 5 km.", "speaker": "eve" + s, "language": "en"})
	}
	writeLine(t, &lines, map[string]string{"audio": "<i>nowhere</i>.wav", "text": "Nobody said this.", "speaker": "<u>adam", "language": "en"})
	if err := os.WriteFile(filepath.Join(dir, "metadata.jsonl"), lines.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	opts := compiler.Options{Dataset: dir, Now: time.Now}
	opts.Config.Features = []string{"pcm", "energy", "f0"}
	if _, err := compiler.Build(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	return dir
}

func writeLine(t *testing.T, to *bytes.Buffer, row map[string]string) {
	t.Helper()
	b, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	to.Write(append(b, '\n'))
}

// TestThePageInABrowser opens the page of a hostile dataset in both languages and
// both themes: no message, no request, and a table that the keyboard works.
func TestThePageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("short: starts a browser")
	}
	c := startChromium(t)
	dir := hostileDataset(t)
	for _, lang := range []string{"en", "fa"} {
		path := filepath.Join(dir, "report-"+lang+".html")
		o := &Options{Where: dir, out: path, lang: lang, media: -1, outSet: func() bool { return true }}
		if err := Run(t.Context(), o, &bytes.Buffer{}, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		for _, theme := range []string{"light", "dark"} {
			c.call(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": theme}}})
			c.call(nil, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 1200, "height": 900, "deviceScaleFactor": 1, "mobile": false})
			c.open(path)
			tryTable(c, lang)
			c.want("typeof pwned", `"undefined"`)
			c.want("getComputedStyle(document.body).backgroundColor", map[string]string{"light": `"rgb(252, 252, 251)"`, "dark": `"rgb(20, 24, 27)"`}[theme])
			c.want("[...document.images].every((i) => i.complete && i.naturalWidth > 100)", "true")
			c.want("document.querySelectorAll('audio').length >= 6", "true")
			c.shot(lang + "-" + theme)
			c.wantQuiet(path)
		}
		c.call(nil, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": false})
		c.want("document.documentElement.scrollWidth <= 360", "true")
		var pdf struct{ Data string }
		c.call(&pdf, "Page.printToPDF", nil)
		if len(pdf.Data) < 10_000 {
			t.Errorf("the printed page has %d bytes", len(pdf.Data))
		}
	}
}

// tryTable searches, sorts and turns pages with the keyboard alone.
func tryTable(c *chromium, lang string) {
	c.t.Helper()
	c.want("document.documentElement.dir", map[string]string{"en": `"ltr"`, "fa": `"rtl"`}[lang])
	c.want("document.querySelectorAll('#table tbody tr').length", "25")
	c.key("/", "/")
	c.want("document.activeElement.id", `"search"`)
	c.call(nil, "Input.insertText", map[string]any{"text": "read THIS"})
	c.want("document.querySelectorAll('#table tbody tr').length", "8")
	c.want("document.getElementById('next').disabled", "true")
	c.want("document.querySelectorAll('#table script, #table img, #table b, #table svg').length", "0")
	c.eval("document.getElementById('search').select()")
	c.call(nil, "Input.insertText", map[string]any{"text": ""})
	c.eval("document.querySelector('#table button[data-column=\"4\"]').focus()")
	c.key("Enter", "\r")
	c.want("document.querySelector('#table button[data-column=\"4\"]').parentElement.ariaSort", `"ascending"`)
	c.eval("document.getElementById('next').focus()")
}
