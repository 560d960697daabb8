#include "TLSContext.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>

#include "Library.h"

/* openssl/ssl.h, openssl/tls1.h */
enum {
  FILE_IS_PEM = 1,         /* SSL_FILETYPE_PEM */
  VERIFY_PEER = 1,         /* SSL_VERIFY_PEER */
  CTRL_MODE = 33,          /* SSL_CTRL_MODE */
  CTRL_MIN_VERSION = 123,  /* SSL_CTRL_SET_MIN_PROTO_VERSION */
  AUTO_RETRY = 0x4,        /* SSL_MODE_AUTO_RETRY */
  RELEASE_BUFFERS = 0x10,  /* SSL_MODE_RELEASE_BUFFERS */
  TLS_1_2 = 0x0303,        /* TLS1_2_VERSION */
  IS_ALERT = 0x4000        /* SSL_CB_ALERT */
};

/* Stored at once, because the reason is lost with the connection. */
static void on_alert(const void *connection, int where, int value) {
  (void)value;
  const struct godwit_tls *tls = godwit_mosquitto_tls();
  if (!(where & IS_ALERT)) return;
  long *verification = tls->context_get_ex_data(tls->context_of(connection), 0);
  long result = tls->verify_result(connection);
  if (verification != NULL && result != 0) *verification = result;
}

/* OpenSSL would prompt on the terminal for the passphrase of a key. */
static int no_pass_phrase(char *buffer, int size, int use, void *data) {
  (void)buffer;
  (void)size;
  (void)use;
  (void)data;
  return 0;
}

static bool expects(const struct godwit_tls *tls, void *context, const char *host) {
  void *param = tls->context_get0_param(context);
  unsigned char address[16];
  bool is_address =
      inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
  return (is_address ? tls->param_set1_ip_asc(param, host)
                     : tls->param_set1_host(param, host, 0)) == 1;
}

/* Null: all files can be used. Otherwise the one that cannot. */
static const char *unusable(
    const struct godwit_tls *tls, void *context, const struct godwit_mqtt_options *options) {
  int trusts = options->ca_file != NULL
                   ? tls->context_load_verify_locations(context, options->ca_file, NULL)
                   : tls->context_set_default_verify_paths(context);
  if (trusts != 1) return options->ca_file != NULL ? options->ca_file : "the system's authorities";
  if (options->certificate_file == NULL) return NULL;
  tls->context_set_default_passwd_cb(context, no_pass_phrase);
  if (tls->context_use_certificate_chain_file(context, options->certificate_file) != 1) {
    return options->certificate_file;
  }
  bool fits =
      tls->context_use_private_key_file(context, options->key_file, FILE_IS_PEM) == 1 &&
      tls->context_check_private_key(context) == 1;
  return fits ? NULL : options->key_file;
}

void *godwit_tls_context(
    const struct godwit_mqtt_options *options, long *verification, char *problem, size_t room) {
  const struct godwit_tls *tls = godwit_mosquitto_tls();
  if (tls == NULL) {
    snprintf(problem, room, "libmosquitto has no libssl.so.3");
    return NULL;
  }
  void *context = tls->context_new(tls->client_method());
  if (context == NULL) {
    snprintf(problem, room, "out of memory");
    return NULL;
  }
  tls->context_ctrl(context, CTRL_MODE, AUTO_RETRY | RELEASE_BUFFERS, NULL);
  tls->context_ctrl(context, CTRL_MIN_VERSION, TLS_1_2, NULL);
  tls->context_set_verify(context, VERIFY_PEER, NULL);
  tls->context_set_ex_data(context, 0, verification);
  tls->context_set_info_callback(context, on_alert);
  const char *file = unusable(tls, context, options);
  if (file == NULL && expects(tls, context, options->host)) return context;
  snprintf(problem, room, "%s", file != NULL ? file : "the host cannot be in a certificate");
  tls->context_free(context);
  return NULL;
}
