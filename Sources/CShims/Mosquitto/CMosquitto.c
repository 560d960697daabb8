#include "CMosquitto.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "CAttempt.h"
#include "Connection.h"
#include "Library.h"
#include "Flow.h"
#include "TLSContext.h"

static struct godwit_attempts attempts = {.most = 8};

static void drop(godwit_mqtt *connection) {
  if (atomic_fetch_sub(&connection->references, 1) > 1) return;
  const struct godwit_mosquitto *library = connection->library;
  if (connection->client != NULL) library->destroy(connection->client);
  godwit_flow_close(&connection->flow);
  if (connection->properties != NULL) library->property_free_all(&connection->properties);
  if (connection->tls_context != NULL) godwit_mosquitto_tls()->context_free(connection->tls_context);
  if (connection->ended >= 0) close(connection->ended);
  free(connection->host);
  free(connection);
}

/* MARK: The attempt */

static void *attempt(void *argument) {
  godwit_mqtt *connection = argument;
  errno = 0;
  connection->error = connection->library->connect_bind_v5(
      connection->client, connection->host, connection->port, connection->keep_alive_s, NULL,
      connection->properties);
  connection->system_error = errno;
  if (connection->error == MOSQ_ERR_SUCCESS) {
    connection->system_error = godwit_flow_open(
        &connection->flow, connection->library->socket(connection->client));
    if (connection->system_error != 0) connection->error = MOSQ_ERR_ERRNO;
  }
  atomic_store(
      &connection->state,
      connection->error == MOSQ_ERR_SUCCESS ? GODWIT_MQTT_CONNECTED : GODWIT_MQTT_FAILED);
  eventfd_write(connection->ended, 1);
  drop(connection);
  godwit_attempt_over(&attempts);
  return NULL;
}

static int secure(godwit_mqtt *connection, const struct godwit_mqtt_options *options) {
  const struct godwit_mosquitto *library = connection->library;
  if (options->psk_key != NULL) {
    int error =
        library->tls_psk_set(connection->client, options->psk_key, options->psk_identity, NULL);
    /* No earlier TLS; the 1 verifies the other side if it presents a certificate. */
    return error != 0 ? error : library->tls_opts_set(connection->client, 1, "tlsv1.2", NULL);
  }
  connection->tls_context = godwit_tls_context(
      options, &connection->verification, connection->log, sizeof connection->log);
  if (connection->tls_context == NULL) return MOSQ_ERR_INVAL;
  int error =
      library->int_option(connection->client, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0);
  if (error != 0) return error;
  return library->void_option(connection->client, MOSQ_OPT_SSL_CTX, connection->tls_context);
}

static int set_up(godwit_mqtt *connection, const struct godwit_mqtt_options *options) {
  const struct godwit_mosquitto *library = connection->library;
  connection->client = library->new(options->client_id, options->discards_session, connection);
  if (connection->client == NULL) return MOSQ_ERR_NOMEM;
  struct mosquitto *client = connection->client;
  godwit_mqtt_listen(connection);
  int error = library->int_option(client, MOSQ_OPT_PROTOCOL_VERSION, options->version);
  if (error == 0 && options->username != NULL) {
    error = library->username_pw_set(client, options->username, options->password);
  }
  if (error == 0 && options->uses_tls) error = secure(connection, options);
  if (error != 0 || options->version != GODWIT_MQTT_V5) return error;
  error = library->property_add_int32(
      &connection->properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, options->session_expiry_s);
  if (error != 0) return error;
  return library->property_add_int32(
      &connection->properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, options->longest_message);
}

const char *godwit_mqtt_missing(void) {
  const char *missing;
  godwit_mosquitto_load(&missing);
  return missing;
}

godwit_mqtt *godwit_mqtt_start(
    const struct godwit_mqtt_options *options, godwit_mqtt_handler handler, void *context) {
  const char *missing;
  const struct godwit_mosquitto *library = godwit_mosquitto_load(&missing);
  godwit_mqtt *connection = library == NULL ? NULL : calloc(1, sizeof *connection);
  if (connection == NULL) {
    errno = library == NULL ? ELIBACC : ENOMEM;
    return NULL;
  }
  connection->library = library;
  connection->handler = handler;
  connection->context = context;
  connection->port = options->port;
  connection->keep_alive_s = options->keep_alive_s;
  connection->version = options->version;
  connection->longest_message = options->longest_message;
  connection->name_end = strlen("Client ") + strlen(options->client_id);
  connection->flow.network = -1;
  atomic_init(&connection->state, GODWIT_MQTT_CONNECTING);
  atomic_init(&connection->references, 1);
  connection->host = strdup(options->host);
  connection->ended = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int error = connection->ended < 0 ? errno : 0;
  if (connection->host == NULL) error = ENOMEM;
  if (error == 0) {
    connection->error = set_up(connection, options);
    if (connection->error != 0) {
      /* Reported like any failed attempt. */
      connection->system_error = errno;
      atomic_store(&connection->state, GODWIT_MQTT_FAILED);
      eventfd_write(connection->ended, 1);
      return connection;
    }
    error = godwit_attempt_start(&attempts, &connection->references, attempt, connection);
  }
  if (error == 0) return connection;
  drop(connection);
  errno = error;
  return NULL;
}

/* MARK: The connection */

int godwit_mqtt_attempt_descriptor(const godwit_mqtt *connection) { return connection->ended; }

enum godwit_mqtt_state godwit_mqtt_state(const godwit_mqtt *connection) {
  return (enum godwit_mqtt_state)atomic_load(&connection->state);
}

int godwit_mqtt_error(const godwit_mqtt *connection) { return connection->error; }
int godwit_mqtt_errno(const godwit_mqtt *connection) { return connection->system_error; }
long godwit_mqtt_verification(const godwit_mqtt *connection) { return connection->verification; }
const char *godwit_mqtt_log(const godwit_mqtt *connection) { return connection->log; }

int godwit_mqtt_socket(const godwit_mqtt *connection) { return connection->flow.network; }

uint64_t godwit_mqtt_sent(const godwit_mqtt *connection) { return connection->flow.sent; }
uint64_t godwit_mqtt_received(const godwit_mqtt *connection) {
  return connection->flow.received;
}

bool godwit_mqtt_wants_read(godwit_mqtt *connection) {
  return !connection->flow.has_ended &&
         godwit_flow_unread(connection->library->socket(connection->client)) == 0;
}

bool godwit_mqtt_wants_write(const godwit_mqtt *connection) {
  return godwit_flow_is_full(&connection->flow);
}

/* Makes libmosquitto read what is available: it reads one packet at a time, or one step of TLS. */
static int read_all(godwit_mqtt *connection) {
  const struct godwit_mosquitto *library = connection->library;
  size_t unread = godwit_flow_unread(library->socket(connection->client));
  while (true) {
    int error = library->loop_read(connection->client, 1);
    size_t left = godwit_flow_unread(library->socket(connection->client));
    if (error != 0 || left == 0 || left == unread) return error;
    unread = left;
  }
}

/* Makes libmosquitto write its output, as far as the network accepts it. */
static int write_all(godwit_mqtt *connection) {
  const struct godwit_mosquitto *library = connection->library;
  int error = 0;
  do {
    if (library->socket(connection->client) >= 0) {
      error = library->loop_write(connection->client, 1);
    }
  } while (godwit_flow_push(&connection->flow) && error == 0);
  return error;
}

/* After libmosquitto has closed its end. */
static int finish(godwit_mqtt *connection) {
  struct godwit_flow *flow = &connection->flow;
  if (!connection->is_leaving) return MOSQ_ERR_CONN_LOST;
  godwit_flow_push(flow);
  if (godwit_flow_is_full(flow) && !flow->accepts_nothing) return 0;
  return godwit_flow_leave(flow) ? MOSQ_ERR_NO_CONN : 0;
}

/* libmosquitto allocates as much as a packet announces, 256 MB at most, whatever limit was sent to
 * the broker; the kernel provides the pages only when they are filled, which this stops in time. */
static bool is_too_long(const godwit_mqtt *connection) {
  return connection->flow.received - connection->whole >
         connection->longest_message + GODWIT_FLOW_PORTION;
}

int godwit_mqtt_work(godwit_mqtt *connection) {
  const struct godwit_mosquitto *library = connection->library;
  if (library->socket(connection->client) < 0) return finish(connection);
  if (godwit_mqtt_wants_read(connection)) godwit_flow_pull(&connection->flow);
  int error = read_all(connection);
  if (error == 0 && is_too_long(connection)) error = MOSQ_ERR_OVERSIZE_PACKET;
  if (error == 0 && connection->is_abused) error = MOSQ_ERR_PROTOCOL;
  if (error == 0) error = write_all(connection);
  if (error == 0 && library->socket(connection->client) >= 0) {
    error = library->loop_misc(connection->client);
    godwit_flow_push(&connection->flow);
  }
  if (error != 0 && connection->has_tls_failed) return MOSQ_ERR_TLS;
  /* Not every version reports that the other side has closed during TLS, or reports it in this
   * way. */
  bool is_vague = error == 0 || error == MOSQ_ERR_ERRNO;
  if (is_vague && connection->flow.has_ended) error = MOSQ_ERR_CONN_LOST;
  return error;
}

static int add_properties(
    const struct godwit_mosquitto *library, const struct godwit_mqtt_message *message,
    mosquitto_property **said) {
  int error = 0;
  if (message->expiry_s != 0) {
    error = library->property_add_int32(said, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, message->expiry_s);
  }
  if (error == 0 && message->response_topic != NULL) {
    error = library->property_add_string(said, MQTT_PROP_RESPONSE_TOPIC, message->response_topic);
  }
  if (error == 0 && message->correlation != NULL) {
    error = library->property_add_binary(
        said, MQTT_PROP_CORRELATION_DATA, message->correlation, message->correlation_length);
  }
  if (error == 0 && message->content_type != NULL) {
    error = library->property_add_string(said, MQTT_PROP_CONTENT_TYPE, message->content_type);
  }
  return error;
}

int godwit_mqtt_publish(
    godwit_mqtt *connection, const struct godwit_mqtt_message *message, int *message_id) {
  const struct godwit_mosquitto *library = connection->library;
  mosquitto_property *said = NULL;
  int error = connection->version == GODWIT_MQTT_V5 ? add_properties(library, message, &said) : 0;
  if (error == 0) {
    error = library->publish_v5(
        connection->client, message_id, message->topic, (int)message->payload_length,
        message->payload, message->qos, message->is_retained, said);
  }
  if (said != NULL) library->property_free_all(&said);
  godwit_flow_push(&connection->flow);
  return error;
}

int godwit_mqtt_subscribe(
    godwit_mqtt *connection, const char *const *topics, int count, int *message_id) {
  int error = connection->library->subscribe_multiple(
      connection->client, message_id, count, (char *const *)topics, 1, 0, NULL);
  godwit_flow_push(&connection->flow);
  return error;
}

int godwit_mqtt_disconnect(godwit_mqtt *connection) {
  connection->is_leaving = true;
  int error = connection->library->disconnect_v5(connection->client, 0, NULL);
  godwit_flow_push(&connection->flow);
  return error;
}

void godwit_mqtt_release(godwit_mqtt *connection) {
  /* Before the reference is dropped, which makes it visible to the attempt's thread. */
  connection->handler = NULL;
  drop(connection);
}
