/* What the grammars of view_file_outline need of <assert.h>, as wasm32-unknown-unknown has no C library.
 * A failed assertion ends the call. */
#ifndef TOOLGATE_ASSERT_H
#define TOOLGATE_ASSERT_H
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#define static_assert _Static_assert
#endif
