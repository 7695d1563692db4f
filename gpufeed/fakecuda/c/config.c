// config.c: the environment, read once, at the library's first use.
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct config cfg;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static double number(const char *name, double unset)
{
	const char *s = getenv(name);
	return s && *s ? atof(s) : unset;
}

static size_t megabytes(const char *name, double unset)
{
	return (size_t)(number(name, unset) * (1 << 20));
}

// named gives the device that a uuid names, or its beginning; -1: none.
static int named(const char *s, size_t n, int physical)
{
	for (int i = 0; i < physical; i++) {
		unsigned char uuid[16];
		char text[40] = "", *at = text;
		uuid_of(i, uuid);
		for (int b = 0; b < 16; b++)
			at += sprintf(at, "%s%02x", b == 4 || b == 6 || b == 8 || b == 10 ? "-" : "", uuid[b]);
		if (n > 4 && strncasecmp(s + 4, text, n - 4) == 0)
			return i;
	}
	return -1;
}

// see fills the table of visible devices as the real variable does: a list of
// devices by number or uuid, cut at the first that is none. Of instances (MIG) a
// process sees the first one alone.
static void see(int physical)
{
	int most = cfg.mig ? 1 : MAX_DEVICES;
	const char *s = getenv("CUDA_VISIBLE_DEVICES");
	cfg.devices = 0;
	if (!s) {
		for (int i = 0; i < physical && i < most; i++)
			cfg.visible[cfg.devices++] = i;
		return;
	}
	while (cfg.devices < most) {
		size_t n = strcspn(s, ",");
		char *end = (char *)s + n;
		const char *kind = cfg.mig ? "MIG-" : "GPU-";
		long d = strncmp(s, kind, 4) == 0 ? named(s, n, physical) : strtol(s, &end, 10);
		if (end == s || d < 0 || d >= physical)
			return;
		cfg.visible[cfg.devices++] = (int)d;
		if (*end != ',')
			return;
		s = end + 1;
	}
}

static void read_environment(void)
{
	int physical = (int)number("FAKECUDA_DEVICES", 2);
	cfg.mig = number("FAKECUDA_MIG", 0) != 0;
	see(physical > MAX_DEVICES ? MAX_DEVICES : physical);
	cfg.implicit_waits = number("FAKECUDA_IMPLICIT_WAITS", 1) != 0;
	cfg.compute_mode = (int)number("FAKECUDA_COMPUTE_MODE", 0);
	cfg.version = (int)number("FAKECUDA_VERSION", 12090);
	cfg.bus = (int)number("FAKECUDA_BUS", 1);
	cfg.init = (int)number("FAKECUDA_INIT", 0);
	cfg.p2p = number("FAKECUDA_P2P", 1) != 0;
	cfg.peer_code = (int)number("FAKECUDA_PEER_CODE", 0);
	cfg.ipc_events = number("FAKECUDA_IPC_EVENTS", 1) != 0;
	cfg.export_code = (int)number("FAKECUDA_EXPORT_CODE", 0);
	cfg.ipc_code = (int)number("FAKECUDA_IPC_CODE", 0);
	cfg.gbps = number("FAKECUDA_GBPS", 0);
	cfg.peer_gbps = number("FAKECUDA_PEER_GBPS", cfg.gbps);
	cfg.latency = number("FAKECUDA_LATENCY_US", 0) * 1e-6;
	cfg.total = megabytes("FAKECUDA_TOTAL_MB", 16384);
	cfg.free = megabytes("FAKECUDA_FREE_MB", (double)(cfg.total >> 20));
	cfg.oom = megabytes("FAKECUDA_OOM_MB", 0);
	cfg.pin_oom = megabytes("FAKECUDA_PIN_OOM_MB", 0);
	cfg.pin_code = (int)number("FAKECUDA_PIN_CODE", CUDA_ERROR_OUT_OF_MEMORY);
	cfg.ecc = (long)number("FAKECUDA_ECC_COPY", 0);
	cfg.hang = (long)number("FAKECUDA_HANG_COPY", 0);
	cfg.lost_after = (long)number("FAKECUDA_LOST_AFTER", -1);
	cfg.slow_after = (long)number("FAKECUDA_SLOW_AFTER", -1);
	const char *slow = getenv("FAKECUDA_SLOW_AFTER");
	const char *colon = slow ? strchr(slow, ':') : NULL;
	cfg.slow_factor = colon ? atof(colon + 1) : 10;
}

const struct config *config(void)
{
	pthread_once(&once, read_environment);
	return &cfg;
}
