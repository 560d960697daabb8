#include "CMosquitto.h"
#include "Library.h"

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
    case MOSQ_ERR_OVERSIZE_PACKET: return GODWIT_MQTT_TOO_LONG;
    case MOSQ_ERR_QOS_NOT_SUPPORTED: return GODWIT_MQTT_NO_QOS;
    case MOSQ_ERR_MALFORMED_UTF8: return GODWIT_MQTT_NEVER;
    default: return GODWIT_MQTT_OTHER;
  }
}

const char *godwit_mqtt_error_text(int error) {
  const char *missing;
  const struct godwit_mosquitto *library = godwit_mosquitto_load(&missing);
  return library == NULL ? missing : library->strerror(error);
}
