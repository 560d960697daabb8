#ifndef GODWIT_CGPIOD_H
#define GODWIT_CGPIOD_H

#include <stdbool.h>

/* libgpiod 1 and libgpiod 2 share a name and nothing else: other types, other calls, and behind
 * them the first and the second of the kernel's two interfaces (linux/gpio.h). Only this shim knows
 * which of them it was compiled with. Everything returns -1, or null, with errno set on failure. */

/* An open chip, with at most one of its lines held. */
typedef struct godwit_gpio godwit_gpio;

/* GPIO_MAX_NAME_SIZE of linux/gpio.h: 31 bytes and a NUL. */
enum { GODWIT_GPIO_NAME_ROOM = 32 };

/* Not its direction: for a line without a holder the kernel returns the one that the last holder
 * set, and asks the chip only when the line is requested (gpiolib.c, gpiod_request_commit). */
struct godwit_gpio_line {
  char name[GODWIT_GPIO_NAME_ROOM];     /* empty: has none */
  char consumer[GODWIT_GPIO_NAME_ROOM]; /* the name that its holder gave; may be empty */
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

/* Takes a line as it is: neither its direction nor its level changes. */
int godwit_gpio_hold(godwit_gpio *chip, unsigned offset, const char *consumer);

/* Makes an output of the held line, in one step with its first level: there is no moment at which
 * it has another one. Active or not is what the wiring makes of it. */
int godwit_gpio_drive(godwit_gpio *chip, const struct godwit_gpio_wiring *wiring, bool active);

/* Of a held line that is driven. */
int godwit_gpio_set(godwit_gpio *chip, bool active);

/* 0 or 1. Of a line that is only held its voltage, 1 being high; of a driven or a watched one whether
 * it is active. */
int godwit_gpio_get(godwit_gpio *chip);

/* Whether the library can ask the kernel to debounce a line: libgpiod 2 alone. */
bool godwit_gpio_debounces(void);

/* Takes a line as an input, whose edges wait in a queue of the kernel's from then on: 16 of them, and
 * what comes when it is full is lost. Rising is from inactive to active.
 *
 * With a period to debounce for, an edge counts when the level has stayed for that long: what is
 * shorter is not seen at all, and a line that never stays gives no edge. Where the chip cannot do it,
 * the kernel does, with an interrupt for every bounce (gpiolib-cdev.c, debounce_setup). 0: not at all;
 * the only one that libgpiod 1 knows. */
int godwit_gpio_watch(
    godwit_gpio *chip, unsigned offset, const char *consumer,
    const struct godwit_gpio_wiring *wiring, enum godwit_gpio_edges edges, unsigned debounce_us);

/* The watched line raises no interrupt any more and its descriptor is not to be used. With libgpiod 2
 * it stays an input of this process; libgpiod 1 cannot change a line's edges, so it is released. */
int godwit_gpio_rest(godwit_gpio *chip);

/* The line that rests is watched again; what came before does not count. With libgpiod 1 another
 * program may have taken it meanwhile: EBUSY. */
int godwit_gpio_listen(godwit_gpio *chip);

/* Of a watched line: ready while edges wait, or its chip is gone. */
int godwit_gpio_descriptor(const godwit_gpio *chip);

/* Takes edges of a watched line out of the queue, 16 at most, and never waits. Returns how many: 0
 * when there are none; ENODEV: the chip is gone. */
int godwit_gpio_take_edges(godwit_gpio *chip);

/* Gives the line back and frees. */
void godwit_gpio_close(godwit_gpio *chip);

#endif
