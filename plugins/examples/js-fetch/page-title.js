// One tool, page_title: reads a page with the global `fetch`, which is wasi:http
// underneath, so it reaches the URL that the call was granted and no other.

/** Bytes of a page that are read in search of its title; a title stands near the top. */
const MOST_BYTES = 256 * 1024;

const definition = {
  name: "page_title",
  description: "Read the title of a web page.",
  inputSchema: JSON.stringify({
    type: "object",
    properties: { url: { type: "string", description: "The page, an http or https URL." } },
    required: ["url"],
    additionalProperties: false,
  }),
  outputSchema: JSON.stringify({
    type: "object",
    properties: {
      title: { type: "string", description: "The title; absent if the page has none." },
      status: { type: "integer", description: "The HTTP status of the answer." },
    },
    required: ["status"],
  }),
  class: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  accesses: [{ argument: "url", target: "url", operations: { read: true }, lenient: false }],
  aliases: [],
  survey: false,
  rules: [],
};

/** What `call` throws is the error of the WIT interface: a kind, and what would work. */
function failure(kind, message) {
  return { kind, message };
}

async function pageTitle(url) {
  try {
    const response = await fetch(url, { headers: { accept: "text/html" } });
    const title = titleIn(await head(response));
    return title === undefined ? { status: response.status } : { title, status: response.status };
  } catch (error) {
    throw failure("unavailable", `${url} cannot be read: ${error.message}`);
  }
}

/** The body as UTF-8, up to the end of its title or MOST_BYTES. */
async function head(response) {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes < MOST_BYTES && !/<\/title/i.test(text); ) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

/** The lengths are bounded, as a page full of tags that never end would be searched for each of them. */
function titleIn(html) {
  const found = /<title(?:\s[^>]{0,400})?>([^]{0,4000}?)<\/title/i.exec(html);
  return found ? unescaped(found[1]).replace(/\s+/g, " ").trim() : undefined;
}

const NAMED = new Map([["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"], ["nbsp", " "]]);

/** Decodes numeric character references and the named ones that markup needs; leaves others as they are. */
function unescaped(text) {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name) return NAMED.get(name) ?? whole;
    const code = decimal ? parseInt(decimal, 10) : parseInt(hexadecimal, 16);
    const surrogate = code >= 0xd800 && code <= 0xdfff;
    return code <= 0x10ffff && !surrogate ? String.fromCodePoint(code) : "\ufffd";
  });
}

export const tool = {
  definitions(_context) {
    return [definition];
  },

  async call(name, _arguments, grant) {
    if (name !== definition.name) throw failure("not-found", `this plugin has no tool named \`${name}\``);
    const granted = grant.urls.find(({ argument }) => argument === "url");
    if (!granted) throw failure("failed", "the host granted no URL for the argument `url`");
    return JSON.stringify(await pageTitle(granted.url));
  },
};
