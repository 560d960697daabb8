#ifndef GODWIT_MOSQUITTO_LIBRARY_H
#define GODWIT_MOSQUITTO_LIBRARY_H

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stddef.h>

/* libmosquitto's functions, with the types in its header. */
#define GODWIT_MOSQUITTO_FUNCTIONS(F)                                                             \
  F(lib_init) F(new) F(destroy) F(int_option) F(void_option) F(username_pw_set)                    \
  F(tls_psk_set) F(tls_opts_set) F(connect_bind_v5) F(disconnect_v5) F(publish_v5)                \
  F(subscribe_multiple)                                                                          \
  F(socket) F(loop_read) F(loop_write) F(loop_misc) F(strerror)                     \
  F(connect_v5_callback_set) F(disconnect_v5_callback_set) F(publish_v5_callback_set)             \
  F(subscribe_v5_callback_set) F(message_v5_callback_set) F(log_callback_set)                     \
  F(property_add_int16) F(property_add_int32) F(property_add_string) F(property_add_binary)       \
  F(property_read_int16) F(property_read_string) F(property_read_binary) F(property_free_all)

struct godwit_mosquitto {
#define MEMBER(name) __typeof__(mosquitto_##name) *name;
  GODWIT_MOSQUITTO_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* libssl's functions, with the types of openssl/ssl.h: its headers are not needed for so few. */
struct godwit_tls {
  const void *(*client_method)(void);
  void *(*context_new)(const void *method);
  void (*context_free)(void *context);
  long (*context_ctrl)(void *context, int command, long number, void *pointer);
  int (*context_set_ex_data)(void *context, int index, void *data);
  void *(*context_get_ex_data)(const void *context, int index);
  void *(*context_of)(const void *connection);
  void (*context_set_info_callback)(
      void *context, void (*watcher)(const void *connection, int where, int value));
  void (*context_set_verify)(void *context, int mode, void *callback);
  void *(*context_get0_param)(void *context);
  int (*context_load_verify_locations)(void *context, const char *file, const char *folder);
  int (*context_set_default_verify_paths)(void *context);
  int (*context_use_certificate_chain_file)(void *context, const char *file);
  int (*context_use_private_key_file)(void *context, const char *file, int type);
  int (*context_check_private_key)(const void *context);
  void (*context_set_default_passwd_cb)(
      void *context, int (*ask)(char *buffer, int size, int use, void *data));
  long (*verify_result)(const void *connection);
  int (*param_set1_host)(void *param, const char *name, size_t length);
  int (*param_set1_ip_asc)(void *param, const char *address);
};

/* Null, with a text in `*missing`, if it cannot be loaded. Loaded once, for ever. */
const struct godwit_mosquitto *godwit_mosquitto_load(const char **missing);

/* Those that libmosquitto uses itself; null: it uses no known ones. */
const struct godwit_tls *godwit_mosquitto_tls(void);

#endif
