// Command feed measures how fast the feed brings samples from a store into host
// slots, beside one copy of the same bytes.
//
//	go run ./bench/feed [-store STORE] [-ref main] [-batch 32] [-rounds 9] [-starts 20] [-no-cold] [-json]
//	go run ./bench/feed -make STORE
//	go run ./bench/feed -store STORE -export DIR
//
// Without -store it generates a corpus of LJSpeech's size with bench/gencorpus,
// builds it with voxpack, and removes both at the end; that takes 7 GB of disk
// for a while. -make keeps such a store, -export writes the samples of one as
// .npy files, a row of each for a row number: both are what bench/peers needs.
//
// The words. A lap is a stretch of batches that is timed, mostly an epoch of
// them. A piece is a process that measures one thing; the program starts itself
// again for each, so that what a process has touched, or mapped, helps the next
// only where it would help a trainer too. A round is one turn of everything
// that is compared, after one calibration.
//
//	steady    laps of the feed with one filler and with two, each beside as many
//	          goroutines that copy an epoch's batches, one copy a batch, out of
//	          ordinary memory; checksums were compared before
//	first     the first epoch of a process with two fillers, which compares the
//	          checksum of every sample
//	start     from before the process was started until it has its first batch;
//	          beside it what voxpack feed says of itself
//	cold      an epoch with none of the packs in the page cache, with and without
//	          read-ahead of the batches to come
//	laps      laps as they are asked for on stdin, for bench/peers
//	machine   one calibration
//
// The flow.
//
//	store ─▶ page cache ─▶ steady ─▶ rounds of (calibration, first, starts) ─▶ cold ─▶ tables
//
// Batches are checked before anything is timed: the first epoch of the feed
// must have the bytes that a plain reader finds for the same rows. A wrong
// byte ends the bench with 1; a missed goal does not, it stands in the table.
package main
