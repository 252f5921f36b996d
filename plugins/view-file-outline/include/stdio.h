/* What the grammars of view_file_outline need of <stdio.h>, as wasm32-unknown-unknown has no C library.
 * Included by scanners that print nothing. */
#ifndef TOOLGATE_STDIO_H
#define TOOLGATE_STDIO_H
#endif
