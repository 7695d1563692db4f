package program

import (
	"bufio"
	"encoding/json"
	"io"
)

// Answer answers lines with a line of JSON each, until stdin ends or an answer
// fails.
func Answer(stdin io.Reader, stdout io.Writer, answer func(line string) (any, error)) error {
	encode := json.NewEncoder(stdout)
	for lines := bufio.NewScanner(stdin); lines.Scan(); {
		found, err := answer(lines.Text())
		if err == nil {
			err = encode.Encode(found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
