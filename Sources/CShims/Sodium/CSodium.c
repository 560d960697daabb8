#include "CSodium.h"

#include <pthread.h>
#include <stdio.h>

#include "CLoading.h"

static const struct godwit_library name = {"libsodium.so.23", "libsodium23"};

/* As declared in crypto_secretbox.h, randombytes.h and core.h of libsodium 1.0.18. */
static struct {
  int (*init)(void);
  void (*random)(void *bytes, size_t count);
  int (*seal)(
      unsigned char *sealed, const unsigned char *plain, unsigned long long count,
      const unsigned char *nonce, const unsigned char *key);
  int (*open)(
      unsigned char *plain, const unsigned char *sealed, unsigned long long count,
      const unsigned char *nonce, const unsigned char *key);
  size_t (*key_bytes)(void);
  size_t (*nonce_bytes)(void);
  size_t (*mac_bytes)(void);
} library;

static char why[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const struct godwit_function wanted[] = {
      {"sodium_init", &library.init},
      {"randombytes_buf", &library.random},
      {"crypto_secretbox_easy", &library.seal},
      {"crypto_secretbox_open_easy", &library.open},
      {"crypto_secretbox_keybytes", &library.key_bytes},
      {"crypto_secretbox_noncebytes", &library.nonce_bytes},
      {"crypto_secretbox_macbytes", &library.mac_bytes},
  };
  size_t count = sizeof wanted / sizeof wanted[0];
  if (godwit_library_load(&name, wanted, count, why, sizeof why) != NULL) return;
  if (library.key_bytes() != GODWIT_SODIUM_KEY_BYTES ||
      library.nonce_bytes() != GODWIT_SODIUM_NONCE_BYTES ||
      library.mac_bytes() != GODWIT_SODIUM_MAC_BYTES) {
    snprintf(
        why, sizeof why, "%s has another crypto_secretbox than XSalsa20 and Poly1305", name.file);
    return;
  }
  /* -1: it cannot be used; 1: it was initialized before. */
  if (library.init() < 0) snprintf(why, sizeof why, "%s cannot be prepared", name.file);
}

const char *godwit_sodium_load(void) {
  pthread_once(&once, load);
  return why[0] != '\0' ? why : NULL;
}

void godwit_sodium_random(uint8_t *bytes, size_t count) { library.random(bytes, count); }

bool godwit_sodium_seal(
    uint8_t *sealed, const uint8_t *plain, size_t count, const uint8_t *nonce,
    const uint8_t *key) {
  return library.seal(sealed, plain, count, nonce, key) == 0;
}

bool godwit_sodium_open(
    uint8_t *plain, const uint8_t *sealed, size_t count, const uint8_t *nonce,
    const uint8_t *key) {
  return library.open(plain, sealed, count, nonce, key) == 0;
}
