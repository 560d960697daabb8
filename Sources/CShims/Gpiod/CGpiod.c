#include "CGpiod.h"

#include <errno.h>
#include <gpiod.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

static void copy_name(char to[GODWIT_GPIO_NAME_ROOM], const char *from) {
  to[0] = '\0';
  if (from != NULL) strncat(to, from, GODWIT_GPIO_NAME_ROOM - 1);
}

enum { MOST_EDGES = 16 };

/* Both libraries would wait for an edge, and do not detect that a chip is gone. */
static int edges_wait(int descriptor) {
  struct pollfd line = {.fd = descriptor, .events = POLLIN};
  int ready = poll(&line, 1, 0);
  if (ready <= 0) return ready;
  if (line.revents & POLLIN) return 1;
  errno = ENODEV;
  return -1;
}

/* Only libgpiod 1 handles lines in bulks. */
#ifdef GPIOD_LINE_BULK_MAX_LINES

struct godwit_gpio {
  struct gpiod_chip *chip;
  struct gpiod_line *line; /* of the chip; null: none is held */
  struct gpiod_line_request_config watching; /* of a watched line */
  char consumer[GODWIT_GPIO_NAME_ROOM]; /* its name there */
};

const char *godwit_gpio_library(void) { return gpiod_version_string(); }

godwit_gpio *godwit_gpio_open(const char *path) {
  godwit_gpio *gpio = calloc(1, sizeof *gpio);
  if (gpio == NULL) return NULL;
  gpio->chip = gpiod_chip_open(path);
  if (gpio->chip != NULL) return gpio;
  int error = errno;
  free(gpio);
  errno = error;
  return NULL;
}

const char *godwit_gpio_label(const godwit_gpio *gpio) { return gpiod_chip_label(gpio->chip); }

unsigned godwit_gpio_line_count(const godwit_gpio *gpio) {
  return gpiod_chip_num_lines(gpio->chip);
}

int godwit_gpio_describe(godwit_gpio *gpio, unsigned offset, struct godwit_gpio_line *line) {
  struct gpiod_line *found = gpiod_chip_get_line(gpio->chip, offset);
  if (found == NULL) return -1;
  copy_name(line->name, gpiod_line_name(found));
  copy_name(line->consumer, gpiod_line_consumer(found));
  line->is_used = gpiod_line_is_used(found);
  return 0;
}

int godwit_gpio_hold(godwit_gpio *gpio, unsigned offset, const char *consumer) {
  struct gpiod_line *line = gpiod_chip_get_line(gpio->chip, offset);
  if (line == NULL) return -1;
  const struct gpiod_line_request_config as_is = {
      .consumer = consumer, .request_type = GPIOD_LINE_REQUEST_DIRECTION_AS_IS, .flags = 0};
  if (gpiod_line_request(line, &as_is, 0) < 0) return -1;
  gpio->line = line;
  return 0;
}

static int flags(const struct godwit_gpio_wiring *wiring) {
  int flags = wiring->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  switch (wiring->drive) {
    case GODWIT_GPIO_PUSH_PULL: break;
    case GODWIT_GPIO_OPEN_DRAIN: flags |= GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN; break;
    case GODWIT_GPIO_OPEN_SOURCE: flags |= GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE; break;
  }
  switch (wiring->bias) {
    case GODWIT_GPIO_BIAS_AS_IS: break;
    case GODWIT_GPIO_BIAS_DISABLED: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE; break;
    case GODWIT_GPIO_PULL_UP: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP; break;
    case GODWIT_GPIO_PULL_DOWN: flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN; break;
  }
  return flags;
}

int godwit_gpio_drive(godwit_gpio *gpio, const struct godwit_gpio_wiring *wiring, bool active) {
  return gpiod_line_set_config(
      gpio->line, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, flags(wiring), active);
}

int godwit_gpio_set(godwit_gpio *gpio, bool active) {
  return gpiod_line_set_value(gpio->line, active);
}

int godwit_gpio_get(godwit_gpio *gpio) { return gpiod_line_get_value(gpio->line); }

bool godwit_gpio_debounces(void) { return false; }

int godwit_gpio_watch(
    godwit_gpio *gpio, unsigned offset, const char *consumer,
    const struct godwit_gpio_wiring *wiring, enum godwit_gpio_edges edges, unsigned debounce_us) {
  struct gpiod_line *line = gpiod_chip_get_line(gpio->chip, offset);
  if (line == NULL) return -1;
  if (debounce_us != 0) {
    errno = ENOTSUP;
    return -1;
  }
  struct gpiod_line_request_config config = {
      .consumer = consumer,
      .request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
      .flags = flags(wiring)};
  if (edges == GODWIT_GPIO_RISING) config.request_type = GPIOD_LINE_REQUEST_EVENT_RISING_EDGE;
  if (edges == GODWIT_GPIO_FALLING) config.request_type = GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE;
  if (gpiod_line_request(line, &config, 0) < 0) return -1;
  gpio->line = line;
  /* The caller's text may be gone when the line is requested again. */
  copy_name(gpio->consumer, consumer);
  gpio->watching = config;
  gpio->watching.consumer = gpio->consumer;
  return 0;
}

int godwit_gpio_rest(godwit_gpio *gpio) {
  gpiod_line_release(gpio->line);
  return 0;
}

int godwit_gpio_listen(godwit_gpio *gpio) {
  return gpiod_line_request(gpio->line, &gpio->watching, 0);
}

int godwit_gpio_descriptor(const godwit_gpio *gpio) { return gpiod_line_event_get_fd(gpio->line); }

int godwit_gpio_take_edges(godwit_gpio *gpio) {
  int waiting = edges_wait(godwit_gpio_descriptor(gpio));
  if (waiting <= 0) return waiting;
  struct gpiod_line_event taken[MOST_EDGES];
  return gpiod_line_event_read_multiple(gpio->line, taken, MOST_EDGES);
}

/* Closing a chip of libgpiod 1 releases its lines. */
void godwit_gpio_close(godwit_gpio *gpio) {
  gpiod_chip_close(gpio->chip);
  free(gpio);
}

#else

struct godwit_gpio {
  struct gpiod_chip *chip;
  struct gpiod_chip_info *info;
  struct gpiod_line_request *request; /* null: no line is held */
  unsigned offset;                    /* of the held line */
  struct {
    struct godwit_gpio_wiring wiring;
    enum gpiod_line_edge edge;
    unsigned debounce_us;
  } watching; /* of a watched line */
};

const char *godwit_gpio_library(void) { return gpiod_api_version(); }

static void *failed(godwit_gpio *gpio) {
  int error = errno;
  godwit_gpio_close(gpio);
  errno = error;
  return NULL;
}

godwit_gpio *godwit_gpio_open(const char *path) {
  godwit_gpio *gpio = calloc(1, sizeof *gpio);
  if (gpio == NULL) return NULL;
  gpio->chip = gpiod_chip_open(path);
  if (gpio->chip == NULL) return failed(gpio);
  gpio->info = gpiod_chip_get_info(gpio->chip);
  if (gpio->info == NULL) return failed(gpio);
  return gpio;
}

const char *godwit_gpio_label(const godwit_gpio *gpio) {
  return gpiod_chip_info_get_label(gpio->info);
}

unsigned godwit_gpio_line_count(const godwit_gpio *gpio) {
  return (unsigned)gpiod_chip_info_get_num_lines(gpio->info);
}

int godwit_gpio_describe(godwit_gpio *gpio, unsigned offset, struct godwit_gpio_line *line) {
  struct gpiod_line_info *found = gpiod_chip_get_line_info(gpio->chip, offset);
  if (found == NULL) return -1;
  copy_name(line->name, gpiod_line_info_get_name(found));
  copy_name(line->consumer, gpiod_line_info_get_consumer(found));
  line->is_used = gpiod_line_info_is_used(found);
  gpiod_line_info_free(found);
  return 0;
}

/* Requests the line with these settings or, when it is held already, gives it these settings. */
static int apply(
    godwit_gpio *gpio, unsigned offset, struct gpiod_line_settings *settings,
    const char *consumer) {
  int status = -1;
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *request = gpiod_request_config_new();
  if (lines == NULL || request == NULL) {
    errno = ENOMEM;
  } else if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0) {
    if (gpio->request != NULL) {
      status = gpiod_line_request_reconfigure_lines(gpio->request, lines);
    } else {
      gpiod_request_config_set_consumer(request, consumer);
      gpio->request = gpiod_chip_request_lines(gpio->chip, request, lines);
      status = gpio->request == NULL ? -1 : 0;
    }
  }
  int error = errno;
  if (request != NULL) gpiod_request_config_free(request);
  if (lines != NULL) gpiod_line_config_free(lines);
  errno = error;
  return status;
}

int godwit_gpio_hold(godwit_gpio *gpio, unsigned offset, const char *consumer) {
  /* New settings mean "as is". */
  struct gpiod_line_settings *as_is = gpiod_line_settings_new();
  if (as_is == NULL) return -1;
  int status = apply(gpio, offset, as_is, consumer);
  int error = errno;
  gpiod_line_settings_free(as_is);
  errno = error;
  if (status == 0) gpio->offset = offset;
  return status;
}

static enum gpiod_line_drive drive(enum godwit_gpio_drive drive) {
  switch (drive) {
    case GODWIT_GPIO_OPEN_DRAIN: return GPIOD_LINE_DRIVE_OPEN_DRAIN;
    case GODWIT_GPIO_OPEN_SOURCE: return GPIOD_LINE_DRIVE_OPEN_SOURCE;
    default: return GPIOD_LINE_DRIVE_PUSH_PULL;
  }
}

static enum gpiod_line_bias bias(enum godwit_gpio_bias bias) {
  switch (bias) {
    case GODWIT_GPIO_BIAS_DISABLED: return GPIOD_LINE_BIAS_DISABLED;
    case GODWIT_GPIO_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case GODWIT_GPIO_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    default: return GPIOD_LINE_BIAS_AS_IS;
  }
}

static enum gpiod_line_value value(bool active) {
  return active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}

int godwit_gpio_drive(godwit_gpio *gpio, const struct godwit_gpio_wiring *wiring, bool active) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (settings == NULL) return -1;
  gpiod_line_settings_set_active_low(settings, wiring->is_active_low);
  int status = -1;
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) == 0 &&
      gpiod_line_settings_set_drive(settings, drive(wiring->drive)) == 0 &&
      gpiod_line_settings_set_bias(settings, bias(wiring->bias)) == 0 &&
      gpiod_line_settings_set_output_value(settings, value(active)) == 0)
    status = apply(gpio, gpio->offset, settings, NULL);
  int error = errno;
  gpiod_line_settings_free(settings);
  errno = error;
  return status;
}

int godwit_gpio_set(godwit_gpio *gpio, bool active) {
  return gpiod_line_request_set_value(gpio->request, gpio->offset, value(active));
}

int godwit_gpio_get(godwit_gpio *gpio) {
  return (int)gpiod_line_request_get_value(gpio->request, gpio->offset);
}

static enum gpiod_line_edge edge(enum godwit_gpio_edges edges) {
  switch (edges) {
    case GODWIT_GPIO_RISING: return GPIOD_LINE_EDGE_RISING;
    case GODWIT_GPIO_FALLING: return GPIOD_LINE_EDGE_FALLING;
    default: return GPIOD_LINE_EDGE_BOTH;
  }
}

bool godwit_gpio_debounces(void) { return true; }

/* An input with these edges; without any it is not debounced either, because the kernel's debouncer
 * uses interrupts whether or not edges are requested (gpiolib-cdev.c, edge_detector_setup). */
static int apply_input(
    godwit_gpio *gpio, unsigned offset, enum gpiod_line_edge edge, const char *consumer) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (settings == NULL) return -1;
  gpiod_line_settings_set_active_low(settings, gpio->watching.wiring.is_active_low);
  if (edge != GPIOD_LINE_EDGE_NONE)
    gpiod_line_settings_set_debounce_period_us(settings, gpio->watching.debounce_us);
  int status = -1;
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) == 0 &&
      gpiod_line_settings_set_bias(settings, bias(gpio->watching.wiring.bias)) == 0 &&
      gpiod_line_settings_set_edge_detection(settings, edge) == 0)
    status = apply(gpio, offset, settings, consumer);
  int error = errno;
  gpiod_line_settings_free(settings);
  errno = error;
  return status;
}

int godwit_gpio_watch(
    godwit_gpio *gpio, unsigned offset, const char *consumer,
    const struct godwit_gpio_wiring *wiring, enum godwit_gpio_edges edges, unsigned debounce_us) {
  gpio->watching.wiring = *wiring;
  gpio->watching.edge = edge(edges);
  gpio->watching.debounce_us = debounce_us;
  int status = apply_input(gpio, offset, gpio->watching.edge, consumer);
  if (status == 0) gpio->offset = offset;
  return status;
}

int godwit_gpio_rest(godwit_gpio *gpio) {
  return apply_input(gpio, gpio->offset, GPIOD_LINE_EDGE_NONE, NULL);
}

int godwit_gpio_listen(godwit_gpio *gpio) {
  /* Reconfiguring a line does not clear its queue in the kernel. */
  int taken;
  do taken = godwit_gpio_take_edges(gpio);
  while (taken > 0);
  if (taken < 0) return -1;
  return apply_input(gpio, gpio->offset, gpio->watching.edge, NULL);
}

int godwit_gpio_descriptor(const godwit_gpio *gpio) {
  return gpiod_line_request_get_fd(gpio->request);
}

int godwit_gpio_take_edges(godwit_gpio *gpio) {
  int waiting = edges_wait(godwit_gpio_descriptor(gpio));
  if (waiting <= 0) return waiting;
  struct gpiod_edge_event_buffer *taken = gpiod_edge_event_buffer_new(MOST_EDGES);
  if (taken == NULL) return -1;
  int count = gpiod_line_request_read_edge_events(gpio->request, taken, MOST_EDGES);
  int error = errno;
  gpiod_edge_event_buffer_free(taken);
  errno = error;
  return count;
}

void godwit_gpio_close(godwit_gpio *gpio) {
  if (gpio->request != NULL) gpiod_line_request_release(gpio->request);
  if (gpio->info != NULL) gpiod_chip_info_free(gpio->info);
  if (gpio->chip != NULL) gpiod_chip_close(gpio->chip);
  free(gpio);
}

#endif
