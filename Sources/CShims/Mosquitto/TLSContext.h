#ifndef GODWIT_MOSQUITTO_TLS_CONTEXT_H
#define GODWIT_MOSQUITTO_TLS_CONTEXT_H

#include <stddef.h>

#include "CMosquitto.h"

/* What libssl is told of the one broker that a connection is for. Ours and not libmosquitto's own
 * (lib/net_mosq.c): that one loses the reason why a certificate is refused.
 *
 * `verification` gets OpenSSL's reason (X509_V_ERR_...) when an alert is sent; it has to live as long
 * as the connections made by it. Null with the reason in `problem`. */
void *godwit_tls_context(
    const struct godwit_mqtt_options *options, long *verification, char *problem, size_t room);

#endif
