package codec

import "time"

// DefaultMaxClip is the limit of a zero Limits.
const DefaultMaxClip = 30 * time.Minute

// Limits bounds what one file may decode to. A few bytes of a compressed stream can hold hours, so the
// limit counts the samples that come out, and no header is believed when memory is taken.
type Limits struct {
	MaxClip time.Duration // of one clip, at the file's own rate; 0: DefaultMaxClip. The config calls it max_clip_minutes.

	// Channel is the one that is taken, from 1 on; 0: the mean of all. It is no limit, but every decoder needs it where
	// it needs these. The config calls it channel.
	Channel int

	// Raw says that the file has no header, and what it holds; nil: its first bytes tell what it is.
	Raw *Raw

	sums *Sums // see Owing
}

// maxCounted is the highest rate at which the limit is counted. Higher ones exist, in the headers of
// damaged files above all, and half an hour at 768,000 samples a second would be 5 GB.
const maxCounted = 192000

// Samples is the greatest number of samples per channel that a file of this rate may have.
func (l Limits) Samples(rate int) int64 {
	d := l.MaxClip
	if d == 0 {
		d = DefaultMaxClip
	}
	// In milliseconds the product stays below 2^63 for every rate that is read and 500 years.
	return int64(min(rate, maxCounted)) * d.Milliseconds() / 1000
}

// pick is the channel to take of a file, from 1 on, 0 for the mean of all, which of one is itself.
func (l Limits) pick(title string, channels int) (int, error) {
	switch {
	case l.Channel > channels:
		return 0, l.NoChannel(title, channels)
	case channels == 1:
		return 0, nil
	}
	return l.Channel, nil
}

// NoChannel is the rejection of a file with too few channels for Channel.
func (l Limits) NoChannel(title string, channels int) error {
	return Errorf(ErrChannel, "%s file has no channel %d (it has %d), which the config's channel asks for", title, l.Channel, channels)
}

// Check returns an error of kind ErrTooLong if a clip of that many samples per channel is over the limit.
// title names the format.
func (l Limits) Check(title string, samples int64, rate int) error {
	if samples <= l.Samples(rate) {
		return nil
	}
	d := l.MaxClip
	if d == 0 {
		d = DefaultMaxClip
	}
	return Errorf(ErrTooLong, "%s file has more than %s samples, %v at %s samples a second: cut it, or raise max_clip_minutes",
		title, commas(l.Samples(rate)), d, commas(int64(min(rate, maxCounted))))
}
