const RAW = Symbol("raw");

/** Code that stands in an object literal as it is: a name, for one. No JSON from an address can pretend to be it. */
export function raw(text) {
  return { [RAW]: text };
}

/**
 * What a person pastes into a page. Deferred scripts and modules run in the order in which they
 * stand, so the module below finds `Svc` there, and nothing holds up the page.
 */
export function pageCode({ api, agent }, { config = {}, style, body, script }) {
  const parts = [
    style && `<style>\n${indent(style)}\n</style>`,
    body,
    `<script>\n${indent(`window.SvcConfig ??= ${literal({ agentId: agent, ...config })};`)}\n</script>`,
    `<script\n  defer\n  id="svc-sdk"\n  src="${escapeHtml(api)}/sdk/sdk.js"\n></script>`,
    script && `<script type="module">\n${indent(script)}\n</script>`,
  ];
  return parts.filter(Boolean).join("\n");
}

/** A call with its argument, or with none where there is nothing to say. */
export function call(name, ...args) {
  const said = args.map((one) => literal(one)).filter((one) => one !== "{}");
  return `${name}(${said.join(", ")});`;
}

const MOST_COLUMNS = 40;

/** As a person writes it: short ones on one line. What is undefined or empty is left out. */
function literal(value) {
  if (value?.[RAW] !== undefined) return value[RAW];
  if (Array.isArray(value)) return `[${value.map((one) => literal(one)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return scalar(value);
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined && one !== "")
    .map(([key, one]) => member(/^[A-Za-z_$][\w$]*$/.test(key) ? key : scalar(key), literal(one)));
  if (members.length === 0) return "{}";
  const line = `{ ${members.join(", ")} }`;
  if (line.length <= MOST_COLUMNS && !line.includes("\n")) return line;
  return `{\n${indent(members.join(",\n"))},\n}`;
}

function member(key, value) {
  return key === value ? key : `${key}: ${value}`;
}

/** Inside a script element, which `</script>` would end. */
function scalar(value) {
  return JSON.stringify(value).replaceAll("<", String.raw`\u003c`);
}

export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function indent(text) {
  return text.replace(/^(?=.)/gm, "  ");
}
