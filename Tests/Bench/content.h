/* How much of the content is in a picture: the share of the content's own pixels, those that are no background, which
 * are the same as they were when it was there for certain. */
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct content {
  int width, height;
  uint32_t *pixels; /* as it was, top to bottom, no padding */
  uint32_t background;
};

/* The colour that most pixels have. */
static uint32_t background_of(const uint32_t *pixels, int count) {
  uint32_t found = pixels[0];
  int lead = 0;
  for (int i = 0; i < count; i++) {
    if (lead == 0) found = pixels[i];
    lead += pixels[i] == found ? 1 : -1;
  }
  return found;
}

/* Between 0 and 1; negative where the reference itself shows nothing. */
static double share_of_content(const struct content *was, const uint32_t *pixels) {
  int own = 0, same = 0;
  for (int i = 0; i < was->width * was->height; i++) {
    if (was->pixels[i] == was->background) continue;
    own++;
    same += pixels[i] == was->pixels[i];
  }
  return own == 0 ? -1 : (double)same / own;
}

static void keep_content(struct content *was, const uint32_t *pixels) {
  size_t size = (size_t)was->width * (size_t)was->height * sizeof *pixels;
  was->pixels = malloc(size);
  if (was->pixels == NULL) exit(1);
  memcpy(was->pixels, pixels, size);
  was->background = background_of(pixels, was->width * was->height);
}

/* One line for each frame that was drawn where the content was: when, and how much of it was there. */
static void report_frame(const struct content *was, const uint32_t *pixels, double drawn) {
  printf("frame %.3f %.4f\n", drawn, share_of_content(was, pixels));
  fflush(stdout);
}
