package bundle

// untold are members that hold what users name, whatever it looks like.
var untold = map[string]bool{"id": true, "ids": true, "slowest": true, "places": true, "rejected_first": true, "notes": true, "warnings": true, "error": true,
	"advice": true, "cause": true, "cure": true, "path": true, "cursor": true}

// untoldText is a member that is what users wrote where it is a text, and figures of
// the step of that name elsewhere.
const untoldText = "text"

// recordSettings are the settings that run records have and no config has.
var recordSettings = []string{"epochs", "steps", "rank", "world", "seed", "split", "shuffle", "tail", "speakers", "weights", "buckets", "reference", "segment",
	"device", "mode", "cache", "fixed_depth", "workers", "checksums", "on_corrupt", "step_ms", "jitter", "digest", "link", "slow", "rehash", "corpora"}

// knownWords are what the program writes besides the words of its tables: kinds,
// states and units; steps, stages and columns; devices and systems.
const knownWords = `
build feed profile done failed interrupted error warning ok unknown yes no
limit waste risk measured computed suspected devices config store runs speed live
ms B kB MB GB/s % places rows GPUs GPU CPUs batches bits compiled copies ahead epochs faults fixed frames
keys level looks native readings samples stages beside tokens translations workers
text read decode resample process mel write linear energy f0 pcm audio speaker language mel_len
fill copy transfer consumer copy_to_data copy_to_model host ring data model
wav mp3 flac ogg opus m4a webm parquet f32 f16 bf16 float32 float16 bfloat16 int32 int16 uint8 i32 u8
auto sim cuda nvml address sysfs virtual peers idle driver none passes through translates
X PIX PXB PHB NODE SYS linux darwin amd64 arm64
single single-ahead dual-sync dual-async direct dual main train val drop keep wrap pad global shard off first always skip fail stop all
true false PCI_BUS_ID FASTEST_FIRST
total kept rejected noted written reused run hit shards blocks bytes_written spans name start seconds snapshot
open store join previous compare metadata publish commit save survey work writer
dlopen dlsym cuInit cuDriverGetVersion cuDeviceGetCount cuDeviceGet nvmlInit nvmlInit_v2 nvmlDeviceGetHandleByPciBusId_v2
`
