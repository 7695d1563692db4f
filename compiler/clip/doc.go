// Package clip finds the recording of a row and reads samples from it.
//
// Words: a clip is the sound of one row: a file, a part of a file (from one
// moment to another), or a member of a container such as Parquet. A stamp is
// what the file system says of a file without opening it, a fingerprint a
// file's digest with the stamp that it had when it was hashed. A refusal is a
// fault of the bytes, which is the same whenever they are read; what the
// machine did wrong is an intake.MachineError, and a file that was written to
// in between is ErrChanged.
//
// Flow, for each row:
//
//	row ── Folder.Find ──▶ path, stamp                     folder.go, find.go
//	stamp ── StatTable.Digest ──▶ digest, by Hash if new   fingerprint.go
//	clip ── Reader.Probe ──▶ rate, length, notes           reader.go
//	clip ── Reader.Read ──▶ samples                        reader.go, decoders.go
//
// All reading of sources goes through openFile (source.go), which compares the
// stamp before and after.
package clip
