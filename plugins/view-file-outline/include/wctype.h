/* What the grammars of view_file_outline need of <wctype.h>, as wasm32-unknown-unknown has no C library.
 * Provided by the tree-sitter crate. */
#ifndef TOOLGATE_WCTYPE_H
#define TOOLGATE_WCTYPE_H
typedef unsigned int wint_t;
int iswalnum(wint_t character);
int iswalpha(wint_t character);
int iswblank(wint_t character);
int iswdigit(wint_t character);
int iswlower(wint_t character);
int iswspace(wint_t character);
int iswupper(wint_t character);
int iswxdigit(wint_t character);
wint_t towlower(wint_t character);
wint_t towupper(wint_t character);
#endif
