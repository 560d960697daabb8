#ifndef GODWIT_MOSQUITTO_TLS_CONTEXT_H
#define GODWIT_MOSQUITTO_TLS_CONTEXT_H

#include <stddef.h>

#include "CMosquitto.h"

/* The libssl context for the one broker of a connection. Ours and not libmosquitto's own
 * (lib/net_mosq.c): that one loses the reason why a certificate is refused.
 *
 * `verification` receives OpenSSL's reason (X509_V_ERR_...) when an alert is sent; it has to
 * outlive the connections made with the context. Null, with the reason in `problem`. */
void *godwit_tls_context(
    const struct godwit_mqtt_options *options, long *verification, char *problem, size_t room);

#endif
