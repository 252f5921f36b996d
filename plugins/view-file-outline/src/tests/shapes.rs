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
    let expected = r#"    1  package p
    1  func A()
    1  func B()
"#;
    assert_eq!(text("a.go", "package p; func A(){}; func B(){}"), expected);
}

#[test]
fn rust_items_members_and_macros() {
    let source = r##"#![allow(x)]
use a::b;
/// Doc.
#[derive(Debug)]
pub(crate) struct A<T> {
    /// Doc.
    #[x]
    pub a: T, // c
}
struct B(#[x] u8, u8);
union U { a: u8, b: i8 }
enum E {
    One,
    Two { a: u8 },
    Three(u8) = 3,
}
unsafe impl<T> Send for A<T> {}
impl<T> A<T>
where
    T: Copy,
{
    const N: &str = r#"x
"#;
    pub async unsafe fn f(&self) -> T { fn inner() {} loop {} }
}
unsafe trait Tr: Send { type X: Copy; fn g(); fn h() { } }
extern "C" fn c() {}
unsafe extern "C" { fn d(a: *const u8); }
macro_rules! m { ($a:expr) => { fn hidden() {} } }
thread_local! { static HIDDEN: u8 = 0; }
static S: fn() -> u8 = || { 1 };
mod inner {
    pub type Alias = u8;
}
"##;
    let expected = r#"    2  use a::b;
    5  pub(crate) struct A<T>
    8      pub a: T
   10  struct B(u8, u8);
   11  union U
   11  a: u8
   11  b: i8
   12  enum E
   13      One
   14      Two { a: u8 }
   15      Three(u8) = 3
   17  unsafe impl<T> Send for A<T>
   18  impl<T> A<T>
       where
           T: Copy,
   22      const N: &str = …;
   24      pub async unsafe fn f(&self) -> T
   26  unsafe trait Tr: Send
   26  type X: Copy;
   26  fn g();
   26  fn h()
   27  extern "C" fn c()
   28  unsafe extern "C"
   28  fn d(a: *const u8);
   29  macro_rules! m
   30  thread_local!
   31  static S: fn() -> u8 = || {};
   32  mod inner
   33      pub type Alias = u8;
"#;
    assert_eq!(text("a.rs", source), expected);
}

#[test]
fn python_nesting_decorators_and_conditional_definitions() {
    let source = r#""""Doc."""
from a import (
    b,  # c
)
try:
    import x
except ImportError:
    x = None
x.y = 1
TABLE = {
    1: 2,
}
@decorator
class C(Base, metaclass=M):
    """Doc."""
    field: int = 1
    @property
    def method(self, a=1) -> str:
        def hidden(): pass
        local = 1
    async def other(self): ...
def one(): return 1
if __name__ == '__main__':
    one()
"#;
    let expected = r#"    2  from a import (
           b,
       )
    6      import x
    8      x = None
   10  TABLE = …
   14  class C(Base, metaclass=M):
   16      field: int = 1
   18      def method(self, a=1) -> str:
   21      async def other(self):
   22  def one():
"#;
    assert_eq!(text("a.py", source), expected);
    assert_eq!(text("a.py", &source.replace('\n', "\r\n")), expected);
}

#[test]
fn javascript_functions_in_all_their_forms() {
    let source = r#"#!/usr/bin/env node
import a, { b } from 'c';
export default class A extends B {
  #p = 1;
  static async *gen(x) { yield 1; }
  get v() { return 1; }
  cb = (e) => { hidden(); };
}
export const f = async (a) => a + 1, g = function* () { };
module.exports.h = function (a) { const hidden = 1; };
const big = {
  hidden() {},
};
(function () {
  function inner(a) {}
}).call(this);
call(function () { function hidden() {} });
export { f as default } from 'd';
"#;
    let expected = r#"    2  import a, { b } from 'c';
    3  export default class A extends B
    4    #p = 1
    5    static async *gen(x)
    6    get v()
    7    cb = (e) => {}
    9  export const f = async (a) => {}, g = function* () {};
   10  module.exports.h = function (a) {}
   11  const big = …;
   15    function inner(a)
   18  export { f as default } from 'd';
"#;
    assert_eq!(text("a.mjs", source), expected);
    assert_eq!(
        text("a.jsx", "const A = () => <p>{x}</p>;\n"),
        "    1  const A = () => {};\n"
    );
}

#[test]
fn typescript_types_and_members() {
    let source = r#"'use strict';
import type { A } from 'a';
@dec()
export abstract class C<T> implements I {
  private readonly a?: T = undefined;
  constructor(private b: string) { super(); }
  abstract m(): void;
  @dec() n<U>(x: U): U { return x; }
}
export interface I { a: string; (x: number): void; [k: string]: unknown }
export type T = {
  a: string; // c
};
export enum E { A, 'b-c', D = 1 }
declare module 'm' {
  export function f(a: number): string;
}
namespace N.M {
  export const x = <T,>(a: T): T => { return a; };
}
declare global {
  var y: number;
}
"#;
    let expected = r#"    2  import type { A } from 'a';
    4  export abstract class C<T> implements I
    5    private readonly a?: T = undefined
    6    constructor(private b: string)
    7    abstract m(): void
    8    n<U>(x: U): U
   10  export interface I
   10  a: string
   10  (x: number): void
   10  [k: string]: unknown
   11  export type T = {
         a: string;
       };
   14  export enum E
   14  A
   14  'b-c'
   14  D = 1
   15  declare module 'm'
   16    export function f(a: number): string;
   18  namespace N.M
   19    export const x = <T,>(a: T): T => {};
   21  declare global
   22    var y: number;
"#;
    assert_eq!(text("a.ts", source), expected);
    assert_eq!(text("a.tsx", source), expected);
    assert_eq!(text("a.ts", "const a = <T>b;\n"), "    1  const a = <T>b;\n");
}

#[test]
fn java_members_without_annotations_and_bodies() {
    let source = r#"package a.b;
import static c.D.*;
/** Doc. */
@Deprecated
public final class A<T extends B> extends C implements D {
  @Nullable String a, b = "x";
  static { hidden(); }
  private static final Runnable R = new Runnable() {
    public void hidden() {}
  };
  @Override
  public <U> U m(@Nonnull final U u, int... rest) throws E { return u; }
  A() {}
  enum K { X(1) { void k() {} }, Y; int z() { return 1; } }
  record P(int x, int y) { P { } }
  @interface N { int value() default 1; }
  interface I { void f(); default void g() { } }
}
"#;
    let expected = r#"    1  package a.b;
    2  import static c.D.*;
    5  public final class A<T extends B> extends C implements D
    6    String a, b = "x";
    8    private static final Runnable R = new Runnable() {};
   12    public <U> U m(final U u, int... rest) throws E
   13    A()
   14    enum K
   14  X(1)
   14  void k()
   14  Y
   14  int z()
   15    record P(int x, int y)
   15  P
   16    @interface N
   16  int value() default 1;
   17    interface I
   17  void f();
   17  default void g()
"#;
    assert_eq!(text("A.java", source), expected);
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
