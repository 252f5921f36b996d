//! How the parts of declarations are written, language by language.

use super::{outline, text};

#[test]
fn go_is_written_whole_without_bodies_and_comments() {
    let source = "// Copyright\n\npackage demo // MARK\n\nimport (\n\t\"fmt\"\n\n\tx \"os\" // MARK\n)\n\n// MARK\nvar F = func(in string) string {\n\treturn in + \"MARK\"\n}\n\ntype S[T any] struct {\n\t// MARK\n\tA   int `json:\"a\"` // MARK\n\n\tB   T\n}\n\nfunc (s *S[T]) M(a int, b ...string) (int, error) { return 0, nil }\n";
    let expected = "    3  package demo\n    5  import (\n       \t\"fmt\"\n       \tx \"os\"\n       )\n   12  var F = func(in string) string {}\n   16  type S[T any] struct {\n       \tA   int `json:\"a\"`\n       \tB   T\n       }\n   23  func (s *S[T]) M(a int, b ...string) (int, error)\n";
    assert_eq!(text("a.go", source), expected);
    assert_eq!(
        text("a.go", &format!("\u{feff}{}", source.replace('\n', "\r\n"))),
        expected
    );
}

#[test]
fn go_declarations_that_share_a_line() {
    let expected = "    1  package p\n    1  func A()\n    1  func B()\n";
    assert_eq!(text("a.go", "package p; func A(){}; func B(){}"), expected);
}

#[test]
fn rust_items_members_and_macros() {
    let source = "#![allow(x)]\nuse a::b;\n/// Doc.\n#[derive(Debug)]\npub(crate) struct A<T> {\n    /// Doc.\n    #[x]\n    pub a: T, // c\n}\nstruct B(#[x] u8, u8);\nunion U { a: u8, b: i8 }\nenum E {\n    One,\n    Two { a: u8 },\n    Three(u8) = 3,\n}\nunsafe impl<T> Send for A<T> {}\nimpl<T> A<T>\nwhere\n    T: Copy,\n{\n    const N: &str = r#\"x\n\"#;\n    pub async unsafe fn f(&self) -> T { fn inner() {} loop {} }\n}\nunsafe trait Tr: Send { type X: Copy; fn g(); fn h() { } }\nextern \"C\" fn c() {}\nunsafe extern \"C\" { fn d(a: *const u8); }\nmacro_rules! m { ($a:expr) => { fn hidden() {} } }\nthread_local! { static HIDDEN: u8 = 0; }\nstatic S: fn() -> u8 = || { 1 };\nmod inner {\n    pub type Alias = u8;\n}\n";
    let expected = "    2  use a::b;\n    5  pub(crate) struct A<T>\n    8      pub a: T\n   10  struct B(u8, u8);\n   11  union U\n   11  a: u8\n   11  b: i8\n   12  enum E\n   13      One\n   14      Two { a: u8 }\n   15      Three(u8) = 3\n   17  unsafe impl<T> Send for A<T>\n   18  impl<T> A<T>\n       where\n           T: Copy,\n   22      const N: &str = …;\n   24      pub async unsafe fn f(&self) -> T\n   26  unsafe trait Tr: Send\n   26  type X: Copy;\n   26  fn g();\n   26  fn h()\n   27  extern \"C\" fn c()\n   28  unsafe extern \"C\"\n   28  fn d(a: *const u8);\n   29  macro_rules! m\n   30  thread_local!\n   31  static S: fn() -> u8 = || {};\n   32  mod inner\n   33      pub type Alias = u8;\n";
    assert_eq!(text("a.rs", source), expected);
}

#[test]
fn python_nesting_decorators_and_conditional_definitions() {
    let source = "\"\"\"Doc.\"\"\"\nfrom a import (\n    b,  # c\n)\ntry:\n    import x\nexcept ImportError:\n    x = None\nx.y = 1\nTABLE = {\n    1: 2,\n}\n@decorator\nclass C(Base, metaclass=M):\n    \"\"\"Doc.\"\"\"\n    field: int = 1\n    @property\n    def method(self, a=1) -> str:\n        def hidden(): pass\n        local = 1\n    async def other(self): ...\ndef one(): return 1\nif __name__ == '__main__':\n    one()\n";
    let expected = "    2  from a import (\n           b,\n       )\n    6      import x\n    8      x = None\n   10  TABLE = …\n   14  class C(Base, metaclass=M):\n   16      field: int = 1\n   18      def method(self, a=1) -> str:\n   21      async def other(self):\n   22  def one():\n";
    assert_eq!(text("a.py", source), expected);
    assert_eq!(text("a.py", &source.replace('\n', "\r\n")), expected);
}

#[test]
fn javascript_functions_in_all_their_forms() {
    let source = "#!/usr/bin/env node\nimport a, { b } from 'c';\nexport default class A extends B {\n  #p = 1;\n  static async *gen(x) { yield 1; }\n  get v() { return 1; }\n  cb = (e) => { hidden(); };\n}\nexport const f = async (a) => a + 1, g = function* () { };\nmodule.exports.h = function (a) { const hidden = 1; };\nconst big = {\n  hidden() {},\n};\n(function () {\n  function inner(a) {}\n}).call(this);\ncall(function () { function hidden() {} });\nexport { f as default } from 'd';\n";
    let expected = "    2  import a, { b } from 'c';\n    3  export default class A extends B\n    4    #p = 1\n    5    static async *gen(x)\n    6    get v()\n    7    cb = (e) => {}\n    9  export const f = async (a) => {}, g = function* () {};\n   10  module.exports.h = function (a) {}\n   11  const big = …;\n   15    function inner(a)\n   18  export { f as default } from 'd';\n";
    assert_eq!(text("a.mjs", source), expected);
    assert_eq!(
        text("a.jsx", "const A = () => <p>{x}</p>;\n"),
        "    1  const A = () => {};\n"
    );
}

#[test]
fn typescript_types_and_members() {
    let source = "'use strict';\nimport type { A } from 'a';\n@dec()\nexport abstract class C<T> implements I {\n  private readonly a?: T = undefined;\n  constructor(private b: string) { super(); }\n  abstract m(): void;\n  @dec() n<U>(x: U): U { return x; }\n}\nexport interface I { a: string; (x: number): void; [k: string]: unknown }\nexport type T = {\n  a: string; // c\n};\nexport enum E { A, 'b-c', D = 1 }\ndeclare module 'm' {\n  export function f(a: number): string;\n}\nnamespace N.M {\n  export const x = <T,>(a: T): T => { return a; };\n}\ndeclare global {\n  var y: number;\n}\n";
    let expected = "    2  import type { A } from 'a';\n    4  export abstract class C<T> implements I\n    5    private readonly a?: T = undefined\n    6    constructor(private b: string)\n    7    abstract m(): void\n    8    n<U>(x: U): U\n   10  export interface I\n   10  a: string\n   10  (x: number): void\n   10  [k: string]: unknown\n   11  export type T = {\n         a: string;\n       };\n   14  export enum E\n   14  A\n   14  'b-c'\n   14  D = 1\n   15  declare module 'm'\n   16    export function f(a: number): string;\n   18  namespace N.M\n   19    export const x = <T,>(a: T): T => {};\n   21  declare global\n   22    var y: number;\n";
    assert_eq!(text("a.ts", source), expected);
    assert_eq!(text("a.tsx", source), expected);
    assert_eq!(text("a.ts", "const a = <T>b;\n"), "    1  const a = <T>b;\n");
}

#[test]
fn java_members_without_annotations_and_bodies() {
    let source = "package a.b;\nimport static c.D.*;\n/** Doc. */\n@Deprecated\npublic final class A<T extends B> extends C implements D {\n  @Nullable String a, b = \"x\";\n  static { hidden(); }\n  private static final Runnable R = new Runnable() {\n    public void hidden() {}\n  };\n  @Override\n  public <U> U m(@Nonnull final U u, int... rest) throws E { return u; }\n  A() {}\n  enum K { X(1) { void k() {} }, Y; int z() { return 1; } }\n  record P(int x, int y) { P { } }\n  @interface N { int value() default 1; }\n  interface I { void f(); default void g() { } }\n}\n";
    let expected = "    1  package a.b;\n    2  import static c.D.*;\n    5  public final class A<T extends B> extends C implements D\n    6    String a, b = \"x\";\n    8    private static final Runnable R = new Runnable() {};\n   12    public <U> U m(final U u, int... rest) throws E\n   13    A()\n   14    enum K\n   14  X(1)\n   14  void k()\n   14  Y\n   14  int z()\n   15    record P(int x, int y)\n   15  P\n   16    @interface N\n   16  int value() default 1;\n   17    interface I\n   17  void f();\n   17  default void g()\n";
    assert_eq!(text("A.java", source), expected);
}

#[test]
fn c_types_macros_and_conditionals() {
    let source = "#include <stdio.h>\n#define ONE 1\n#define MAX(a, b) \\\n  ((a) > (b) ? (a) : (b))\ntypedef struct node {\n  struct node *next; /* c */\n  int (*call)(int);\n} node_t;\nenum color { RED, GREEN = 2 };\nstatic const int table[] = {\n  1, 2,\n};\n#ifdef X\nint f(int a, char *b);\n#else\nint g(void) { return 1; }\n#endif\nextern int h(void) __attribute__((pure));\n";
    let expected = "    1  #include <stdio.h>\n    2  #define ONE 1\n    3  #define MAX(a, b)\n    5  typedef struct node {…} node_t;\n    6    struct node *next;\n    7    int (*call)(int);\n    9  enum color\n    9  RED\n    9  GREEN = 2\n   10  static const int table[] = …;\n   14  int f(int a, char *b);\n   16  int g(void)\n   18  extern int h(void);\n";
    assert_eq!(text("a.c", source), expected);
}

#[test]
fn cpp_classes_namespaces_and_templates() {
    let source = "#pragma once\nnamespace a::b {\ntemplate <typename T>\nclass C final : public D<T> {\n public:\n  explicit C(int x) : x_(x) { hidden(); }\n  ~C() override = default;\n  [[nodiscard]] bool operator==(const C &other) const noexcept;\n  static constexpr auto f = [](int x) { return x; };\n private:\n  int x_ = 0;\n};\nusing V = int;\nenum class E : char { A };\ntemplate <> void g<int>(int);\n}  // namespace\nextern \"C\" {\nint h(void);\n}\nint C::k() try { } catch (...) { }\n";
    let expected = "    2  namespace a::b\n    3  template <typename T>\n       class C final : public D<T>\n    6    explicit C(int x)\n    7    ~C() override = default;\n    8    bool operator==(const C &other) const noexcept;\n    9    static constexpr auto f = [](int x) {};\n   11    int x_ = 0;\n   13  using V = int;\n   14  enum class E : char\n   14  A\n   15  template <> void g<int>(int);\n   17  extern \"C\"\n   18  int h(void);\n   20  int C::k()\n";
    assert_eq!(text("a.cc", source), expected);
}

#[test]
fn a_header_is_c_unless_only_cpp_accepts_it() {
    let guarded = "#ifndef A_H\n#define A_H\n#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
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

#[test]
fn an_empty_file_declares_nothing() {
    for name in ["a.py", "a.rs", "a.js", "a.ts", "a.java", "a.c", "a.cpp"] {
        assert_eq!(text(name, ""), "", "{name}");
    }
}

#[test]
fn extensions_count_in_either_case_and_also_alone() {
    assert_eq!(outline("/w/X.PY", "").unwrap().language, "Python");
    assert_eq!(outline("/w/.bash", "f() {\n}\n").unwrap().language, "Shell");
    let ruby = outline("/w/a.rb", "def a\nend\n").unwrap();
    assert_eq!((ruby.analysis, ruby.text.as_str()), ("heuristic", "    1  def a\n"));
    assert!(ruby.note.unwrap().contains("not a parse"));
}
