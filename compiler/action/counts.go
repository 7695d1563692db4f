package action

// Count counts the rows that a stage computed and those it took over.
type Count struct {
	Run int `json:"run"`
	Hit int `json:"hit"`
}
