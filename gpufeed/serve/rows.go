package serve

import (
	"context"
	"strconv"

	"voxpack/store"
)

// About is what is known of a row besides the values of its columns.
type About struct {
	ID       string    `json:"id"`
	Row      uint32    `json:"row"`
	Text     string    `json:"text"`  // as the metadata has it
	Given    *string   `json:"given"` // the metadata's own normalised text; null where it has no such column
	Spoken   string    `json:"spoken"`
	Language string    `json:"language"`
	Speaker  *string   `json:"speaker"`
	Split    string    `json:"split"`   // train, val, test or ""
	Seconds  float64   `json:"seconds"` // of the clip
	Notes    []RowNote `json:"notes"`
}

// Listed is a row of a list, with the values of the columns of one number.
type Listed struct {
	About
	Values map[string]int32 `json:"values"`
}

// Rows answers rows.
type Rows struct {
	Type string   `json:"type"`
	Rows []Listed `json:"rows"`
}

// mostListed bounds the bytes of the texts in an answer: the row that exceeds it
// is the last one.
const mostListed = 4 << 20

// list is what is known of rows from one number on, in their order: fewer than
// count where their texts are long, or where the dataset ends.
func (s *Server) list(ctx context.Context, from, count int) (any, error) {
	lib, err := s.rows()
	if err != nil {
		return nil, err
	}
	d, answer, bytes := s.options.Dataset, Rows{"rows", []Listed{}}, 0
	if count == 0 {
		count = mostRows
	}
	if from >= d.Root.Rows {
		return answer, nil
	}
	inline := d.Root.Schema.Inline()
	for leaf := lib.set.At(uint32(from)).Leaf; leaf < len(d.Shards) && ctx.Err() == nil; leaf++ {
		first, _ := lib.set.OfLeaf(leaf)
		origin, shard, err := lib.set.Records(leaf)
		if err != nil {
			return nil, err
		}
		for i := max(0, from-int(first)); i < len(origin.Rows); i++ {
			if len(answer.Rows) == count || bytes > mostListed {
				return answer, nil
			}
			row := Listed{s.about(first+uint32(i), &origin.Rows[i]), make(map[string]int32, len(inline))}
			for c, column := range inline {
				row.Values[column.Name] = shard.Scalars[c][i]
			}
			answer.Rows = append(answer.Rows, row)
			bytes += len(row.ID) + len(row.Text) + len(row.Spoken) + len(origin.Rows[i].Given)
		}
	}
	return answer, ctx.Err()
}

func (s *Server) about(row uint32, from *store.OriginRow) About {
	a := About{ID: from.ID, Row: row, Text: from.Text, Spoken: from.Spoken, Language: from.Language, Split: from.Split, Notes: []RowNote{}}
	if from.HasGiven {
		a.Given = &from.Given
	}
	if s.options.Dataset.Root.Schema.Index("speaker") >= 0 {
		a.Speaker = &from.Speaker
	}
	if rate, err := strconv.ParseFloat(s.options.Dataset.Root.Setting("sample_rate"), 64); err == nil && rate > 0 {
		a.Seconds = float64(from.Samples) / rate
	}
	for _, n := range from.Notes {
		a.Notes = append(a.Notes, RowNote(n))
	}
	return a
}
