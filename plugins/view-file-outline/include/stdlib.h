/* What the grammars of view_file_outline need of <stdlib.h>, as wasm32-unknown-unknown has no C library.
 * Provided by the tree-sitter crate, on the allocator of the plugin. */
#ifndef TOOLGATE_STDLIB_H
#define TOOLGATE_STDLIB_H
#include <stddef.h>
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
#endif
