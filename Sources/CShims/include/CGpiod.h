#ifndef GODWIT_CGPIOD_H
#define GODWIT_CGPIOD_H

#include <stdbool.h>

/* libgpiod 1 and libgpiod 2 share a name and nothing else: other types, other calls, and below them
 * the first and the second of the kernel's two interfaces (linux/gpio.h). Only this shim depends on
 * the one it was compiled with. Every function returns -1, or null, with errno set on failure. */

/* An open chip, with at most one of its lines held. */
typedef struct godwit_gpio godwit_gpio;

/* GPIO_MAX_NAME_SIZE of linux/gpio.h: 31 bytes and a NUL. */
enum { GODWIT_GPIO_NAME_ROOM = 32 };

/* Without its direction: for a line without a holder the kernel returns the one set by the last
 * holder, and queries the chip only when the line is requested (gpiolib.c,
 * gpiod_request_commit). */
struct godwit_gpio_line {
  char name[GODWIT_GPIO_NAME_ROOM];     /* empty: no name */
  char consumer[GODWIT_GPIO_NAME_ROOM]; /* given by its holder; may be empty */
  bool is_used;                         /* held by a process or by the kernel itself */
};

enum godwit_gpio_drive {
  GODWIT_GPIO_PUSH_PULL,
  GODWIT_GPIO_OPEN_DRAIN,
  GODWIT_GPIO_OPEN_SOURCE
};

enum godwit_gpio_bias {
  GODWIT_GPIO_BIAS_AS_IS,
  GODWIT_GPIO_BIAS_DISABLED,
  GODWIT_GPIO_PULL_UP,
  GODWIT_GPIO_PULL_DOWN
};

struct godwit_gpio_wiring {
  bool is_active_low;
  enum godwit_gpio_drive drive;
  enum godwit_gpio_bias bias;
};

enum godwit_gpio_edges { GODWIT_GPIO_RISING, GODWIT_GPIO_FALLING, GODWIT_GPIO_BOTH_EDGES };

/* The library's own version, such as "1.6.3". Static storage. */
const char *godwit_gpio_library(void);

godwit_gpio *godwit_gpio_open(const char *path);

/* Belongs to the chip. */
const char *godwit_gpio_label(const godwit_gpio *chip);

unsigned godwit_gpio_line_count(const godwit_gpio *chip);

int godwit_gpio_describe(godwit_gpio *chip, unsigned offset, struct godwit_gpio_line *line);

/* Requests a line as it is: neither its direction nor its level changes. */
int godwit_gpio_hold(godwit_gpio *chip, unsigned offset, const char *consumer);

/* Makes the held line an output, in one step with its first level: it never has another one. The
 * wiring determines the voltage of active and inactive. */
int godwit_gpio_drive(godwit_gpio *chip, const struct godwit_gpio_wiring *wiring, bool active);

/* For a held line that is driven. */
int godwit_gpio_set(godwit_gpio *chip, bool active);

/* 0 or 1. For a line that is only held, its voltage, 1 being high; for a driven or a watched one,
 * whether it is active. */
int godwit_gpio_get(godwit_gpio *chip);

/* Whether the library supports debouncing by the kernel: libgpiod 2 alone. */
bool godwit_gpio_debounces(void);

/* Requests a line as an input, whose edges are then queued by the kernel: 16 of them, and edges
 * beyond are lost. Rising is from inactive to active.
 *
 * With a debounce period, an edge counts when the level has stayed for that long: shorter pulses
 * are lost, and a line that never settles gives no edge. If the chip cannot debounce, the kernel
 * does, with an interrupt for every bounce (gpiolib-cdev.c, debounce_setup). 0: no debouncing; the
 * only value for libgpiod 1. */
int godwit_gpio_watch(
    godwit_gpio *chip, unsigned offset, const char *consumer,
    const struct godwit_gpio_wiring *wiring, enum godwit_gpio_edges edges, unsigned debounce_us);

/* Disables the interrupt of the watched line; its descriptor is not to be used. With libgpiod 2 it
 * stays an input of this process; libgpiod 1 cannot change a line's edges, so it is released. */
int godwit_gpio_rest(godwit_gpio *chip);

/* Enables the disabled line again; earlier edges do not count. With libgpiod 1 another program may
 * have requested it meanwhile: EBUSY. */
int godwit_gpio_listen(godwit_gpio *chip);

/* For a watched line: ready while edges are queued, or its chip is gone. */
int godwit_gpio_descriptor(const godwit_gpio *chip);

/* Reads edges of a watched line from the queue, 16 at most, and never blocks. Returns how many: 0
 * if there are none; ENODEV: the chip is gone. */
int godwit_gpio_take_edges(godwit_gpio *chip);

/* Releases the line and frees. */
void godwit_gpio_close(godwit_gpio *chip);

#endif
