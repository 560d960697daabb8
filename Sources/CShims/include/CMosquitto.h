#ifndef GODWIT_CMOSQUITTO_H
#define GODWIT_CMOSQUITTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One connection to one broker by libmosquitto, which is loaded when the first one begins and is
 * not linked: a process that never connects has none of it in memory. */
typedef struct godwit_mqtt godwit_mqtt;

enum godwit_mqtt_state { GODWIT_MQTT_CONNECTING, GODWIT_MQTT_CONNECTED, GODWIT_MQTT_FAILED };

enum { GODWIT_MQTT_V311 = 4, GODWIT_MQTT_V5 = 5 };

/* Unused fields are null. */
struct godwit_mqtt_options {
  const char *host;
  uint16_t port;
  int version; /* GODWIT_MQTT_V5 or GODWIT_MQTT_V311 */
  const char *client_id;
  const char *username;
  const char *password;
  uint16_t keep_alive_s;
  uint32_t session_expiry_s; /* MQTT 5; 3.1.1 keeps a session for ever */
  bool discards_session;     /* the broker deletes the client's session */
  uint32_t longest_message;  /* bytes of a message from the broker; sent with MQTT 5 alone */
  bool uses_tls;
  const char *ca_file; /* null: the system's authorities */
  const char *certificate_file;
  const char *key_file;
  const char *psk_identity;
  const char *psk_key; /* hexadecimal */
};

enum godwit_mqtt_kind {
  GODWIT_MQTT_ACCEPTED,     /* CONNACK; or refused, if `reason` is not 0 */
  GODWIT_MQTT_SUBSCRIBED,   /* SUBACK, with a reason for each topic */
  GODWIT_MQTT_ACKNOWLEDGED, /* PUBACK */
  GODWIT_MQTT_RECEIVED,
  GODWIT_MQTT_CLOSED /* by the broker with `reason`, by us with 0, otherwise libmosquitto's error */
};

/* Valid while the handler runs. */
struct godwit_mqtt_event {
  enum godwit_mqtt_kind kind;
  int reason;
  bool session_present;
  uint16_t receive_maximum; /* 0: not given */
  bool has_keep_alive;      /* the broker's own: MQTT 5, 3.2.2.3.14 */
  uint16_t keep_alive_s;
  int message_id;
  const int *reasons;
  int reason_count;
  const char *topic;
  const uint8_t *payload;
  size_t payload_length;
  bool is_retained;
  const char *response_topic; /* may be null */
  const uint8_t *correlation;
  uint16_t correlation_length;
};

typedef void (*godwit_mqtt_handler)(void *context, const struct godwit_mqtt_event *event);

/* Null: it can be loaded. Otherwise the loader's message. Static storage. */
const char *godwit_mqtt_missing(void);

/* Begins to connect, on a separate thread: libmosquitto resolves the host, connects and secures the
 * connection without a timeout. Null with errno set if that cannot start; EAGAIN if earlier
 * attempts, since abandoned, have still not ended. The handler is called on the caller's thread
 * only, within the calls below. */
godwit_mqtt *godwit_mqtt_start(
    const struct godwit_mqtt_options *options, godwit_mqtt_handler handler, void *context);

/* Becomes readable once, when the attempt has ended. */
int godwit_mqtt_attempt_descriptor(const godwit_mqtt *connection);

enum godwit_mqtt_state godwit_mqtt_state(const godwit_mqtt *connection);

/* The meaning of libmosquitto's numbers (enum mosq_err_t). */
enum godwit_mqtt_failure {
  GODWIT_MQTT_NO_FAILURE,
  GODWIT_MQTT_NO_NAME,
  GODWIT_MQTT_NO_SERVICE, /* the reason is in errno */
  GODWIT_MQTT_NO_TLS,
  GODWIT_MQTT_BAD_FILES,
  GODWIT_MQTT_BAD_PROTOCOL,
  GODWIT_MQTT_LOST,
  GODWIT_MQTT_TOO_LONG, /* the broker has reported that its limit is lower */
  GODWIT_MQTT_NO_QOS,   /* the broker has reported that it does not accept this QoS */
  GODWIT_MQTT_NEVER,    /* such a message cannot be sent */
  GODWIT_MQTT_OTHER
};
enum godwit_mqtt_failure godwit_mqtt_failure(int error);
/* libmosquitto's text. Static storage. */
const char *godwit_mqtt_error_text(int error);

/* For a failed attempt: libmosquitto's number, errno, OpenSSL's result for the broker's certificate
 * (X509_V_ERR_…; 0: no objection), the last line of libmosquitto's log. */
int godwit_mqtt_error(const godwit_mqtt *connection);
int godwit_mqtt_errno(const godwit_mqtt *connection);
long godwit_mqtt_verification(const godwit_mqtt *connection);
const char *godwit_mqtt_log(const godwit_mqtt *connection);

/* For a connected one. */
int godwit_mqtt_socket(const godwit_mqtt *connection);
/* Bytes, since the beginning. */
uint64_t godwit_mqtt_sent(const godwit_mqtt *connection);
uint64_t godwit_mqtt_received(const godwit_mqtt *connection);
/* Whether it waits for input, or for room for output. */
bool godwit_mqtt_wants_read(godwit_mqtt *connection);
bool godwit_mqtt_wants_write(const godwit_mqtt *connection);
/* Reads a portion, writes, and keeps alive, without blocking. libmosquitto's number; 0: no error.
 * Never raises SIGPIPE. */
int godwit_mqtt_work(godwit_mqtt *connection);

/* Properties are sent with MQTT 5 alone. */
struct godwit_mqtt_message {
  const char *topic;
  const uint8_t *payload;
  size_t payload_length;
  int qos;
  bool is_retained;
  uint32_t expiry_s; /* 0: never */
  const char *response_topic;
  const uint8_t *correlation;
  uint16_t correlation_length;
  const char *content_type;
};
int godwit_mqtt_publish(
    godwit_mqtt *connection, const struct godwit_mqtt_message *message, int *message_id);
int godwit_mqtt_subscribe(
    godwit_mqtt *connection, const char *const *topics, int count, int *message_id);
int godwit_mqtt_disconnect(godwit_mqtt *connection);

/* Also during an attempt, which then ends by itself. */
void godwit_mqtt_release(godwit_mqtt *connection);

#endif
