package main

import (
	"cmp"
	"slices"
)

// nearIDs are up to three ids that differ from id in few letters, nearest first.
func nearIDs(ids []string, id string) []string {
	type candidate struct {
		id       string
		distance int
	}
	most := max(1, min(3, len(id)/3))
	var found []candidate
	for _, have := range ids {
		if d := distance(have, id, most); d <= most {
			found = append(found, candidate{have, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var near []string
	for _, c := range found[:min(3, len(found))] {
		near = append(near, c.id)
	}
	return near
}

// distance is how many bytes to insert, delete or replace to get from a to b;
// it gives up above most, which keeps a search through a million ids short.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal, least := row[0], i
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
	}
	return row[len(b)]
}
