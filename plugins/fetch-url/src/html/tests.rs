//! Conversions from their beginning to their end.

mod hostile;

use super::{Page, Style, convert};

const URL: &str = "https://h.example/a/b";

fn page(html: &str, style: Style) -> Page {
    convert(html, style, URL, false, usize::MAX)
}

fn check(style: Style, cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        assert_eq!(page(html, style).text, *expected, "{html}");
    }
}

#[test]
fn blocks_to_markdown() {
    check(
        Style::Markdown,
        &[
            ("", ""),
            ("plain\n\t text", "plain text"),
            ("<p>a<p>b</p>\n\n\n<p></p><div>c</div>d", "a\n\nb\n\nc\n\nd"),
            (
                "<h1>A</h1><h2>B <b>c</b></h2>x<h6> C </h6>",
                "# A\n\n## B **c**\n\nx\n\n###### C",
            ),
            ("<h1>a<br>b<h2>c</h2>", "# a b\n\n## c"),
            ("<h3></h3>x", "x"),
            ("a<br>b<br/>c<br><br>d", "a  \nb  \nc\n\nd"),
            ("a<hr>b", "a\n\n---\n\nb"),
            ("<blockquote>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
            ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
            ("<dl><dt>t<dd>d<dt>u<dd>e</dl>", "t\nd\nu\ne"),
            ("<p>&nbsp;</p><p>a&nbsp;b &amp; &lt;i></p>", "a b & \\<i>"),
            ("<select><option>a<option>b</select>c", "a\nb\n\nc"),
        ],
    );
}

#[test]
fn lists_to_markdown() {
    check(
        Style::Markdown,
        &[
            ("a<ul><li>b<li>c</ul>d", "a\n\n- b\n- c\n\nd"),
            ("<ol start=9><li>a</li>\n<li>b</li></ol>", "9. a\n10. b"),
            ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
            ("<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", "- a\n\n  b\n- c"),
            (
                "<ol><li>a<pre>x\n\n y</pre></ol>",
                "1. a\n\n   ```\n   x\n\n    y\n   ```",
            ),
            ("<ul><li></li><li>a</ul>", "- a"),
            ("<li>a<li>b", "- a\n- b"),
            ("<ul><li><ul><li>a</ul></ul>", "- - a"),
            ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
            ("</ul></li>a", "a"),
        ],
    );
}

#[test]
fn inline_to_markdown() {
    check(
        Style::Markdown,
        &[
            ("a <b> b </b>c <i>d</i><em>e</em>.", "a **b** c *de*."),
            ("<b><i>a</b>b</i>c", "***a****b*c"),
            ("<b>a<p>b</b>c", "**a**\n\n**b**c"),
            ("<b></b><i> </i>a", "a"),
            ("<b>a</b><strong>b</strong>", "**ab**"),
            ("<i>x</i><sup>2</sup> <b>y<sup>3</sup></b>", "*x*^2 **y^3**"),
            ("<del>a</del> <q>b</q>", "~~a~~ “b”"),
            ("a<code>b  c</code>d", "a`b c`d"),
            ("<code>a</code> <code>b`</code>", "`a` `` b` ``"),
            ("<code>a</code><code>b*</code>", "`ab*`"),
            (
                "<code><a href=x>a</a>::<b>b</b></code>",
                "[`a`](https://h.example/a/x)`::b`",
            ),
            ("a_b *c* [d] `e`", "a_b \\*c\\* \\[d\\] \\`e\\`"),
            ("<p># a<p>1. b<p>- c", "\\# a\n\n1\\. b\n\n\\- c"),
            ("<span>a</span><span>b</span> <u>c</u>", "ab c"),
        ],
    );
}

#[test]
fn links_and_images_to_markdown() {
    check(
        Style::Markdown,
        &[
            ("<a href=c>x</a>", "[x](https://h.example/a/c)"),
            (
                "<a href='//o.example/?a=1&amp;b=2'> x y </a>z",
                "[x y](https://o.example/?a=1&b=2) z",
            ),
            (
                "<base href=/n/><base href=/m/><a href=c>x</a>",
                "[x](https://h.example/n/c)",
            ),
            ("<a href='javascript:x()'>a</a><a href='data:text/html,x'>b</a>", "ab"),
            ("<a name=x>a</a>", "a"),
            ("<a href=x></a>b", "b"),
            (
                "<a href=1>a<a href=2>b</a>",
                "[a](https://h.example/a/1)[b](https://h.example/a/2)",
            ),
            (
                "<b><a href=1>a</b>b</a>",
                "**[a](https://h.example/a/1)**[b](https://h.example/a/1)",
            ),
            ("<a href=1><h3>a</h3><p>b</a>c", "### [a](https://h.example/a/1)\n\nbc"),
            ("a!<a href=1>b</a>", "a\\![b](https://h.example/a/1)"),
            ("<a href='x(y)'>a</a>", "[a](<https://h.example/a/x(y)>)"),
            ("<img src=i.png alt='a [b]'>", "![a \\[b\\]](https://h.example/a/i.png)"),
            (
                "<a href=x><img src=i alt=a></a>",
                "[![a](https://h.example/a/i)](https://h.example/a/x)",
            ),
            ("<img src=data:x alt=a><img alt=b><img src=data:y>", "a b"),
            ("<img src=i>", "![](https://h.example/a/i)"),
        ],
    );
}

#[test]
fn preformatted_text_keeps_its_space() {
    check(
        Style::Markdown,
        &[
            ("<pre>\n a\n\tb *c* </pre>d", "```\n a\n\tb *c*\n```\n\nd"),
            (
                "<pre><code class='x language-rust'>fn <b>a</b>()</code></pre>",
                "```rust\nfn a()\n```",
            ),
            ("<pre class='lang-c++ y'>a<br>b</pre>", "```c++\na\nb\n```"),
            ("<pre class='language-a`b'>```</pre>", "````\n```\n````"),
            ("<pre>&lt;p&gt;\u{1b}[0m</pre>", "```\n<p>\u{1b}[0m\n```"),
            ("<pre><div>a</div><div>b</div></pre>", "```\na\nb\n```"),
            ("<pre> \n</pre>a", "a"),
            ("<xmp><b>a</b></xmp>", "```\n<b>a</b>\n```"),
            ("a<pre>b", "a\n\n```\nb\n```"),
        ],
    );
    check(
        Style::Text,
        &[
            ("a<pre>\n  x\n\n   y</pre>b", "a\n\n  x\n\n   y\n\nb"),
            ("<pre>`*`</pre>", "`*`"),
        ],
    );
}

#[test]
fn tables_to_markdown() {
    check(
        Style::Markdown,
        &[
            (
                "a<table><tr><th>A<th>B<tr><td>1<td>x|<code>y|</code></table>b",
                "a\n\n| A | B |\n| --- | --- |\n| 1 | x\\|`y\\|` |\n\nb",
            ),
            (
                "<table><thead><tr><td>A</td><td> </td></tr></thead><tbody><tr><td><p>1</p><p>2</p><td><ul><li>x<li>y</ul></table>",
                "| A | |\n| --- | --- |\n| 1 2 | x y |",
            ),
            (
                "<table><tr><td></td><th>B</th></tr><tr><th>r</th><td>1</td></tr></table>",
                "| | B |\n| --- | --- |\n| r | 1 |",
            ),
            (
                "<table><tr><th colspan=2>A<tr><td>1<td><b>2</table>3",
                "| A | |\n| --- | --- |\n| 1 | **2** |\n\n3",
            ),
            ("<table><tr><td>a<td>b<tr><td><td>c</table>", "a | b\nc"),
            (
                "<table><tr><td>1<td><div></div><td><p>x</p><tr><td>y<td></td></table>z",
                "1 | x\n\ny\n\nz",
            ),
            ("<table><tr><td>1<td><ul><li>x</ul><td>y</table>", "1\n\n- x\n\ny"),
            (
                "<table><tr><td>a<table><tr><th>b</table>c<td>d</table>e",
                "a\n\n| b |\n| --- |\n\nc | d\n\ne",
            ),
            (
                "<table><tr><th>a<table><tr><td>b<td>c</table>d<td><pre>x\ny</pre></table>",
                "| a b c d | `x y` |\n| --- | --- |",
            ),
            (
                "<ul><li><table><tr><th>a<tr><td>b</table></ul>",
                "- | a |\n  | --- |\n  | b |",
            ),
            ("<table><caption>c<tr><th>a</table>", "c\n\n| a |\n| --- |"),
            ("<table><tr><th>a", "| a |\n| --- |"),
            ("<td>a<td>b</tr>c", "a\nbc"),
        ],
    );
}

#[test]
fn html_to_text() {
    check(
        Style::Text,
        &[
            ("<h1>A *b*</h1><p>c <b>d</b>\n<a href=x>e_f</a>", "A *b*\n\nc d e_f"),
            ("<div>a</div><div>b</div><p>c</p>", "a\nb\n\nc"),
            ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "a\nb\nc\n\nd"),
            ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a\tb\n1\t2"),
            ("a<br>b<br><br>c", "a\nb\n\nc"),
            ("a<hr>b<blockquote>c</blockquote>", "a\n\nb\n\nc"),
            ("<img src=x alt='a b'>c", "a b c"),
            (
                "10<sup>-6</sup> a<sup>b</sup>c<sup>[1]</sup> d <sup>2</sup><sup></sup>e",
                "10^-6 a^bc[1] d 2e",
            ),
            ("<table><tr><td>a<td><sup>1</sup></table>", "a\t1"),
            ("<code>a|b</code> &lt;x>", "a|b <x>"),
            ("\u{1b}[31ma\u{7}", "\u{1b}[31ma\u{7}"),
        ],
    );
}

#[test]
fn what_is_not_to_be_read_is_dropped() {
    let cases = [
        "a<script>x('</p>')</script>b",
        "a<style>p{}</style>b",
        "a<noscript><p>x</noscript>b",
        "a<template>x<template>y</template>z</template>b",
        "a<svg><title>x</title><style>y</style><text>z</text></svg>b",
        "a<svg/>b",
        "a<svg><foreignObject><div>x<svg>y</svg></div></foreignObject></svg>b",
        "a<svg><path><b></b></svg>b",
        "a<iframe src=x><p>y</iframe>b",
        "a<!-- x -->b",
        "<head><title>x</title><meta content=y><link href=z></head>ab",
        "a<noframes>x</noframes><noembed>y</noembed>b",
    ];
    for html in cases {
        for style in [Style::Text, Style::Markdown] {
            assert_eq!(page(html, style).text, "ab", "{html}");
        }
    }
}

#[test]
fn an_empty_element_is_one_only_in_xml() {
    let html = "<script src='x'/>a<p/><title/>b";
    assert_eq!(convert(html, Style::Text, URL, true, usize::MAX).text, "a\n\nb");
    assert_eq!(convert(html, Style::Text, URL, false, usize::MAX).text, "");
}

#[test]
fn the_first_title_is_the_title() {
    let title = |html| page(html, Style::Text).title;
    assert_eq!(
        title("<title>\n A &amp; <b> </title><title>C</title>").as_deref(),
        Some("A & <b>")
    );
    assert_eq!(title("<svg><title>x</title></svg><p>y"), None);
    assert_eq!(title("<title> </title>"), None);
    let long = title(&format!("<title>{}</title>", "é".repeat(400)));
    assert_eq!(long.map(|title| title.len()), Some(512));
}

#[test]
fn conversion_stops_soon_after_the_limit() {
    let html = "<p>word ".repeat(100_000);
    let text = convert(&html, Style::Markdown, URL, false, 1000).text;
    assert!((1000..1100).contains(&text.len()), "{}", text.len());
    let base = format!("<base href='/{}/'>", "x".repeat(8000));
    let text = convert(
        &(base + &"<a href=y>z</a>".repeat(100_000)),
        Style::Markdown,
        URL,
        false,
        1000,
    )
    .text;
    assert!(text.len() < 20_000, "{}", text.len());
}
