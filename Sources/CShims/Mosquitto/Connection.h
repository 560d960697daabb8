#ifndef GODWIT_MOSQUITTO_CONNECTION_H
#define GODWIT_MOSQUITTO_CONNECTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "CMosquitto.h"
#include "Library.h"
#include "Flow.h"

struct godwit_mqtt {
  const struct godwit_mosquitto *library;
  struct mosquitto *client;
  void *tls_context;
  mosquitto_property *properties; /* of CONNECT */
  char *host;
  int port;
  int keep_alive_s;
  int version;
  uint64_t longest_message;
  uint64_t whole; /* bytes received when the last packet was complete */
  godwit_mqtt_handler handler;
  void *context;
  size_t name_end;       /* where libmosquitto's log continues after our name */
  bool is_abused;        /* the broker has sent an unrequested QoS 2 message */
  bool is_leaving;       /* DISCONNECT was sent */
  bool has_tls_failed;   /* whatever libmosquitto returned */
  struct godwit_flow flow;
  int ended;             /* eventfd: the attempt is over */
  int error;             /* of the attempt, like the following written before `state` */
  int system_error;
  long verification;
  char log[200];         /* of its thread during the attempt, afterwards of the owner */
  atomic_int state;      /* enum godwit_mqtt_state */
  atomic_int references; /* the owner's and the attempt's; the last one frees */
};

/* Makes libmosquitto report events to the connection's handler. */
void godwit_mqtt_listen(godwit_mqtt *connection);

#endif
