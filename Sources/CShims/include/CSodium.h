#ifndef GODWIT_CSODIUM_H
#define GODWIT_CSODIUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libsodium's secret-key authenticated encryption, crypto_secretbox_easy: XSalsa20 and Poly1305.
 * Loaded at the first use, as it is needed only with a shared passphrase. Of its hundreds of
 * functions five are used, so they are declared in CSodium.c, and no header is needed to build. */

/* doc.libsodium.org/secret-key_cryptography/secretbox: compared with the library's own values when
 * it is loaded. */
#define GODWIT_SODIUM_KEY_BYTES 32
#define GODWIT_SODIUM_NONCE_BYTES 24
#define GODWIT_SODIUM_MAC_BYTES 16

/* Loads the library and prepares it, once. Null: it is loaded, and stays so. Otherwise the reason,
 * in static storage. The functions below are those of a loaded library. */
const char *godwit_sodium_load(void);

/* Unpredictable bytes. */
void godwit_sodium_random(uint8_t *bytes, size_t count);

/* Writes GODWIT_SODIUM_MAC_BYTES more than it reads; false: it failed. */
bool godwit_sodium_seal(
    uint8_t *sealed, const uint8_t *plain, size_t count, const uint8_t *nonce, const uint8_t *key);

/* Writes GODWIT_SODIUM_MAC_BYTES fewer than it reads; false: it was changed, or encrypted with
 * another key. */
bool godwit_sodium_open(
    uint8_t *plain, const uint8_t *sealed, size_t count, const uint8_t *nonce, const uint8_t *key);

#endif
