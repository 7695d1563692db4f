// context.c: primary contexts, one a device, current in a thread or not.
#define _GNU_SOURCE
#include "fake.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct CUctx_st contexts[MAX_DEVICES];
pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static __thread CUcontext mine;

CUresult current(CUcontext *ctx)
{
	count(C_calls, 1);
	if (!ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	*ctx = mine;
	if (!mine) {
		count(C_invalid_contexts, 1);
		return CUDA_ERROR_INVALID_CONTEXT;
	}
	pthread_mutex_lock(&big);
	int refs = mine->refs;
	pthread_mutex_unlock(&big);
	return refs == 0 ? CUDA_ERROR_CONTEXT_IS_DESTROYED : mine->sticky;
}

API cuDevicePrimaryCtxSetFlags_v2(CUdevice d, unsigned flags)
{
	count(C_calls, 1);
	if (!ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!device_ok(d))
		return CUDA_ERROR_INVALID_DEVICE;
	unsigned schedule = flags & 7; // auto, spin, yield, blocking sync
	if (flags > 0x1F || (schedule & (schedule - 1)) != 0)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&big);
	contexts[d].flags = flags;
	pthread_mutex_unlock(&big);
	return CUDA_SUCCESS;
}

static int ours[MAX_DEVICES]; // files that say which process has a device for itself, + 1

// alone takes the device for this process where its compute mode wants it: false,
// another one has it, or none may.
static bool alone(CUdevice d)
{
	char name[32], path[4096];
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	if (config()->compute_mode != 3)
		return config()->compute_mode != 2;
	snprintf(name, sizeof name, "context.%d", contexts[d].physical);
	beside_library(path, sizeof path, name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || fcntl(fd, F_OFD_SETLK, &lock) != 0) {
		close(fd);
		return false;
	}
	ours[d] = fd + 1;
	return true;
}

API cuDevicePrimaryCtxRetain(CUcontext *ctx, CUdevice d)
{
	count(C_calls, 1);
	if (!ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!device_ok(d))
		return CUDA_ERROR_INVALID_DEVICE;
	pthread_mutex_lock(&big);
	CUcontext c = &contexts[d];
	if (c->refs == 0 && !alone(d)) {
		pthread_mutex_unlock(&big);
		return CUDA_ERROR_DEVICE_UNAVAILABLE;
	}
	if (c->refs++ == 0) {
		c->peers = 0;
		c->sticky = 0;
		c->streams = c->events = 0;
		c->life++;
		count(C_contexts, 1);
		if ((c->flags & 7) != 4)
			count(C_spin_contexts, 1);
	}
	*ctx = c;
	pthread_mutex_unlock(&big);
	return CUDA_SUCCESS;
}

// What a sound context leaves behind stays in the live counters: the real
// driver frees it without a word, a test has to hear of it.
API cuDevicePrimaryCtxRelease_v2(CUdevice d)
{
	count(C_calls, 1);
	if (!ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!device_ok(d))
		return CUDA_ERROR_INVALID_DEVICE;
	CUresult r = CUDA_SUCCESS;
	pthread_mutex_lock(&big);
	if (contexts[d].refs == 0)
		r = CUDA_ERROR_INVALID_CONTEXT;
	else if (--contexts[d].refs == 0) {
		count(C_contexts, -1);
		if (ours[d])
			close(ours[d] - 1);
		ours[d] = 0;
		if (contexts[d].sticky)
			reclaim(&contexts[d]);
	}
	pthread_mutex_unlock(&big);
	return r;
}

API cuCtxSetCurrent(CUcontext ctx)
{
	count(C_calls, 1);
	if (!ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (ctx && (ctx < contexts || ctx >= contexts + MAX_DEVICES))
		return CUDA_ERROR_INVALID_CONTEXT;
	mine = ctx;
	return CUDA_SUCCESS;
}

API cuCtxGetCurrent(CUcontext *ctx)
{
	count(C_calls, 1);
	if (!ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	*ctx = mine;
	return CUDA_SUCCESS;
}

API cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	ENTER(ctx);
	if (least)
		*least = 0;
	if (greatest)
		*greatest = -5;
	return CUDA_SUCCESS;
}

API cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
	ENTER(ctx);
	if (flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!peer || peer == ctx)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!config()->p2p)
		return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
	if (config()->peer_code)
		return config()->peer_code;
	CUresult r = CUDA_SUCCESS;
	pthread_mutex_lock(&big);
	unsigned bit = 1u << peer->ordinal;
	if (peer->refs == 0)
		r = CUDA_ERROR_INVALID_CONTEXT;
	else if (ctx->peers & bit)
		r = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
	ctx->peers |= bit;
	pthread_mutex_unlock(&big);
	return r;
}

API cuCtxDisablePeerAccess(CUcontext peer)
{
	ENTER(ctx);
	if (!peer)
		return CUDA_ERROR_INVALID_CONTEXT;
	CUresult r = CUDA_SUCCESS;
	pthread_mutex_lock(&big);
	unsigned bit = 1u << peer->ordinal;
	if (!(ctx->peers & bit))
		r = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
	ctx->peers &= ~bit;
	pthread_mutex_unlock(&big);
	return r;
}
