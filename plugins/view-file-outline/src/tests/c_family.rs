//! How the parts of declarations are written in C and C++, and which of the two a header is.

use super::{outline, text};

#[test]
fn c_types_macros_and_conditionals() {
    let source = r#"#include <stdio.h>
#define ONE 1
#define MAX(a, b) \
  ((a) > (b) ? (a) : (b))
typedef struct node {
  struct node *next; /* c */
  int (*call)(int);
} node_t;
enum color { RED, GREEN = 2 };
static const int table[] = {
  1, 2,
};
#ifdef X
int f(int a, char *b);
#else
int g(void) { return 1; }
#endif
extern int h(void) __attribute__((pure));
"#;
    let expected = r#"    1  #include <stdio.h>
    2  #define ONE 1
    3  #define MAX(a, b)
    5  typedef struct node {…} node_t;
    6    struct node *next;
    7    int (*call)(int);
    9  enum color
    9  RED
    9  GREEN = 2
   10  static const int table[] = …;
   14  int f(int a, char *b);
   16  int g(void)
   18  extern int h(void);
"#;
    assert_eq!(text("a.c", source), expected);
}

#[test]
fn cpp_classes_namespaces_and_templates() {
    let source = r#"#pragma once
namespace a::b {
template <typename T>
class C final : public D<T> {
 public:
  explicit C(int x) : x_(x) { hidden(); }
  ~C() override = default;
  [[nodiscard]] bool operator==(const C &other) const noexcept;
  static constexpr auto f = [](int x) { return x; };
 private:
  int x_ = 0;
};
using V = int;
enum class E : char { A };
template <> void g<int>(int);
}  // namespace
extern "C" {
int h(void);
}
int C::k() try { } catch (...) { }
"#;
    let expected = r#"    2  namespace a::b
    3  template <typename T>
       class C final : public D<T>
    6    explicit C(int x)
    7    ~C() override = default;
    8    bool operator==(const C &other) const noexcept;
    9    static constexpr auto f = [](int x) {};
   11    int x_ = 0;
   13  using V = int;
   14  enum class E : char
   14  A
   15  template <> void g<int>(int);
   17  extern "C"
   18  int h(void);
   20  int C::k()
"#;
    assert_eq!(text("a.cc", source), expected);
}

#[test]
fn a_header_is_c_unless_only_cpp_accepts_it() {
    let guarded = r#"#ifndef A_H
#define A_H
#ifdef __cplusplus
extern "C" {
#endif
int f(void);
#ifdef __cplusplus
}
#endif
#endif
"#;
    let c = outline("a.h", guarded).unwrap();
    assert_eq!(
        (c.language, c.text.as_str()),
        ("C", "    2  #define A_H\n    6  int f(void);\n")
    );
    let cpp = outline("a.h", "class A { public: int f(); };\n").unwrap();
    assert_eq!(
        (cpp.language, cpp.text.as_str()),
        ("C++", "    1  class A\n    1  int f();\n")
    );
    let as_cpp = text("a.hpp", guarded);
    assert_eq!(as_cpp, "    2  #define A_H\n    4  extern \"C\"\n    6  int f(void);\n");
}
