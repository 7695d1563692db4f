// device.c: the library's start and what it says of its devices.
#include "fake.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static _Atomic pid_t initialised; // the process that did it; 0: none

// A fork's child has the library's memory and none of its threads: the driver
// refuses it everything, a second start included.
bool ready(void) { return initialised == getpid(); }

bool device_ok(CUdevice d) { return d >= 0 && d < config()->devices; }

// QUERY counts a call that needs no context, only a device.
#define QUERY(d) \
	do { \
		count(C_calls, 1); \
		if (!ready()) return CUDA_ERROR_NOT_INITIALIZED; \
		if (!device_ok(d)) return CUDA_ERROR_INVALID_DEVICE; \
	} while (0)

API cuInit(unsigned flags)
{
	const struct config *c = config();
	count(C_calls, 1);
	if (flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (c->init != 0)
		return c->init;
	if (initialised && !ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (c->devices == 0)
		return CUDA_ERROR_NO_DEVICE;
	for (int i = 0; i < c->devices; i++) {
		contexts[i].ordinal = i;
		contexts[i].physical = c->visible[i];
	}
	initialised = getpid();
	return CUDA_SUCCESS;
}

API cuDriverGetVersion(int *version)
{
	count(C_calls, 1);
	*version = config()->version;
	return CUDA_SUCCESS;
}

API cuDeviceGetCount(int *n)
{
	count(C_calls, 1);
	if (!ready())
		return CUDA_ERROR_NOT_INITIALIZED;
	*n = config()->devices;
	return CUDA_SUCCESS;
}

API cuDeviceGet(CUdevice *d, int ordinal)
{
	QUERY(ordinal);
	*d = ordinal;
	return CUDA_SUCCESS;
}

API cuDeviceGetName(char *name, int n, CUdevice d)
{
	QUERY(d);
	snprintf(name, n, config()->mig ? "Fake GPU 0 MIG 1g.%d" : "Fake GPU %d", config()->visible[d]);
	return CUDA_SUCCESS;
}

// The bus is in capitals, as drivers print it and sysfs does not.
API cuDeviceGetPCIBusId(char *bus, int n, CUdevice d)
{
	QUERY(d);
	int at = config()->mig ? 0 : config()->visible[d]; // instances are of one GPU
	snprintf(bus, n, "0000:%02X:00.0", config()->bus + at);
	return CUDA_SUCCESS;
}

void uuid_of(int physical, unsigned char bytes[16])
{
	for (int i = 0; i < 16; i++)
		bytes[i] = (unsigned char)(0xF0 - i);
	bytes[15] = (unsigned char)physical;
}

API cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice d)
{
	QUERY(d);
	uuid_of(config()->visible[d], (unsigned char *)uuid->bytes);
	return CUDA_SUCCESS;
}

API cuDeviceTotalMem_v2(size_t *n, CUdevice d)
{
	QUERY(d);
	*n = config()->total;
	return CUDA_SUCCESS;
}

// attributes are those that a feeder asks for; the others are 0.
static const struct { int attribute, value; } attributes[] = {
	{16, 128},  // multiprocessors
	{19, 1},    // can map host memory
	{34, 0},    // PCI device
	{40, 2},    // copy engines
	{41, 1},    // unified addressing
	{75, 9},    // compute capability
	{76, 0},
	{78, 1},    // stream priorities
	{99, 1},    // host memory can be registered
	{113, 0},   // read-only host memory cannot
	{115, 1},   // memory pools
	{134, -1},  // no NUMA
};

API cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice d)
{
	QUERY(d);
	if (attribute <= 0 || attribute > 200)
		return CUDA_ERROR_INVALID_VALUE;
	*value = 0;
	if (attribute == 33) // PCI bus
		*value = config()->bus + config()->visible[d];
	if (attribute == 20)
		*value = config()->compute_mode;
	if (attribute == 125) // events between processes
		*value = config()->ipc_events;
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		if (attributes[i].attribute == (int)attribute)
			*value = attributes[i].value;
	return CUDA_SUCCESS;
}

API cuDeviceCanAccessPeer(int *can, CUdevice d, CUdevice peer)
{
	QUERY(d);
	QUERY(peer);
	*can = d != peer && config()->p2p;
	return CUDA_SUCCESS;
}

// The names that a caller cannot know beforehand: one that no table has is
// refused, as the driver does.
API cuGetErrorName(CUresult code, const char **name)
{
	count(C_calls, 1);
	switch ((int)code) {
	case 0: *name = "CUDA_SUCCESS"; return CUDA_SUCCESS;
	case 304: *name = "CUDA_ERROR_OPERATING_SYSTEM"; return CUDA_SUCCESS;
	case 999: *name = "CUDA_ERROR_UNKNOWN"; return CUDA_SUCCESS;
	}
	*name = NULL;
	return CUDA_ERROR_INVALID_VALUE;
}
