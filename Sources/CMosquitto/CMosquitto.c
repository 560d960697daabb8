#include "CMosquitto.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "Library.h"
#include "TLSContext.h"

struct godwit_mqtt {
  const struct godwit_mosquitto *library;
  struct mosquitto *client;
  void *tls_context;
  mosquitto_property *properties; /* of CONNECT */
  char *host;
  int port;
  int keep_alive_s;
  int version;
  godwit_mqtt_handler handler;
  void *context;
  int ended;             /* eventfd: the attempt is over */
  int error;             /* of the attempt, like the following written before `state` */
  int system_error;
  long verification;
  char log[200];         /* while the attempt runs its thread's, afterwards the owner's */
  atomic_int state;      /* enum godwit_mqtt_state */
  atomic_int references; /* the owner's and the attempt's; the last one frees */
};

/* Abandoned attempts end by the kernel's and the resolver's time limits, some minutes at most. */
static const int most_attempts = 8;
static atomic_int attempts;

static void drop(godwit_mqtt *connection) {
  if (atomic_fetch_sub(&connection->references, 1) > 1) return;
  const struct godwit_mosquitto *library = connection->library;
  if (connection->client != NULL) library->destroy(connection->client);
  if (connection->properties != NULL) library->property_free_all(&connection->properties);
  if (connection->tls_context != NULL) godwit_mosquitto_tls()->context_free(connection->tls_context);
  if (connection->ended >= 0) close(connection->ended);
  free(connection->host);
  free(connection);
}

/* MARK: What libmosquitto calls */

static void on_log(struct mosquitto *client, void *object, int level, const char *text) {
  (void)client;
  godwit_mqtt *connection = object;
  if (level & (MOSQ_LOG_ERR | MOSQ_LOG_WARNING)) {
    snprintf(connection->log, sizeof connection->log, "%s", text);
  }
}

static void tell(godwit_mqtt *connection, const struct godwit_mqtt_event *event) {
  connection->handler(connection->context, event);
}

static void on_connect(
    struct mosquitto *client, void *object, int reason, int flags, const mosquitto_property *said) {
  (void)client;
  godwit_mqtt *connection = object;
  struct godwit_mqtt_event event = {
      .kind = GODWIT_MQTT_ACCEPTED, .reason = reason, .session_present = (flags & 1) != 0};
  connection->library->property_read_int16(
      said, MQTT_PROP_RECEIVE_MAXIMUM, &event.receive_maximum, false);
  tell(connection, &event);
}

static void on_disconnect(
    struct mosquitto *client, void *object, int reason, const mosquitto_property *said) {
  (void)client;
  (void)said;
  struct godwit_mqtt_event event = {.kind = GODWIT_MQTT_CLOSED, .reason = reason};
  tell(object, &event);
}

static void on_publish(
    struct mosquitto *client, void *object, int message_id, int reason,
    const mosquitto_property *said) {
  (void)client;
  (void)said;
  struct godwit_mqtt_event event = {
      .kind = GODWIT_MQTT_ACKNOWLEDGED, .reason = reason, .message_id = message_id};
  tell(object, &event);
}

static void on_subscribe(
    struct mosquitto *client, void *object, int message_id, int count, const int *granted,
    const mosquitto_property *said) {
  (void)client;
  (void)said;
  struct godwit_mqtt_event event = {
      .kind = GODWIT_MQTT_SUBSCRIBED,
      .message_id = message_id,
      .reasons = granted,
      .reason_count = count};
  tell(object, &event);
}

static void on_message(
    struct mosquitto *client, void *object, const struct mosquitto_message *message,
    const mosquitto_property *said) {
  (void)client;
  godwit_mqtt *connection = object;
  char *response_topic = NULL;
  void *correlation = NULL;
  struct godwit_mqtt_event event = {
      .kind = GODWIT_MQTT_RECEIVED,
      .topic = message->topic,
      .payload = message->payload,
      .payload_length = message->payloadlen < 0 ? 0 : (size_t)message->payloadlen,
      .is_retained = message->retain};
  connection->library->property_read_string(
      said, MQTT_PROP_RESPONSE_TOPIC, &response_topic, false);
  connection->library->property_read_binary(
      said, MQTT_PROP_CORRELATION_DATA, &correlation, &event.correlation_length, false);
  event.response_topic = response_topic;
  event.correlation = correlation;
  tell(connection, &event);
  free(response_topic);
  free(correlation);
}

/* MARK: The attempt */

static void *attempt(void *argument) {
  godwit_mqtt *connection = argument;
  errno = 0;
  connection->error = connection->library->connect_bind_v5(
      connection->client, connection->host, connection->port, connection->keep_alive_s, NULL,
      connection->properties);
  connection->system_error = errno;
  atomic_store(
      &connection->state,
      connection->error == MOSQ_ERR_SUCCESS ? GODWIT_MQTT_CONNECTED : GODWIT_MQTT_FAILED);
  eventfd_write(connection->ended, 1);
  drop(connection);
  atomic_fetch_sub(&attempts, 1);
  return NULL;
}

/* On a detached thread that receives no signals: they belong to the event loop. */
static int start_attempt(godwit_mqtt *connection) {
  if (atomic_fetch_add(&attempts, 1) >= most_attempts) {
    atomic_fetch_sub(&attempts, 1);
    return EAGAIN;
  }
  sigset_t all, before;
  pthread_attr_t attributes;
  pthread_t thread;
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  atomic_store(&connection->references, 2);
  int error = pthread_create(&thread, &attributes, attempt, connection);
  if (error != 0) {
    atomic_store(&connection->references, 1);
    atomic_fetch_sub(&attempts, 1);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}

static int secure(godwit_mqtt *connection, const struct godwit_mqtt_options *options) {
  const struct godwit_mosquitto *library = connection->library;
  if (options->psk_key != NULL) {
    return library->tls_psk_set(
        connection->client, options->psk_key, options->psk_identity, NULL);
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
  connection->client = library->new(options->client_id, false, connection);
  if (connection->client == NULL) return MOSQ_ERR_NOMEM;
  struct mosquitto *client = connection->client;
  library->log_callback_set(client, on_log);
  library->connect_v5_callback_set(client, on_connect);
  library->disconnect_v5_callback_set(client, on_disconnect);
  library->publish_v5_callback_set(client, on_publish);
  library->subscribe_v5_callback_set(client, on_subscribe);
  library->message_v5_callback_set(client, on_message);
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
  atomic_init(&connection->state, GODWIT_MQTT_CONNECTING);
  atomic_init(&connection->references, 1);
  connection->host = strdup(options->host);
  connection->ended = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int error = connection->ended < 0 ? errno : 0;
  if (connection->host == NULL) error = ENOMEM;
  if (error == 0) {
    connection->error = set_up(connection, options);
    if (connection->error != 0) {
      /* Told as any attempt that failed. */
      connection->system_error = errno;
      atomic_store(&connection->state, GODWIT_MQTT_FAILED);
      eventfd_write(connection->ended, 1);
      return connection;
    }
    error = start_attempt(connection);
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

enum godwit_mqtt_failure godwit_mqtt_failure(int error) {
  switch (error) {
    case MOSQ_ERR_SUCCESS: return GODWIT_MQTT_NO_FAILURE;
    case MOSQ_ERR_EAI: return GODWIT_MQTT_NO_NAME;
    case MOSQ_ERR_ERRNO:
    case MOSQ_ERR_CONN_REFUSED: return GODWIT_MQTT_NO_SERVICE;
    case MOSQ_ERR_TLS:
    case MOSQ_ERR_TLS_HANDSHAKE: return GODWIT_MQTT_NO_TLS;
    case MOSQ_ERR_INVAL: return GODWIT_MQTT_BAD_FILES;
    case MOSQ_ERR_PROTOCOL:
    case MOSQ_ERR_MALFORMED_PACKET: return GODWIT_MQTT_BAD_PROTOCOL;
    case MOSQ_ERR_NO_CONN:
    case MOSQ_ERR_CONN_LOST:
    case MOSQ_ERR_KEEPALIVE: return GODWIT_MQTT_LOST;
    case MOSQ_ERR_PAYLOAD_SIZE:
    case MOSQ_ERR_MALFORMED_UTF8:
    case MOSQ_ERR_QOS_NOT_SUPPORTED:
    case MOSQ_ERR_OVERSIZE_PACKET: return GODWIT_MQTT_NEVER;
    default: return GODWIT_MQTT_OTHER;
  }
}

const char *godwit_mqtt_error_text(int error) {
  const char *missing;
  const struct godwit_mosquitto *library = godwit_mosquitto_load(&missing);
  return library == NULL ? missing : library->strerror(error);
}

int godwit_mqtt_socket(godwit_mqtt *connection) {
  return connection->library->socket(connection->client);
}

bool godwit_mqtt_wants_write(godwit_mqtt *connection) {
  return connection->library->want_write(connection->client);
}

int godwit_mqtt_work(godwit_mqtt *connection, bool can_read, bool can_write) {
  const struct godwit_mosquitto *library = connection->library;
  int error = 0;
  if (can_read) error = library->loop_read(connection->client, 1);
  if (error == 0 && can_write) error = library->loop_write(connection->client, 1);
  if (error == 0) error = library->loop_misc(connection->client);
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
  return error;
}

int godwit_mqtt_subscribe(godwit_mqtt *connection, const char *const *topics, int count) {
  return connection->library->subscribe_multiple(
      connection->client, NULL, count, (char *const *)topics, 1, 0, NULL);
}

int godwit_mqtt_disconnect(godwit_mqtt *connection) {
  return connection->library->disconnect_v5(connection->client, 0, NULL);
}

void godwit_mqtt_release(godwit_mqtt *connection) { drop(connection); }
