// kernel.c: the kernels of the checks for a GPU, known by name: what they compute is
// written here once more. A module is its text, in which the names have to stand.
#define _GNU_SOURCE
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct CUmod_st { char *text; };
struct CUfunc_st { int arguments; CUhostFn run; };

// launch is a kernel with its arguments, of 8 bytes each.
struct launch {
	CUcontext ctx;
	uint64_t a[4];
};

static void wait_ns(uint64_t ns)
{
	struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
	nanosleep(&t, NULL);
}

static void spin(void *arg)
{
	struct launch *l = arg;
	if (!l->ctx->sticky)
		wait_ns(l->a[0]);
	free(l);
}

// late(ns, source, target, bytes) reads after a while.
static void late(void *arg)
{
	struct launch *l = arg;
	if (!l->ctx->sticky) {
		wait_ns(l->a[0]);
		memcpy((void *)(uintptr_t)l->a[2], (void *)(uintptr_t)l->a[1], l->a[3]);
	}
	free(l);
}

static void trap(void *arg)
{
	struct launch *l = arg;
	l->ctx->sticky = CUDA_ERROR_LAUNCH_FAILED;
	free(l);
}

static struct { const char *name; struct CUfunc_st f; } kernels[] = {
	{"spin", {1, spin}}, {"late", {4, late}}, {"trap", {0, trap}},
};

API cuModuleLoadData(CUmodule *m, const void *image)
{
	ENTER(ctx);
	if (!m || !image)
		return CUDA_ERROR_INVALID_VALUE;
	if (!strstr(image, ".version") || !strstr(image, ".entry"))
		return CUDA_ERROR_INVALID_PTX;
	*m = calloc(1, sizeof **m);
	(*m)->text = strdup(image);
	return CUDA_SUCCESS;
}

API cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
	ENTER(ctx);
	char entry[64];
	snprintf(entry, sizeof entry, ".entry %s(", name);
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (strcmp(kernels[i].name, name) == 0 && strstr(m->text, entry)) {
			*f = &kernels[i].f;
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_NOT_FOUND;
}

API cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
	CUstream s, void **arguments, void **extra)
{
	ENTER(ctx);
	CUresult r = usable(&s, ctx);
	if (r != CUDA_SUCCESS)
		return r;
	if (!gx || !gy || !gz || !bx || !by || !bz || bx * by * bz > 1024 || shared > 48 << 10 || extra)
		return CUDA_ERROR_INVALID_VALUE;
	struct launch *l = calloc(1, sizeof *l);
	l->ctx = ctx;
	for (int i = 0; i < f->arguments; i++)
		memcpy(&l->a[i], arguments[i], sizeof l->a[i]);
	struct op *o = calloc(1, sizeof *o);
	o->kind = CALL;
	o->function = f->run;
	o->argument = l;
	count(C_kernels, 1);
	give(s, o);
	return CUDA_SUCCESS;
}
