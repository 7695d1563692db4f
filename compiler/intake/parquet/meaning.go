package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// meaning is what values stand for beside their kind, by which Text writes them.
type meaning int

const (
	// Text writes asStored by the kind alone.
	asStored meaning = iota
	asText
	asDecimal
	asUnsigned
	asUUID
	asForeign // neither a text nor a number
)

// logical is a type as the schema says it.
type logical struct {
	meaning
	name             string
	scale, precision int64 // of a decimal
}

// converted are the old names of types (ConvertedType of parquet.thrift).
var converted = map[int64]logical{
	0: {asText, "UTF8", 0, 0}, 4: {asText, "ENUM", 0, 0}, 5: {asDecimal, "DECIMAL", 0, 0}, 6: {asForeign, "DATE", 0, 0},
	7: {asForeign, "TIME", 0, 0}, 8: {asForeign, "TIME", 0, 0}, 9: {asForeign, "TIMESTAMP", 0, 0}, 10: {asForeign, "TIMESTAMP", 0, 0},
	11: {asUnsigned, "UINT_8", 0, 0}, 12: {asUnsigned, "UINT_16", 0, 0}, 13: {asUnsigned, "UINT_32", 0, 0}, 14: {asUnsigned, "UINT_64", 0, 0},
	19: {asText, "JSON", 0, 0}, 20: {asForeign, "BSON", 0, 0}, 21: {asForeign, "INTERVAL", 0, 0},
}

// logicals are the new ones (LogicalType), which win where both are said.
var logicals = map[int]logical{
	1: {asText, "STRING", 0, 0}, 4: {asText, "ENUM", 0, 0}, 5: {asDecimal, "DECIMAL", 0, 0}, 6: {asForeign, "DATE", 0, 0},
	7: {asForeign, "TIME", 0, 0}, 8: {asForeign, "TIMESTAMP", 0, 0}, 10: {asStored, "INTEGER", 0, 0}, 11: {asStored, "UNKNOWN", 0, 0},
	12: {asText, "JSON", 0, 0}, 13: {asForeign, "BSON", 0, 0}, 14: {asUUID, "UUID", 0, 0}, 15: {asForeign, "FLOAT16", 0, 0},
}

// readLogical reads a LogicalType, of which the field's number is the type.
// A type that is not in the table is a later one: foreign, so that its values are
// never taken for text.
func readLogical(c *compact, kind byte) (l logical) {
	c.structure(kind, func(id int, kind byte) bool {
		known := false
		if l, known = logicals[id]; !known {
			l = logical{meaning: asForeign, name: fmt.Sprint("LogicalType ", id)}
		}
		var numbers []*int64
		if l.meaning == asDecimal {
			numbers = []*int64{1: &l.scale, 2: &l.precision}
		}
		c.numbers(kind, numbers, func(id int, kind byte) bool {
			if l.name == "INTEGER" && id == 2 && kind == typeFalse {
				l.meaning = asUnsigned
			}
			return false
		})
		return true
	})
	return l
}

// maxDecimal bounds a decimal: 256 bits, of 76 digits, are the widest that is written.
const (
	maxDecimal       = 32
	maxDecimalDigits = 76
)

// mean takes the type that the schema says; a type that is not for the column's
// kind, or no type of the format at all, is foreign.
// INT96 is always foreign: it was only ever used for times.
func (c *Column) mean(l logical) {
	c.meaning, c.scale = l.meaning, int(l.scale)
	ok := true
	switch l.meaning {
	case asDecimal:
		bytes := c.Kind == ByteArray || c.Kind == FixedByteArray && c.width <= maxDecimal
		ok = (bytes || c.Kind == Int32 || c.Kind == Int64) && 0 <= l.scale && l.scale <= l.precision && l.precision <= maxDecimalDigits
		l.name = fmt.Sprintf("DECIMAL(%d, %d)", l.precision, l.scale)
	case asUnsigned:
		ok = c.Kind == Int32 || c.Kind == Int64
	case asUUID:
		ok = c.width == 16
	case asForeign:
		ok = false
	}
	switch c.String = l.meaning == asText; {
	case !ok:
		c.Foreign = l.name
	case c.Kind == Int96:
		c.Foreign = "INT96"
	}
}

// Text is a value as people write it: text as it is, numbers in decimal. Values
// of a foreign column are as they are stored.
// A value of another length than its kind's, which a damaged file may hold, is
// written as its bytes. Floats have the fewest digits that read back the same.
func (c *Column) Text(v []byte) (string, error) {
	switch {
	case c.Foreign != "":
	case c.meaning == asDecimal:
		return c.decimal(v)
	case c.meaning == asUUID && len(v) == 16:
		return fmt.Sprintf("%x-%x-%x-%x-%x", v[:4], v[4:6], v[6:8], v[8:10], v[10:]), nil
	case c.Kind == Boolean && len(v) == 1:
		return strconv.FormatBool(v[0] != 0), nil
	case c.Kind == Int32 && len(v) == 4 && c.meaning == asUnsigned:
		return strconv.FormatUint(uint64(binary.LittleEndian.Uint32(v)), 10), nil
	case c.Kind == Int64 && len(v) == 8 && c.meaning == asUnsigned:
		return strconv.FormatUint(binary.LittleEndian.Uint64(v), 10), nil
	case c.Kind == Int32 && len(v) == 4, c.Kind == Int64 && len(v) == 8:
		return strconv.FormatInt(signed(v), 10), nil
	case c.Kind == Float && len(v) == 4:
		return strconv.FormatFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(v))), 'f', -1, 32), nil
	case c.Kind == Double && len(v) == 8:
		return strconv.FormatFloat(math.Float64frombits(binary.LittleEndian.Uint64(v)), 'f', -1, 64), nil
	}
	return string(v), nil
}

// signed is a number of 4 or 8 bytes.
// It is in two's complement, lowest byte first.
func signed(v []byte) int64 {
	if len(v) == 4 {
		return int64(int32(binary.LittleEndian.Uint32(v)))
	}
	return int64(binary.LittleEndian.Uint64(v))
}

// decimal writes a decimal with its point, as 0.20: a whole number of 4 or 8
// bytes, or of any number of bytes with the highest first, over 10^scale.
func (c *Column) decimal(v []byte) (string, error) {
	n := new(big.Int)
	switch {
	case v == nil:
		return "", nil
	case c.Kind == Int32 || c.Kind == Int64:
		n.SetInt64(signed(v))
	case len(v) > maxDecimal:
		return "", fmt.Errorf("a decimal of %d bytes; %d are the most", len(v), maxDecimal)
	default:
		n.SetBytes(v)
		if len(v) > 0 && v[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
		}
	}
	digits, sign := new(big.Int).Abs(n).String(), ""
	if n.Sign() < 0 {
		sign = "-"
	}
	if c.scale == 0 {
		return sign + digits, nil
	}
	digits = strings.Repeat("0", max(0, c.scale+1-len(digits))) + digits
	point := len(digits) - c.scale
	return sign + digits[:point] + "." + digits[point:], nil
}
