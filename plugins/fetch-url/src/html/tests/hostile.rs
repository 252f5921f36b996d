//! Pages that are made to do harm.

use std::time::{Duration, Instant};

use super::{Style, URL, convert, page};

/// Pages made to exhaust a parser, each about a megabyte.
fn hostile() -> Vec<(&'static str, String)> {
    const SIZE: usize = 1 << 20;
    let repeated = |piece: &str| piece.repeat(SIZE / piece.len());
    let numbered = |piece: fn(usize) -> String| (0..SIZE / piece(0).len()).map(piece).collect::<String>();
    vec![
        ("nested blocks", repeated("<div>") + "x"),
        ("nested lists", repeated("<ul><li>") + "x"),
        ("nested quotes with text", repeated("<blockquote>x")),
        ("nested tables", repeated("<table><tr><th>x")),
        ("nested layout tables", repeated("<table><tr><td>x")),
        ("nested emphasis", repeated("<b><i>x")),
        ("nested drawings", repeated("<svg>")),
        ("nested templates", repeated("<template>") + "x"),
        ("links that are never closed", repeated("<a href=x>y")),
        ("alternating emphasis", repeated("<b>x</b><i>y</i>")),
        (
            "formatting for each paragraph",
            numbered(|n| format!("<b a={n:06}><p>")) + &repeated("<p>x"),
        ),
        ("end tags alone", repeated("</b></table></li></p>")),
        ("attributes", format!("<p {}>x", numbered(|n| format!("a{n:06}=b ")))),
        ("a huge attribute", format!("<a href='{}'>x</a>", repeated("y"))),
        ("a huge name", format!("<{}>x", repeated("y"))),
        ("one line", repeated("x")),
        ("one line of words", repeated("x ")),
        ("spaces", repeated(" ")),
        ("columns", format!("<table><tr>{}", repeated("<th colspan=1000>"))),
        (
            "a wide cell and many rows",
            format!("<table><tr><th>{}{}", repeated("x"), repeated("<tr><td>y")),
        ),
        ("a comment", format!("<!--{}", repeated("-!>-"))),
        ("tags that never end", repeated("<a b='")),
        ("ampersands", repeated("&")),
        ("references", repeated("&CounterClockwiseContourIntegral")),
        (
            "backticks",
            format!("<code>{}</code><pre>{}", repeated("`"), repeated("`")),
        ),
        ("line breaks", repeated("<br>")),
        ("less-than signs", repeated("<")),
        ("nuls", repeated("\0")),
    ]
}

#[test]
fn hostile_pages_need_neither_stack_nor_time() {
    let test = || {
        for (name, html) in hostile() {
            for style in [Style::Text, Style::Markdown] {
                for limit in [1 << 16, usize::MAX] {
                    let start = Instant::now();
                    let text = convert(&html, style, URL, false, limit).text;
                    assert!(
                        start.elapsed() < Duration::from_secs(5),
                        "{name}: {:?}",
                        start.elapsed()
                    );
                    assert!(text.len() < 80 << 20, "{name}: {}", text.len());
                    if !name.contains("backticks") {
                        assert!(!text.contains("\n\n\n"), "{name}");
                    }
                }
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(test);
    thread.unwrap().join().unwrap();
}

#[test]
fn any_cut_of_a_page_converts() {
    let html = "<base href=/é><title>t</title><h1>a<ul><li>b<ol><li>c</ol></ul><table><tr><td><th>d<pre>e</pre>\
        <tr><td>f</table><blockquote><pre class=lang-x>g<br></blockquote><a href=h><b><code>i</code><img src=j alt=k>\
        <svg><desc><p>l</desc></svg><script>m</script>&amp;&#x6e;<textarea>o</textarea><hr/>p<br>q";
    for at in 0..=html.len() {
        if let (Some(head), Some(tail)) = (html.get(..at), html.get(at..)) {
            for style in [Style::Text, Style::Markdown] {
                page(head, style);
                page(tail, style);
                page(&format!("{tail}{head}"), style);
            }
        }
    }
}
