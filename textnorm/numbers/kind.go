package numbers

import "slices"

// Kind is what a string of digits stands for.
type Kind uint8

// The kinds. A Cardinal may have a fraction and a Decimal may have none: they
// are read alike, and two names are there because texts tell them apart.
const (
	Cardinal Kind = iota
	Ordinal
	Year
	Decimal
	kinds = iota // how many there are
)

var kindNames = [kinds]string{"cardinal", "ordinal", "year", "decimal"}

// ParseKind finds a kind by its name.
func ParseKind(name string) (Kind, bool) {
	i := slices.Index(kindNames[:], name)
	return Kind(max(i, 0)), i >= 0
}

// String is the kind's name.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return "unknown kind"
}
