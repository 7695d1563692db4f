package worker

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is also the worker of the tests: real processes, which do as the id of a row says.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "worker" {
		program(os.Args[2], os.Args[3])
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == "build" { // which is to be killed over a row that hangs
		p := NewPool(context.Background(), config("", os.Args[2]))
		p.Submit(newRow("hours", 3), func(Result) {})
		p.Close()
	}
	os.Exit(m.Run())
}

// program is a worker written from docs/workers.md alone: it shares no code with the package.
// Its value of a row is [samples, sum of samples, bytes of text, sum of tokens] as f32.
func program(mode, dir string) {
	in, out := bufio.NewReader(os.Stdin), os.Stdout
	switch mode {
	case "ends":
		fmt.Fprintln(os.Stderr, "a line\nModuleNotFoundError: No module named 'ecapa'")
		os.Exit(3)
	case "prints":
		fmt.Println("Loading the model ...")
	}
	hello := map[string]any{}
	if _, payload := receive(in); json.Unmarshal(payload, &hello) != nil || hello["protocol"] != 1.0 {
		os.Exit(4)
	}
	answer := map[string]any{"protocol": 1, "version": hello["version"]}
	var there []byte
	if memory, ok := hello["memory"].(map[string]any); ok && mode != "blind" {
		there = seeMemory(memory)
		answer["memory"] = there != nil
	}
	switch mode {
	case "later":
		answer["protocol"] = 2
	case "other":
		answer["version"] = "v0"
	case "cannot":
		send(out, 5, []byte("no GPU"))
		return
	}
	text, _ := json.Marshal(answer)
	send(out, 2, text)
	for {
		kind, payload := receive(in)
		if kind == 0 {
			note(dir, "left", "")
			return
		}
		note(dir, "batches", fmt.Sprintln(binary.LittleEndian.Uint32(payload[4:])))
		answerBatch(out, dir, payload, there)
	}
}

// seeMemory is the memory that a build offers.
func seeMemory(told map[string]any) []byte {
	f, err := os.Open(told["path"].(string))
	if err != nil {
		return nil
	}
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, int(told["bytes"].(float64)), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil || hex.EncodeToString(b[:16]) != told["mark"] {
		return nil
	}
	return b
}

func answerBatch(out io.Writer, dir string, payload, there []byte) {
	number, rows, at := payload[:4], binary.LittleEndian.Uint32(payload[4:]), 8
	word := func() int { at += 4; return int(binary.LittleEndian.Uint32(payload[at-4:])) }
	for i := range rows {
		nID, nText, nTokens, nSamples, where := word(), word(), word(), word(), word()
		id := string(payload[at : at+nID])
		if at += nID + nText; at%4 != 0 {
			at += 4 - at%4
		}
		v := [4]float32{0: float32(nSamples), 2: float32(nText)}
		for range nTokens {
			v[3] += float32(int32(word()))
		}
		samples := payload[at:]
		if at += 4 * nSamples; where == 0 {
			note(dir, "there", id+"\n")
			samples = there[binary.LittleEndian.Uint64(samples):]
			at += 8 - 4*nSamples
		}
		for k := range nSamples {
			v[1] += math.Float32frombits(binary.LittleEndian.Uint32(samples[4*k:]))
		}
		send(out, 4, append(binary.LittleEndian.AppendUint32(append([]byte{}, number...), i), value(id, dir, v)...))
	}
}

// value is a result from its third number on, or worse.
func value(id, dir string, v [4]float32) []byte {
	note(dir, "rows", id+"\n")
	what, _, _ := strings.Cut(id, "-")
	dtype, shape, values := "f32\x00", []uint32{4}, v[:]
	switch what {
	case "die":
		fmt.Fprintln(os.Stderr, "Fatal: bad row")
		os.Exit(7)
	case "once":
		if note(dir, id, "x") == 1 {
			os.Exit(7)
		}
	case "crash":
		syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, nil) // Go itself catches the signal
	case "oom":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Hour)
	case "hang", "child", "hours":
		if what == "hours" {
			note(dir, "worker", fmt.Sprintln(os.Getpid()))
		}
		if what == "child" {
			cmd := exec.Command("sleep", "3600")
			cmd.Stderr = os.Stderr
			cmd.Start()
			note(dir, "child", fmt.Sprintln(cmd.Process.Pid))
		}
		time.Sleep(time.Hour)
	case "nan":
		values[2] = float32(math.NaN())
	case "inf":
		values[3] = float32(math.Inf(-1))
	case "shape":
		shape = []uint32{2, 2}
	case "short":
		shape, values = []uint32{3}, values[:3]
	case "lies":
		shape = []uint32{3}
	case "type":
		dtype = "i32\x00"
	case "huge":
		shape, values = []uint32{3 << 20}, make([]float32, 3<<20)
	case "print":
		fmt.Print("row done")
	case "said":
		return append(binary.LittleEndian.AppendUint32(nil, 1), "ValueError: too short\n\x1b[31m at all"...)
	case "fault":
		os.Stdout.Write(frame(5, []byte("out of memory")))
		time.Sleep(time.Hour)
	case "flood":
		for range 100_000 {
			fmt.Fprintln(os.Stderr, "warning: the same line again and again")
		}
	case "dims":
		return append(binary.LittleEndian.AppendUint32(nil, 0), "f32\x00\xff\xff\xff\xff"...)
	case "vast":
		os.Stdout.Write(append([]byte("VXW1\x04\x00\x00\x00"), "\xff\xff\xff\xff\xff\xff\xff\x7f"...))
		time.Sleep(time.Hour)
	}
	b := append(binary.LittleEndian.AppendUint32(nil, 0), dtype...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(shape)))
	for _, n := range shape {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	for _, x := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func frame(kind uint32, payload []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("VXW1"), kind)
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(payload))), payload...)
}

func send(w io.Writer, kind uint32, payload []byte) { w.Write(frame(kind, payload)) }

func receive(r io.Reader) (kind uint32, payload []byte) {
	var head [16]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || string(head[:4]) != "VXW1" {
		return 0, nil
	}
	payload = make([]byte, binary.LittleEndian.Uint64(head[8:]))
	io.ReadFull(r, payload)
	return binary.LittleEndian.Uint32(head[4:]), payload
}

// note appends to a file, and returns its size.
func note(dir, name, text string) int64 {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return 0
	}
	defer f.Close()
	f.WriteString(text)
	info, _ := f.Stat()
	return info.Size()
}
