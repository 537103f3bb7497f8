/*
 * report_profile.h - what a page shows of a machine's profile: a file of `tamis model calibrate`.
 *
 * The page shows every name that the file has, whatever version of tamis wrote it; so it is read as what it is, JSON.
 */
#ifndef TAMIS_CLI_REPORT_PROFILE_H
#define TAMIS_CLI_REPORT_PROFILE_H

#include <stdio.h>

#include <jansson.h>

/*
 * report_profile_read() - a file of profiles, plain or compressed.
 *   out [out] released with json_decref()
 * Returns CLI_OK; otherwise the exit code, having said why: CLI_USAGE for a file that is none, or damaged.
 */
int report_profile_read(const char *command, const char *path, json_t **out);

/* Its machine's name: the GPU, or the CPU where there is none. "" where it has neither. */
const char *report_profile_device(const json_t *profile);

/* The machine and the values, as tables. */
void report_profile_machine(const json_t *profile, FILE *to);
void report_profile_values(const json_t *profile, FILE *to);

/* The curves, drawn. Returns CLI_OK; otherwise the exit code, having said why. */
int report_profile_curves(const char *command, const json_t *profile, FILE *to);

#endif
