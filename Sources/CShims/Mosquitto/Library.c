#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "CLoading.h"

static struct godwit_mosquitto functions;
static char why[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct godwit_tls tls;
static bool has_tls;

static void load_tls(void) {
  /* They are loaded already, as libmosquitto needs them. */
  void *ssl = dlopen("libssl.so.3", RTLD_NOW | RTLD_NOLOAD);
  void *crypto = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_NOLOAD);
  if (ssl == NULL || crypto == NULL) return;
  const struct {
    void *library;
    const char *name;
    void *function;
  } wanted[] = {
      {ssl, "TLS_client_method", &tls.client_method},
      {ssl, "SSL_CTX_new", &tls.context_new},
      {ssl, "SSL_CTX_free", &tls.context_free},
      {ssl, "SSL_CTX_ctrl", &tls.context_ctrl},
      {ssl, "SSL_CTX_set_ex_data", &tls.context_set_ex_data},
      {ssl, "SSL_CTX_get_ex_data", &tls.context_get_ex_data},
      {ssl, "SSL_get_SSL_CTX", &tls.context_of},
      {ssl, "SSL_CTX_set_info_callback", &tls.context_set_info_callback},
      {ssl, "SSL_CTX_set_verify", &tls.context_set_verify},
      {ssl, "SSL_CTX_get0_param", &tls.context_get0_param},
      {ssl, "SSL_CTX_load_verify_locations", &tls.context_load_verify_locations},
      {ssl, "SSL_CTX_set_default_verify_paths", &tls.context_set_default_verify_paths},
      {ssl, "SSL_CTX_use_certificate_chain_file", &tls.context_use_certificate_chain_file},
      {ssl, "SSL_CTX_use_PrivateKey_file", &tls.context_use_private_key_file},
      {ssl, "SSL_CTX_check_private_key", &tls.context_check_private_key},
      {ssl, "SSL_CTX_set_default_passwd_cb", &tls.context_set_default_passwd_cb},
      {ssl, "SSL_get_verify_result", &tls.verify_result},
      {crypto, "X509_VERIFY_PARAM_set1_host", &tls.param_set1_host},
      {crypto, "X509_VERIFY_PARAM_set1_ip_asc", &tls.param_set1_ip_asc},
  };
  for (size_t index = 0; index < sizeof wanted / sizeof wanted[0]; index++) {
    void *found = dlsym(wanted[index].library, wanted[index].name);
    if (found == NULL) return;
    memcpy(wanted[index].function, &found, sizeof found);
  }
  has_tls = true;
}

const struct godwit_tls *godwit_mosquitto_tls(void) { return has_tls ? &tls : NULL; }

static void load(void) {
  static const struct godwit_library library = {"libmosquitto.so.1", "libmosquitto1"};
#define WANTED(name) {"mosquitto_" #name, &functions.name},
  const struct godwit_function wanted[] = {GODWIT_MOSQUITTO_FUNCTIONS(WANTED)};
#undef WANTED
  size_t count = sizeof wanted / sizeof wanted[0];
  if (godwit_library_load(&library, wanted, count, why, sizeof why) != NULL) return;
  functions.lib_init();
  load_tls();
}

const struct godwit_mosquitto *godwit_mosquitto_load(const char **missing) {
  pthread_once(&once, load);
  *missing = why[0] != '\0' ? why : NULL;
  return *missing == NULL ? &functions : NULL;
}
