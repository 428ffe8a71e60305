/* SPDX-License-Identifier: MIT */
/* Prints where each bone of a clip is at a time: sample_clip CLIP SECONDS [SKELETON] */
#include <stdio.h>
#include <stdlib.h>

#include "example.h"

int main(int argc, char** argv) {
  if (argc < 3) return fprintf(stderr, "usage: sample_clip CLIP SECONDS [SKELETON]\n"), 2;
  const marrow_document clip_file = load_file(argv[1]);
  const marrow_document skeleton_file = argc > 3 ? load_file(argv[3]) : 0;

  marrow_clip_info clip;
  check(marrow_get_clip(clip_file, 0, &clip));
  const double last = clip.frame_count > 1 ? clip.frame_count - 1 : 0;
  const double frame = clip.duration_seconds > 0 ? atof(argv[2]) / clip.duration_seconds * last : 0;

  marrow_sampler sampler;
  check(marrow_open_sampler(clip_file, 0, skeleton_file, 0, NULL, &sampler));
  uint32_t count = clip.track_count;
  marrow_bone* bones = NULL;
  if (skeleton_file) {
    check(marrow_get_bones(skeleton_file, 0, NULL, 0, &count));
    bones = calloc(count, sizeof *bones);
    check(marrow_get_bones(skeleton_file, 0, bones, count, &count));
  }
  float* pose = calloc(count, 10 * sizeof *pose);
  if (skeleton_file)
    check(marrow_sample_pose(sampler, frame, MARROW_SPACE_MODEL, pose, count * 10));
  else
    check(marrow_sample(sampler, frame, pose, count * 10));

  for (uint32_t i = 0; i < count; ++i)
    printf("%s%u %.4f %.4f %.4f\n", bones ? bones[i].name.data : "track ", i, pose[i * 10], pose[i * 10 + 1],
           pose[i * 10 + 2]);
  free(pose);
  free(bones);
  marrow_release(sampler);
  marrow_release(clip_file);
  if (skeleton_file) marrow_release(skeleton_file);
  return 0;
}
