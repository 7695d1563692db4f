package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"voxpack/compiler/action"
	"voxpack/store"
)

// cause is a reason for results of one stage, with the rows that it is one for.
// The same reason of one stage is one cause, whose rows are counted.
type cause struct {
	StageReason
	vague  bool // the reason leaves out what the parent's rejection says
	shared bool // the parent had the result for another row
	again  bool // nothing changed: what was stored could not be taken over
}

// add counts a row under its cause. Rows whose result the parent had for another
// row are counted apart: settle takes them for the last to have been computed.
// due remembers the cause for each row, for Row; the examples are the first ids in
// the order of ids, so that a second explanation says the same.
func (x *explainer) add(at action.Stage, id string, c *cause) {
	i := slices.IndexFunc(x.causes[at], func(have *cause) bool { return have.Reason == c.Reason && have.shared == c.shared })
	if i < 0 {
		i = len(x.causes[at])
		c.Stage, c.Examples = x.now.stages.Name(at), []string{}
		x.causes[at] = append(x.causes[at], c)
	}
	have := x.causes[at][i]
	have.Rows++
	const examples = 3
	if len(have.Examples) < examples {
		have.Examples = append(have.Examples, id)
	}
	all := x.due[id]
	all[at] = have
	x.due[id] = all
}

// settle brings the causes of each stage together with the number of rows that
// ran in it. Results that the parent had for other rows are the last to have
// been computed. What ran beyond all causes had no new key.
// The count is of the whole stage, by the build; which rows ran, no record says.
func (x *explainer) settle() {
	for at := range x.now.stages.End() {
		left := x.ran(at)
		for _, shared := range []bool{false, true} {
			left = share(left, slices.DeleteFunc(slices.Clone(x.causes[at]), func(c *cause) bool { return c.shared != shared }))
		}
		if left > 0 {
			x.causes[at] = append(x.causes[at], &cause{again: true, StageReason: StageReason{Stage: x.now.stages.Name(at), Rows: left, Ran: left, Examples: []string{},
				Reason: "made again under the same key: what was stored could not be taken over"}})
		}
		slices.SortStableFunc(x.causes[at], func(a, b *cause) int {
			return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Reason, b.Reason))
		})
	}
}

// share gives each cause its part of the rows that ran, as far as the number
// tells, and returns what is left of it.
// With several causes and some runs, fewer than rows, it cannot be told which ran: -1.
func share(ran int, causes []*cause) (left int) {
	rows := 0
	for _, c := range causes {
		rows += c.Rows
	}
	for _, c := range causes {
		switch {
		case ran >= rows:
			c.Ran = c.Rows
		case ran == 0:
			c.Ran = 0
		case len(causes) == 1:
			c.Ran = ran
		default:
			c.Ran = -1
		}
	}
	return max(ran-rows, 0)
}

// why is the reason for which a stage owed a row a result that the parent did
// not have under its id, nil where it owed none.
// A rejection that is lifted is told before a changed key: the row had no samples
// before, whatever its keys were.
func (x *explainer) why(at action.Stage, was, now side) *cause {
	key := now.key(at)
	fills := at >= action.Tokens // its results stand in blocks, and a rejected row has no place there
	reason := ""
	switch {
	case key.IsZero():
	case was.row == nil:
		reason = "new row"
	case was.rejection != nil && (fills && now.kept() || was.key(at).IsZero()):
		return x.admitted(was.rejection)
	case was.key(at) != key:
		reason = x.changed(at, was.row, now.row)
	case fills && now.kept():
		reason = x.regrown(at, now.row)
	}
	if reason == "" {
		return nil
	}
	return &cause{StageReason: StageReason{Reason: reason}}
}

// changed is what of a stage's input is another. Reasons are joined in a
// fixed order, so that rows with the same ones are counted as one cause.
// A setting counts only for stages that read it (action.Stage.Reads). The audio
// stage and the features see the file; of the text only the text stage does, and
// tokens see what it made of it.
func (x *explainer) changed(at action.Stage, was, now *store.OriginRow) string {
	var reasons []string
	for _, c := range x.config {
		if x.now.stages.Reads(at, c.Key) || c.Key == "version of "+x.now.stages.Name(at) {
			reasons = append(reasons, c.String())
		}
	}
	if at.IsOwn() {
		return cmp.Or(strings.Join(reasons, ", "), "its value changed")
	}
	if at == action.Audio || at >= action.Mel {
		switch {
		case was.Audio != now.Audio:
			reasons = append(reasons, "audio file changed")
		case was.From != now.From || was.Length != now.Length:
			reasons = append(reasons, "another part of the audio file")
		}
	}
	if at == action.Text && action.Source(was) != action.Source(now) {
		reasons = append(reasons, "text edited")
	}
	if at == action.Text && was.Language != now.Language {
		reasons = append(reasons, fmt.Sprintf("language %s → %s", was.Language, now.Language))
	}
	if at == action.Tokens && was.Spoken != now.Spoken {
		reasons = append(reasons, "spoken text changed")
	}
	if len(reasons) == 0 && at == action.Audio {
		return "decoded by another program or version"
	}
	if len(reasons) == 0 && at >= action.Mel {
		return "the decoded audio is made anew"
	}
	return cmp.Or(strings.Join(reasons, ", "), "changed input")
}

// bound is the setting that bounds the shape of a stage's column, and a row's length in
// its units before anything was cut. All features are bounded by the frames of the mel;
// origins keep whole lengths, so a limit of then can be held against them now.
func (x *explainer) bound(at action.Stage, r *store.OriginRow) (setting string, length int) {
	if at.IsOwn() {
		schema, i := x.now.Root.Schema, x.now.Root.Schema.Index(x.now.stages.Name(at))
		switch {
		case i < 0 || schema[i].Along != "mel_len" && schema[i].Along != "text_len":
			return "", 0
		case schema[i].Along == "text_len":
			at = action.Tokens
		}
	}
	if at == action.Tokens {
		return "max_text_length", int(r.Tokens)
	}
	return "max_mel_frames", int(r.Frames)
}

// admitted says why a row is kept that was rejected before.
// The parent's limits are taken from its root. Where neither explains it, the
// reason is vague and Row adds what the rejection said.
func (x *explainer) admitted(r *store.Rejection) *cause {
	var reasons []string
	for _, at := range []action.Stage{action.Tokens, action.Mel} {
		key, length := x.bound(at, &r.Row)
		limit, err := strconv.Atoi(x.was.Root.Setting(key))
		if err != nil || length <= limit {
			continue
		}
		reason := fmt.Sprintf("rejected before by %s %d", key, limit)
		if c, ok := x.setting(key); ok {
			reason += ", kept with " + c.Now
		}
		if c, ok := x.setting("overlong"); ok {
			reason += ", overlong is " + c.Now
		}
		reasons = append(reasons, reason)
	}
	if len(reasons) == 0 {
		return &cause{StageReason: StageReason{Reason: "rejected before by " + r.Stage}, vague: true}
	}
	return &cause{StageReason: StageReason{Reason: strings.Join(reasons, "; ")}}
}

// regrown says why a row that was cut to the shape before needs its stage again
// under the same key, "" if it was not cut.
// A lower limit cuts what is stored and computes nothing, so only a higher one
// that the row reaches into is a reason.
func (x *explainer) regrown(at action.Stage, r *store.OriginRow) string {
	key, length := x.bound(at, r)
	c, ok := x.setting(key)
	if !ok {
		return ""
	}
	was, err := strconv.Atoi(c.Was)
	now, err2 := strconv.Atoi(c.Now)
	if err != nil || err2 != nil || min(length, now) <= was {
		return ""
	}
	return c.String() + ", cut off before"
}

// setting is the change of a setting, if there is one.
// It is one of what action.Changes found between the two roots.
func (x *explainer) setting(key string) (action.Change, bool) {
	for _, c := range x.config {
		if c.Key == key {
			return c, true
		}
	}
	return action.Change{}, false
}
