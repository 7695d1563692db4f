// memory.c: device memory and pinned host memory. Device memory is an address
// of this process, so that a copy is a memcpy, and a memfd, so that another
// process can map it.
#define _GNU_SOURCE
#include "fake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct range *ranges;             // under big
static size_t allocated[MAX_DEVICES];    // bytes, under big
static size_t pinned;                    // bytes, under big

struct range *find(const void *p, size_t n)
{
	const unsigned char *b = p;
	for (struct range *r = ranges; r; r = r->next)
		if (b >= r->base && n <= r->size && (size_t)(b - r->base) <= r->size - n)
			return r;
	return NULL;
}

struct range *find_import(int owner, long serial)
{
	for (struct range *r = ranges; r; r = r->next)
		if (r->owner == owner && r->serial == serial)
			return r;
	return NULL;
}

// base_of finds the range that begins at p.
static struct range *base_of(const void *p, bool device)
{
	for (struct range *r = ranges; r; r = r->next)
		if (r->base == p && (r->ordinal >= 0) == device)
			return r;
	return NULL;
}

void add_range(struct range *r)
{
	r->next = ranges;
	ranges = r;
}

void remove_range(struct range *r)
{
	struct range **p = &ranges;
	while (*p != r)
		p = &(*p)->next;
	*p = r->next;
}

void refuse_in_flight(const struct range *r, const char *call)
{
	if (r->inflight == 0)
		return;
	fprintf(stderr, "fakecuda: %s: %d copies in flight use this memory\n", call, r->inflight);
	abort();
}

// hold changes what a device has given away.
static void hold(int ordinal, long long delta)
{
	allocated[ordinal] += delta;
	count(C_live_allocs, delta > 0 ? 1 : -1);
	count(C_live_allocs_bytes, delta);
	if (ordinal > 1)
		return;
	count(ordinal ? C_device1_bytes : C_device0_bytes, delta);
	count_peak(ordinal ? C_device1_peak_bytes : C_device0_peak_bytes, (long long)allocated[ordinal]);
}

// gap finds room in a block; BLOCK: there is none. Under big.
static size_t gap(const struct block *b, size_t n)
{
	size_t at = 0;
	for (bool moved = true; moved;) {
		moved = false;
		for (struct range *r = ranges; r; r = r->next) {
			if (r->block != b)
				continue;
			size_t from = (size_t)(r->base - b->base), to = from + r->size;
			if (from < at + n && at < to) {
				at = (to + 511) & ~(size_t)511;
				moved = true;
			}
		}
	}
	return at + n <= BLOCK ? at : BLOCK;
}

// carve places a small allocation in a block, under big.
static bool carve(struct range *r)
{
	struct block *b = NULL;
	size_t at = BLOCK;
	for (struct range *o = ranges; o && at == BLOCK; o = o->next)
		if (o->block && o->ordinal == r->ordinal)
			at = gap(b = o->block, r->size);
	if (at == BLOCK) {
		b = calloc(1, sizeof *b);
		b->serial = next_serial();
		b->fd = make_shared(BLOCK, b->serial);
		b->base = b->fd < 0 ? MAP_FAILED : mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
		if (b->base == MAP_FAILED) {
			free(b);
			return false;
		}
		at = 0;
	}
	b->users++;
	r->block = b;
	r->base = b->base + at;
	r->fd = b->fd;
	r->serial = b->serial;
	return true;
}

// obtain gives a range its memory, under big.
static bool obtain(struct range *r)
{
	if (r->size < BLOCK)
		return carve(r);
	r->serial = next_serial();
	r->fd = make_shared(r->size, r->serial);
	r->base = r->fd < 0 ? MAP_FAILED : mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	return r->base != MAP_FAILED;
}

// discard ends a range's memory, which is in no table any more.
static void discard(struct range *r)
{
	struct block *b = r->block;
	if (b && --b->users > 0)
		return;
	munmap(b ? b->base : r->base, b ? BLOCK : r->size);
	if (r->fd >= 0)
		close(r->fd);
	free(b);
}

API cuMemAlloc_v2(CUdeviceptr *p, size_t n)
{
	ENTER(ctx);
	SAFE();
	if (!p || n == 0)
		return CUDA_ERROR_INVALID_VALUE;
	const struct config *c = config();
	size_t limit = c->oom && c->oom < c->total ? c->oom : c->total;
	CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&big);
	if (n <= limit && allocated[ctx->ordinal] <= limit - n) {
		struct range *r = calloc(1, sizeof *r);
		r->size = n;
		r->ordinal = r->home = ctx->ordinal;
		if (obtain(r)) {
			add_range(r);
			hold(ctx->ordinal, (long long)n);
			*p = (uintptr_t)r->base;
			result = CUDA_SUCCESS;
		}
	}
	pthread_mutex_unlock(&big);
	return result;
}

API cuMemFree_v2(CUdeviceptr p)
{
	ENTER(ctx);
	SAFE();
	pthread_mutex_lock(&big);
	struct range *r = base_of((void *)(uintptr_t)p, true);
	if (!r || r->owner) {
		pthread_mutex_unlock(&big);
		return CUDA_ERROR_INVALID_VALUE;
	}
	refuse_in_flight(r, "cuMemFree");
	if (is_imported(r->fd)) { // undefined behaviour by the manual: here they read rubbish
		count(C_freed_while_shared, 1);
		memset(r->base, 0xDB, r->size);
	}
	remove_range(r);
	hold(r->ordinal, -(long long)r->size);
	discard(r);
	pthread_mutex_unlock(&big);
	free(r);
	wait_for_all(ctx);
	return CUDA_SUCCESS;
}

// Of an imported block it is the block: what its opener can read.
API cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr p)
{
	ENTER(ctx);
	pthread_mutex_lock(&big);
	struct range *r = find((void *)(uintptr_t)p, 1);
	bool known = r && r->ordinal >= 0;
	if (known && base)
		*base = (uintptr_t)r->base;
	if (known && size)
		*size = r->size;
	pthread_mutex_unlock(&big);
	return known ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

API cuMemGetInfo_v2(size_t *available, size_t *total)
{
	ENTER(ctx);
	const struct config *c = config();
	pthread_mutex_lock(&big);
	size_t used = allocated[ctx->ordinal];
	pthread_mutex_unlock(&big);
	*available = used < c->free ? c->free - used : 0;
	*total = c->total;
	return CUDA_SUCCESS;
}

// writable says whether all of [p, p+n) is mapped for reading and writing: what
// a device writes to by itself has to be.
static bool writable(const void *p, size_t n)
{
	uintptr_t at = (uintptr_t)p, end = at + n, from, to;
	char line[512], access[5];
	FILE *f = fopen("/proc/self/maps", "re");
	while (f && at < end && fgets(line, sizeof line, f)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, access) != 3)
			continue;
		if (from <= at && at < to && access[0] == 'r' && access[1] == 'w')
			at = to;
	}
	if (f)
		fclose(f);
	return at >= end;
}

// pin takes note of host memory, under big.
static CUresult pin(void *p, size_t n, unsigned flags, bool hosted, CUcontext ctx)
{
	size_t limit = config()->pin_oom;
	if (limit && pinned + n > limit)
		return config()->pin_code;
	struct range *r = calloc(1, sizeof *r);
	*r = (struct range){.base = p, .size = n, .ordinal = -1, .home = ctx->ordinal, .fd = -1, .hosted = hosted,
		.portable = flags & 1};
	add_range(r);
	pinned += n;
	count(C_pinned_ranges, 1);
	count(C_pinned_bytes, (long long)n);
	count_peak(C_pinned_peak_bytes, (long long)pinned);
	return CUDA_SUCCESS;
}

// forget takes pinned memory out of the table.
static void forget(struct range *r)
{
	remove_range(r);
	pinned -= r->size;
	count(C_pinned_ranges, -1);
	count(C_pinned_bytes, -(long long)r->size);
}

// unpin forgets host memory and gives its size, under big; 0: it was not pinned
// this way.
static size_t unpin(void *p, bool hosted, const char *call)
{
	struct range *r = base_of(p, false);
	if (!r || r->hosted != hosted)
		return 0;
	refuse_in_flight(r, call);
	size_t n = r->size;
	forget(r);
	free(r);
	return n;
}

// reclaim takes back what a context with an error left, as the driver does when
// the context ends: its owner could not free anything any more. Memory that a
// copy holds for ever stays mapped.
void reclaim(CUcontext ctx)
{
	for (struct range *r = ranges, *next; r; r = next) {
		next = r->next;
		if (r->home != ctx->ordinal)
			continue;
		if (r->ordinal < 0) {
			forget(r);
		} else {
			remove_range(r);
			if (r->owner)
				count(C_live_imports, -1);
			else
				hold(r->ordinal, -(long long)r->size);
		}
		if (r->inflight > 0)
			continue;
		if (r->ordinal >= 0 || r->hosted)
			discard(r);
		free(r);
	}
	count(C_live_streams, -ctx->streams);
	count(C_live_events, -ctx->events);
}

API cuMemHostRegister_v2(void *p, size_t n, unsigned flags)
{
	ENTER(ctx);
	SAFE();
	if (!p || n == 0 || flags > 15)
		return CUDA_ERROR_INVALID_VALUE;
	if (flags & 8) // read-only, which attribute 113 denies
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!writable(p, n))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = CUDA_SUCCESS;
	pthread_mutex_lock(&big);
	unsigned char *b = p;
	for (struct range *r = ranges; r; r = r->next)
		if (b < r->base + r->size && r->base < b + n)
			result = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	if (result == CUDA_SUCCESS)
		result = pin(p, n, flags, false, ctx);
	pthread_mutex_unlock(&big);
	wait_for_all(ctx);
	return result;
}

API cuMemHostUnregister(void *p)
{
	ENTER(ctx);
	SAFE();
	pthread_mutex_lock(&big);
	size_t n = unpin(p, false, "cuMemHostUnregister");
	pthread_mutex_unlock(&big);
	wait_for_all(ctx);
	return n ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

API cuMemHostAlloc(void **p, size_t n, unsigned flags)
{
	ENTER(ctx);
	SAFE();
	if (!p || n == 0 || flags > 7)
		return CUDA_ERROR_INVALID_VALUE;
	void *b = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&big);
	CUresult result = pin(b, n, flags, true, ctx);
	pthread_mutex_unlock(&big);
	if (result == CUDA_SUCCESS)
		*p = b;
	else
		munmap(b, n);
	return result;
}

API cuMemFreeHost(void *p)
{
	ENTER(ctx);
	SAFE();
	pthread_mutex_lock(&big);
	size_t n = unpin(p, true, "cuMemFreeHost");
	pthread_mutex_unlock(&big);
	if (n == 0)
		return CUDA_ERROR_INVALID_VALUE;
	munmap(p, n);
	return CUDA_SUCCESS;
}
