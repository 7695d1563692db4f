//go:build ignore

/*
 * A libnvidia-ml.so.1 of two devices that does what the environment says. The
 * constraint above keeps go build away from it; BuildNVML compiles it. With
 * -DNVML_HEADER='"nvml.h"' it is compiled against NVIDIA's own header, which
 * proves the signatures.
 *
 * The environment is read by the first nvmlInit_v2, and again after the last
 * nvmlShutdown. A series is one list for each device, "10,20,30;50": each call
 * takes the next number, the last one stays; one list serves both devices.
 *
 *   FAKENVML_INIT         what nvmlInit_v2 returns: 9 driver not loaded, 18 mismatch
 *   FAKENVML_DEVICES      1 or 2 (2)
 *   FAKENVML_BUS0, _BUS1  PCI addresses (00000000:01:00.0, 00000000:02:00.0)
 *   FAKENVML_UTIL         series: percent of time with a kernel (50); the memory's is half of it
 *   FAKENVML_MEM_MB       series: MiB used (1024) of FAKENVML_TOTAL_MB (16384)
 *   FAKENVML_PCIE         series: KB/s received (1000); sent is half of it
 *   FAKENVML_ANCESTOR     nvmlGpuTopologyLevel_t of the two (30)
 *   FAKENVML_P2P          nvmlGpuP2PStatus_t of the two (0); for NVLink FAKENVML_NVLINK (5)
 *   FAKENVML_UNSUPPORTED  functions by name, comma between: code 3
 *   FAKENVML_LOST         device, or device@calls that it still answers: code 15
 *   FAKENVML_FAIL         function=code: returned each time
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#ifdef NVML_HEADER
#include NVML_HEADER
#else
typedef int nvmlReturn_t;
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef int nvmlGpuTopologyLevel_t, nvmlGpuP2PStatus_t, nvmlGpuP2PCapsIndex_t;
typedef int nvmlPcieUtilCounter_t;
#endif

enum { OK = 0, UNINITIALIZED = 1, INVALID = 2, UNSUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7, LOST = 15 };

struct series {
	long value[64];
	int count, next;
};

struct nvmlDevice_st {
	int number;
	unsigned int domain, bus, device, function;
	struct series util, mem, pcie;
	long answers; /* calls until it is lost; -1: never */
};

static struct {
	pthread_mutex_t mu;
	int users, devices, ancestor, p2p, nvlink;
	unsigned long long total;
	char unsupported[1024], fail[128];
	struct nvmlDevice_st device[2];
} fake = {.mu = PTHREAD_MUTEX_INITIALIZER};

static const char *env(const char *name, const char *otherwise)
{
	const char *v = getenv(name);
	return v && *v ? v : otherwise;
}

static void read_series(struct series *s, const char *name, const char *otherwise, int number)
{
	const char *p = env(name, otherwise), *second = strchr(p, ';');
	if (number && second)
		p = second + 1;
	memset(s, 0, sizeof *s);
	while (s->count < 64) {
		char *end;
		s->value[s->count++] = strtol(p, &end, 10);
		if (*end != ',')
			break;
		p = end + 1;
	}
}

static long next(struct series *s)
{
	long v = s->value[s->next];
	if (s->next < s->count - 1)
		s->next++;
	return v;
}

/* The forms that the real function documents: domain and function may be left out, not both. */
static int parse_bus(const char *s, unsigned int v[4])
{
	int n = 0;
	v[0] = v[3] = 0;
	if (sscanf(s, "%x:%x:%x.%x%n", v, v + 1, v + 2, v + 3, &n) == 4 && !s[n])
		return 1;
	v[3] = 0;
	if (sscanf(s, "%x:%x:%x%n", v, v + 1, v + 2, &n) == 3 && !s[n])
		return 1;
	v[0] = 0;
	return sscanf(s, "%x:%x.%x%n", v + 1, v + 2, v + 3, &n) == 3 && !s[n];
}

static void read_environment(void)
{
	static const char *const bus[2][2] = {{"FAKENVML_BUS0", "00000000:01:00.0"}, {"FAKENVML_BUS1", "00000000:02:00.0"}};
	long lost = -1, answers = 0;

	sscanf(env("FAKENVML_LOST", ""), "%ld@%ld", &lost, &answers);
	fake.devices = atoi(env("FAKENVML_DEVICES", "2"));
	fake.ancestor = atoi(env("FAKENVML_ANCESTOR", "30"));
	fake.p2p = atoi(env("FAKENVML_P2P", "0"));
	fake.nvlink = atoi(env("FAKENVML_NVLINK", "5"));
	fake.total = strtoull(env("FAKENVML_TOTAL_MB", "16384"), NULL, 10) << 20;
	snprintf(fake.unsupported, sizeof fake.unsupported, ",%s,", env("FAKENVML_UNSUPPORTED", ""));
	snprintf(fake.fail, sizeof fake.fail, "%s", env("FAKENVML_FAIL", ""));
	for (int i = 0; i < 2; i++) {
		struct nvmlDevice_st *d = &fake.device[i];
		unsigned int v[4];
		parse_bus(env(bus[i][0], bus[i][1]), v);
		d->number = i;
		d->domain = v[0], d->bus = v[1], d->device = v[2], d->function = v[3];
		d->answers = i == lost ? answers : -1;
		read_series(&d->util, "FAKENVML_UTIL", "50", i);
		read_series(&d->mem, "FAKENVML_MEM_MB", "1024", i);
		read_series(&d->pcie, "FAKENVML_PCIE", "1000", i);
	}
}

static int refuses(const char *call)
{
	char wanted[128];
	size_t n = strlen(call);
	snprintf(wanted, sizeof wanted, ",%s,", call);
	if (strstr(fake.unsupported, wanted))
		return UNSUPPORTED;
	if (!strncmp(fake.fail, call, n) && fake.fail[n] == '=')
		return atoi(fake.fail + n + 1);
	return OK;
}

/* begin and end stand around every call. A device may be NULL for calls of none. */
static int begin(const char *call, nvmlDevice_t d, int of_device)
{
	int code = OK;
	pthread_mutex_lock(&fake.mu);
	if (!fake.users)
		return UNINITIALIZED;
	if (of_device && d != &fake.device[0] && d != &fake.device[1])
		return INVALID;
	code = refuses(call);
	if (code == OK && of_device && d->answers >= 0 && d->answers-- == 0) {
		d->answers = 0;
		code = LOST;
	}
	return code;
}

static nvmlReturn_t end(int code)
{
	pthread_mutex_unlock(&fake.mu);
	return (nvmlReturn_t)code;
}

nvmlReturn_t nvmlInit_v2(void)
{
	int code;
	pthread_mutex_lock(&fake.mu);
	code = atoi(env("FAKENVML_INIT", "0"));
	if (code == OK && fake.users++ == 0)
		read_environment();
	return end(code);
}

nvmlReturn_t nvmlShutdown(void)
{
	int code = begin("nvmlShutdown", NULL, 0);
	if (code == OK)
		fake.users--;
	return end(code);
}

static int put(char *to, unsigned int length, const char *text)
{
	if (strlen(text) >= length)
		return TOO_SMALL;
	strcpy(to, text);
	return OK;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
	int code = begin("nvmlSystemGetDriverVersion", NULL, 0);
	return end(code ? code : put(version, length, "580.00.fake"));
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *bus, nvmlDevice_t *device)
{
	int code = begin("nvmlDeviceGetHandleByPciBusId_v2", NULL, 0);
	unsigned int v[4];
	if (code == OK && !parse_bus(bus, v))
		code = INVALID;
	if (code == OK) {
		code = NOT_FOUND;
		for (int i = 0; i < fake.devices; i++) {
			struct nvmlDevice_st *d = &fake.device[i];
			if (d->domain == v[0] && d->bus == v[1] && d->device == v[2] && d->function == v[3]) {
				*device = d;
				code = OK;
			}
		}
	}
	return end(code);
}

static nvmlReturn_t text_of(const char *call, const char *format, nvmlDevice_t d, char *to, unsigned int length)
{
	char text[64];
	int code = begin(call, d, 1);
	if (code == OK) {
		snprintf(text, sizeof text, format, d->number);
		code = put(to, length, text);
	}
	return end(code);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t d, char *name, unsigned int length)
{
	return text_of("nvmlDeviceGetName", "Fake GPU %d", d, name, length);
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t d, nvmlUtilization_t *u)
{
	int code = begin("nvmlDeviceGetUtilizationRates", d, 1);
	if (code == OK) {
		u->gpu = next(&d->util);
		u->memory = u->gpu / 2;
	}
	return end(code);
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t d, nvmlMemory_t *m)
{
	int code = begin("nvmlDeviceGetMemoryInfo", d, 1);
	if (code == OK) {
		m->total = fake.total;
		m->used = (unsigned long long)next(&d->mem) << 20;
		m->free = m->total - m->used;
	}
	return end(code);
}

/* One number: of a series' next value, or as it is. */
static nvmlReturn_t number_of(const char *call, nvmlDevice_t d, unsigned int *to, unsigned int value)
{
	int code = begin(call, d, 1);
	if (code == OK)
		*to = value;
	return end(code);
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t d, unsigned int *to)
{
	return number_of("nvmlDeviceGetMaxPcieLinkGeneration", d, to, 4);
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t d, unsigned int *to)
{
	return number_of("nvmlDeviceGetMaxPcieLinkWidth", d, to, 16);
}

/* Blocks for the 20 ms in which the real one counts, other calls go on. */
nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t d, nvmlPcieUtilCounter_t counter, unsigned int *value)
{
	static const struct timespec window = {.tv_nsec = 20 * 1000 * 1000};
	int code = begin("nvmlDeviceGetPcieThroughput", d, 1);
	if (code == OK && (unsigned int)counter > 1)
		code = INVALID;
	if (code == OK)
		*value = counter == 1 ? next(&d->pcie) : d->pcie.value[d->pcie.next] / 2;
	end(code);
	if (code == OK)
		nanosleep(&window, NULL);
	return (nvmlReturn_t)code;
}

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t a, nvmlDevice_t b, nvmlGpuTopologyLevel_t *level)
{
	int code = begin("nvmlDeviceGetTopologyCommonAncestor", a, 1);
	if (code == OK)
		*level = a == b ? 0 : fake.ancestor;
	return end(code);
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t a, nvmlDevice_t b, nvmlGpuP2PCapsIndex_t index, nvmlGpuP2PStatus_t *status)
{
	int code = begin("nvmlDeviceGetP2PStatus", a, 1);
	(void)b;
	if (code == OK && (unsigned int)index > 4)
		code = INVALID;
	if (code == OK)
		*status = index == 2 ? fake.nvlink : fake.p2p;
	return end(code);
}
