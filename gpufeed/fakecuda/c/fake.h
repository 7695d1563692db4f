// fake.h: a driver without a GPU. Device memory is a memfd mapping, a stream is
// a thread, a link is a mutex held for as long as a copy takes.
//
// Signatures and values follow the public cuda.h. -DFAKECUDA_HEADER='<cuda.h>'
// compiles against the real one, which finds every difference.
#ifndef FAKE_H
#define FAKE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FAKECUDA_HEADER
#include FAKECUDA_HEADER
// 13 gives these names to newer functions; the old ones stay in the library.
#undef cuEventElapsedTime
#undef cuMemcpyBatchAsync
#undef cuDevicePrimaryCtxRelease
#else
typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef void (*CUhostFn)(void *);
typedef int CUstreamCaptureMode;
typedef int CUstreamCaptureStatus;
typedef struct CUgraph_st *CUgraph;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct { char bytes[16]; } CUuuid;
typedef struct { char reserved[64]; } CUipcMemHandle;
typedef struct { char reserved[64]; } CUipcEventHandle;
typedef struct { int type, id; } CUmemLocation;
typedef struct {
	int srcAccessOrder;
	CUmemLocation srcLocHint, dstLocHint;
	unsigned flags;
} CUmemcpyAttributes;
enum {
	CUDA_SUCCESS = 0,
	CUDA_ERROR_INVALID_VALUE = 1,
	CUDA_ERROR_OUT_OF_MEMORY = 2,
	CUDA_ERROR_NOT_INITIALIZED = 3,
	CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
	CUDA_ERROR_NO_DEVICE = 100,
	CUDA_ERROR_INVALID_DEVICE = 101,
	CUDA_ERROR_INVALID_CONTEXT = 201,
	CUDA_ERROR_MAP_FAILED = 205,
	CUDA_ERROR_ECC_UNCORRECTABLE = 214,
	CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
	CUDA_ERROR_INVALID_PTX = 218,
	CUDA_ERROR_INVALID_HANDLE = 400,
	CUDA_ERROR_NOT_FOUND = 500,
	CUDA_ERROR_NOT_READY = 600,
	CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
	CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705,
	CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
	CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
	CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
	CUDA_ERROR_LAUNCH_FAILED = 719,
	CUDA_ERROR_NOT_SUPPORTED = 801,
	CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
	CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
	CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
};
#endif

_Static_assert(sizeof(CUmemcpyAttributes) == 24, "attributes of a batch");
_Static_assert(sizeof(CUipcMemHandle) == 64, "handle of memory");

// API marks what the library exports; everything else is hidden.
#define API __attribute__((visibility("default"))) CUresult

enum { MAX_DEVICES = 8 };

// config.c: what the environment asks for. Sizes are bytes, times seconds;
// 0 turns a fault off.
struct config {
	int devices;              // FAKECUDA_DEVICES, 2
	int visible[MAX_DEVICES]; // ordinal -> physical device, by CUDA_VISIBLE_DEVICES
	int version;              // FAKECUDA_VERSION, 12090
	int bus;                  // FAKECUDA_BUS, 1: PCI bus of the first device
	int init;                 // FAKECUDA_INIT: what cuInit answers
	bool mig;                 // FAKECUDA_MIG, 0: devices are instances, of which a process sees one
	bool implicit_waits;      // FAKECUDA_IMPLICIT_WAITS, 1: calls that take or give memory wait for the context
	int compute_mode;         // FAKECUDA_COMPUTE_MODE, 0: 2 is no process at all, 3 one at a time
	bool p2p;                 // FAKECUDA_P2P, 1
	int peer_code;            // FAKECUDA_PEER_CODE: what cuCtxEnablePeerAccess answers
	bool ipc_events;          // FAKECUDA_IPC_EVENTS, 1
	int export_code;          // FAKECUDA_EXPORT_CODE: what naming memory for another process answers
	int ipc_code;             // FAKECUDA_IPC_CODE: what opening another process's memory or event answers
	double gbps, peer_gbps;   // FAKECUDA_GBPS, FAKECUDA_PEER_GBPS: bytes a nanosecond; 0: as memcpy does
	double latency;           // FAKECUDA_LATENCY_US
	size_t total;             // FAKECUDA_TOTAL_MB, 16384
	size_t free;              // FAKECUDA_FREE_MB: what an unused device says is free
	size_t oom, pin_oom;      // FAKECUDA_OOM_MB a device, FAKECUDA_PIN_OOM_MB in all
	int pin_code;             // FAKECUDA_PIN_CODE, 2: what is answered beyond pin_oom
	long ecc, hang;           // FAKECUDA_ECC_COPY, FAKECUDA_HANG_COPY: the nth copy, from 1
	long lost_after;          // FAKECUDA_LOST_AFTER: copies that still work; -1: all
	long slow_after;          // FAKECUDA_SLOW_AFTER=n:factor; -1: never
	double slow_factor;
};
const struct config *config(void);

// counters.c: numbers that a test reads from a file while the library runs.
#define COUNTERS(X) \
	X(calls) X(invalid_contexts) X(spin_syncs) X(stream0_calls) \
	X(context_syncs) X(implicit_waits) X(captured_records) X(kernels) \
	X(contexts) X(spin_contexts) X(live_streams) X(high_streams) X(live_events) \
	X(live_allocs) X(live_allocs_bytes) X(live_imports) X(freed_while_shared) \
	X(pinned_ranges) X(pinned_bytes) X(pinned_peak_bytes) \
	X(h2d_copies) X(h2d_bytes) X(d2h_copies) X(d2h_bytes) X(d2d_copies) X(d2d_bytes) \
	X(p2p_copies) X(p2p_bytes) X(staged_copies) X(staged_bytes) \
	X(unpinned_copies) X(batch_calls) X(fills) X(fill_bytes) \
	X(device0_bytes) X(device0_peak_bytes) X(device1_bytes) X(device1_peak_bytes)
enum counter {
#define X(name) C_##name,
	COUNTERS(X)
#undef X
	NCOUNTERS
};
void count(enum counter c, long long delta);
void count_peak(enum counter c, long long value); // keeps the highest

// device.c and context.c.
struct CUctx_st {
	int ordinal, physical;
	int refs;        // retains of the primary context; 0: it does not exist
	unsigned flags;  // of the next retain
	unsigned peers;  // bit per ordinal: access enabled
	long life;       // how often it came into being: handles of an earlier life are stale
	_Atomic int sticky;          // error that this context answers from now on
	_Atomic int streams, events; // of this life
};
extern struct CUctx_st contexts[MAX_DEVICES];
extern pthread_mutex_t big; // guards contexts, ranges, pins
bool ready(void);           // cuInit succeeded
bool device_ok(CUdevice d);
void uuid_of(int physical, unsigned char bytes[16]);
void beside_library(char *path, size_t size, const char *name); // counters.c: a file's path
// current gives the thread's context or the error that any call has to answer.
CUresult current(CUcontext *ctx);

// enter counts a call and leaves it where there is no usable context.
#define ENTER(ctx) \
	CUcontext ctx; \
	do { \
		CUresult r_ = current(&ctx); \
		if (r_ != CUDA_SUCCESS) return r_; \
	} while (0)

// memory.c: ranges of device memory and of pinned host memory.
struct range {
	struct range *next;
	unsigned char *base;
	size_t size;
	int ordinal;   // of the device; -1: pinned host memory
	int home;      // ordinal of the context that made it
	int fd;        // of device memory
	long serial;   // names the memfd
	int owner;     // process that made it; 0: this one
	int imports;   // opens of an imported range
	int inflight;  // copies that read or write it and have not ended
	struct block *block; // it is cut out of; NULL: none
	bool hosted;   // came from cuMemHostAlloc
	bool portable; // pinned for all contexts
};
// find gives the range that holds [p, p+n), under big.
struct range *find(const void *p, size_t n);
struct range *find_import(int owner, long serial);
void add_range(struct range *r);
void remove_range(struct range *r);                         // under big
void refuse_in_flight(const struct range *r, const char *call); // aborts where a copy runs
void reclaim(CUcontext ctx);                                // under big

// Allocations of less are cut out of blocks, and a handle of one is of its whole block:
// whoever opens it can read the neighbours.
enum { BLOCK = 2 << 20 };
struct block {
	unsigned char *base;
	int fd, users;
	long serial;
};

// link.c: how long a copy takes and how it goes wrong.
enum route { H2D, D2H, D2D, P2P, STAGED, ROUTES };
struct piece {
	unsigned char *dst;
	const unsigned char *src;
	size_t n;
	struct range *to, *from; // NULL: host memory that is not pinned
};
struct transfer {
	enum route route;
	int source, target; // ordinals; -1: host
	int n;
	struct piece *pieces;
	bool ecc, hang, slow;
};
void run_transfer(const struct transfer *t, CUcontext ctx);

// stream.c: work in order, one thread each.
struct op {
	struct op *next;
	enum { COPY, FILL, RECORD, WAIT, JOIN, CALL, NOTHING, END } kind;
	struct transfer copy;
	unsigned char value; // of FILL
	CUevent event;
	uint32_t mark;  // which record of the event
	CUstream other; // of JOIN
	uint64_t upto;  // of its ops
	CUhostFn function; // of CALL
	void *argument;
};
struct CUstream_st {
	unsigned magic;
	CUstream older; // all there ever were
	CUcontext ctx;
	long life; // of ctx
	int priority;
	unsigned flags;
	bool legacy; // the context's default stream
	_Atomic int capture; // CUstreamCaptureStatus
	CUstreamCaptureMode mode;
	pthread_t capturer;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct op *first, **last;
	uint64_t given, done; // ops
};
// usable says whether the stream may be used now, with ctx current. Of the
// numbers 0 and 1 it makes the context's default stream.
CUresult usable(CUstream *s, CUcontext ctx);
bool is_default(CUstream s);          // by its number
CUstream streams(void);               // all there ever were, the newest first
void give(CUstream s, struct op *o);  // takes o
void drain(CUstream s);               // until all given so far is done
void wait_for_all(CUcontext ctx);     // as calls do that take or give memory, though nothing asks for it

// capture.c: what a call answers, and breaks, while graphs are captured.
CUresult whole_context(CUcontext ctx);               // of a call that waits for all of a context
CUresult default_stream(CUcontext ctx, bool breaks); // of one that uses the default stream
CUresult one_stream(CUstream s);                     // of one that waits for, or asks, this stream
CUresult unsafe_call(void);                          // of those that cuda.h calls potentially unsafe

// SAFE leaves a potentially unsafe call where a capture forbids it.
#define SAFE() \
	do { \
		CUresult r_ = unsafe_call(); \
		if (r_ != CUDA_SUCCESS) return r_; \
	} while (0)

// event.c: marks, in memory that other processes may share.
struct mark {
	_Atomic uint32_t issued, done; // records given, last one done; done is a futex
};
struct CUevent_st {
	unsigned magic;
	unsigned flags;
	CUcontext ctx;
	long life; // of ctx
	struct mark *mark;
	int fd; // of the mark's page where it is shared; -1
	long serial;
	bool imported;
	_Atomic uint64_t when; // ns, of the last record done
};
bool event_ok(CUevent e);
CUevent new_event(CUcontext ctx, unsigned flags, struct mark *mark);
struct mark *map_mark(int fd);
uint32_t issue(CUevent e);                   // numbers a record
void complete(CUevent e, uint32_t record);   // by the stream
void await(CUevent e, uint32_t record);
uint64_t now_ns(void);

// ipc.c.
long next_serial(void);
int make_shared(size_t size, long serial); // a memfd; -1
bool is_imported(int fd);                  // by a process that lives

#endif
