/* What the grammars of view_file_outline need of <string.h>, as wasm32-unknown-unknown has no C library.
 * Provided by the tree-sitter crate. */
#ifndef TOOLGATE_STRING_H
#define TOOLGATE_STRING_H
#include <stddef.h>
int memcmp(const void *left, const void *right, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *memory, int byte, size_t size);
int strcmp(const char *left, const char *right);
size_t strlen(const char *text);
int strncmp(const char *left, const char *right, size_t size);
#endif
