package compiler

import "encoding/json"

// maxRejectionsJSON bounds an object that programs read whole; the store has
// the rest, and rejections_total says how many there are.
const maxRejectionsJSON = 1000

// MarshalJSON is the report with the first 1,000 rejections.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report // without this method
	r.Rejections = r.Rejections[:min(len(r.Rejections), maxRejectionsJSON)]
	return json.Marshal(plain(r))
}
