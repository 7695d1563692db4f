package detect

// Class is one language of a group, as the trainer sees it.
type Class struct {
	Group, Class int
	Code         string
}

// Classes lists every language that a model decides.
func Classes() []Class {
	var all []Class
	for i := range groups {
		for k, code := range groups[i].codes {
			all = append(all, Class{Group: i, Class: k, Code: code})
		}
	}
	return all
}

// Rows returns the number of rows in the weight table of a group, a power of two.
func Rows(group int) int { return 1 << groups[group].bits }

// Words hands the rows of every word of a text to a function, which must not
// keep them: exactly what Detect adds up.
func Words(group int, text string, each func(rows []uint32)) {
	g, rows := &groups[group], make([]uint32, 0, maxFeatures)
	for w := (words{g: g, text: text}); w.next(); {
		each(g.append(rows, &w.word))
	}
}
