// Package ffmpeg decodes what package codec does not read by itself, by running an ffmpeg that the user
// has installed: AAC, WMA and whatever else that ffmpeg knows.
//
// Words: a Tool is an installed ffmpeg with its version, which belongs into every key made from what it
// decodes: another version, or the same one on another machine, may give other samples.
//
// Flow:
//
//	Find ─▶ Tool, or an error of kind ErrMissing
//	Tool.Decode(path) ── ffmpeg, samples through a pipe ─▶ PCM, Info, as package codec gives them
//	        an error of the file is one that a second run gives again
//	Tool.DecodeMany(paths) ── one ffmpeg, a pipe a file ─▶ PCM, Info of each that nothing is wrong with
//
// What runs is bounded in time, in the samples that it may give, and in the size of the blocks of
// memory that it may take. It reads the one file only: no network, and no format that names other
// files.
package ffmpeg
