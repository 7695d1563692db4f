package align

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Silences are the texts of intervals in which nobody speaks: "" is what the Montreal
// Forced Aligner writes since version 2, the others what it wrote before, and what
// FastSpeech 2's preparation takes for silence.
var Silences = []string{"", "sil", "sp", "spn"}

// Tolerance is by how many frames an alignment and a clip may differ: one for the frame
// that centred windows add at the end, one for an end that was rounded to 10 ms.
const Tolerance = 2

// Frames says what a frame is, and how many there are.
type Frames struct {
	Rate  int  // samples a second
	Hop   int  // samples from a frame to the next
	Count int  // of the clip
	Trim  bool // leave out the silences at both ends
}

// Durations are phones with their lengths.
type Durations struct {
	Phones []string
	Frames []int
	First  int // the frame that the first phone begins with; 0 unless trimmed
}

// A MismatchError is of an alignment that is not of a clip of this length.
type MismatchError struct{ Has, Want int }

// Error says how many frames there are and should be.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("the alignment ends at frame %d, the clip has %d; a difference of up to %d goes to the last phone", e.Has, e.Want, Tolerance)
}

// Durations counts the frames of each interval as the preparation of FastSpeech 2 does
// (get_alignment in preprocessor/preprocessor.py of ming024/FastSpeech2): the frame of
// its end less the frame of its start, where the frame of a time is
// round(time × Rate / Hop), a half to the even. So phones that follow each other share a
// boundary, and their sum is the frame of the last end. Time that no interval covers is
// a silence of its own, with the text "".
//
// The sum is made equal to the frames of the clip: the last phone takes a difference of
// up to Tolerance; more is a *MismatchError. A file that does not say where the clip
// ends (ctm) ends with a silence instead.
func (t *Tier) Durations(f Frames, end float64) (Durations, error) {
	if t.Points {
		return Durations{}, fmt.Errorf("tier %q has points in time, which have no length", t.Name)
	}
	d, err := t.count(f)
	if err != nil {
		return d, err
	}
	total := 0
	for _, n := range d.Frames {
		total += n
	}
	last := len(d.Frames) - 1
	switch diff := f.Count - total; {
	case end == 0 && diff > Tolerance:
		d.Phones, d.Frames = append(d.Phones, ""), append(d.Frames, diff)
	case last < 0:
		return d, errors.New("it has no intervals")
	case diff > Tolerance || diff < -Tolerance || d.Frames[last]+diff < 0:
		return d, &MismatchError{total, f.Count}
	default:
		d.Frames[last] += diff
	}
	if f.Trim {
		return d.trimmed()
	}
	return d, nil
}

// count goes from boundary to boundary.
func (t *Tier) count(f Frames) (d Durations, err error) {
	half := float64(f.Hop) / float64(f.Rate) / 2
	at, before := 0, 0.0 // the frame and the time of the last end
	for _, i := range t.Intervals {
		if i.End*float64(f.Rate)/float64(f.Hop) > math.MaxInt32 {
			return d, fmt.Errorf("an interval ends at %v seconds", i.End)
		}
		if i.Start < before-half {
			return d, fmt.Errorf("%q begins at %v seconds, before what is in front of it ends at %v", i.Text, i.Start, before)
		}
		if from := f.at(i.Start); from > at && i.Start-before >= half {
			d.Phones, d.Frames = append(d.Phones, ""), append(d.Frames, from-at)
			at = from
		}
		to := max(f.at(i.End), at)
		d.Phones, d.Frames = append(d.Phones, i.Text), append(d.Frames, to-at)
		at, before = to, max(before, i.End)
	}
	return d, nil
}

// at is the frame of a time.
func (f Frames) at(seconds float64) int {
	return int(math.RoundToEven(seconds * float64(f.Rate) / float64(f.Hop)))
}

// trimmed leaves out the silences at both ends.
func (d Durations) trimmed() (Durations, error) {
	speech := func(phone string) bool { return !slices.Contains(Silences, phone) }
	first := slices.IndexFunc(d.Phones, speech)
	if first < 0 {
		return d, errors.New("it is silent from end to end")
	}
	end := len(d.Phones)
	for !speech(d.Phones[end-1]) {
		end--
	}
	for _, n := range d.Frames[:first] {
		d.First += n
	}
	d.Phones, d.Frames = d.Phones[first:end], d.Frames[first:end]
	return d, nil
}
