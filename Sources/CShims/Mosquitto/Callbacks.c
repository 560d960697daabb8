#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Connection.h"

/* Packets without a callback appear in the log alone: "Client NAME received PINGRESP". Topics,
 * which others choose, come later in a line. */
static bool says(const godwit_mqtt *connection, const char *line, const char *words) {
  return strlen(line) > connection->name_end &&
         strncmp(line + connection->name_end, words, strlen(words)) == 0;
}

/* libmosquitto returns MOSQ_ERR_TLS if TLS fails while writing, and any other error if it fails
 * while reading; the log has OpenSSL's reason each time. SSL_R_UNEXPECTED_EOF_WHILE_READING is the
 * end of the connection and no failure of TLS. */
static bool is_tls_failure(const char *line) {
  const char *unexpected_end = "error:0A000126:";
  return strncmp(line, "OpenSSL Error[", strlen("OpenSSL Error[")) == 0 &&
         strstr(line, unexpected_end) == NULL;
}

static void on_log(struct mosquitto *client, void *object, int level, const char *text) {
  (void)client;
  godwit_mqtt *connection = object;
  if (level & (MOSQ_LOG_ERR | MOSQ_LOG_WARNING)) {
    snprintf(connection->log, sizeof connection->log, "%s", text);
    if (is_tls_failure(text)) connection->has_tls_failed = true;
  }
  if (level != MOSQ_LOG_DEBUG) return;
  if (says(connection, text, " received PINGRESP")) {
    connection->whole = connection->flow.received;
  }
  /* The answer to an unrequested message of QoS 2: libmosquitto keeps each of them until the broker
   * releases it, without a limit. */
  if (says(connection, text, " sending PUBREC")) connection->is_abused = true;
}

/* Only to the owner of the connection, on its thread: not during the attempt, nor after the
 * release. */
static void tell(godwit_mqtt *connection, const struct godwit_mqtt_event *event) {
  if (atomic_load(&connection->state) != GODWIT_MQTT_CONNECTED) return;
  if (connection->handler == NULL) return;
  connection->whole = connection->flow.received;
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
  event.has_keep_alive = connection->library->property_read_int16(
      said, MQTT_PROP_SERVER_KEEP_ALIVE, &event.keep_alive_s, false) != NULL;
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

void godwit_mqtt_listen(godwit_mqtt *connection) {
  const struct godwit_mosquitto *library = connection->library;
  library->log_callback_set(connection->client, on_log);
  library->connect_v5_callback_set(connection->client, on_connect);
  library->disconnect_v5_callback_set(connection->client, on_disconnect);
  library->publish_v5_callback_set(connection->client, on_publish);
  library->subscribe_v5_callback_set(connection->client, on_subscribe);
  library->message_v5_callback_set(connection->client, on_message);
}
