import { element } from "./element.js";

const KINDS = [
  ["comment", /(?<=^|\s)(?:\/\/|#)\s.*/],
  ["text", /"(?:[^"\\\n]|\\.)*"|`[^`]*`/],
  ["tag", /<\/?[a-z][\w-]*|(?<!=)>/],
  ["word", /\b(?:const|await|async|if|for|of|return|function|new|window|document)\b/],
  ["name", /\bSvc\b(?:\.\w+)*|(?<=^\s*|[{,]\s)[\w-]+(?=:(?:\s|$))/],
].map(([kind, pattern]) => [kind, pattern.source]);
const ANY = new RegExp(KINDS.map(([kind, source]) => `(?<${kind}>${source})`).join("|"), "gm");

/** Code with a little colour: enough to find one's way, no grammar. */
export function highlight(code) {
  const parts = [];
  let at = 0;
  for (const match of code.matchAll(ANY)) {
    const [kind] = Object.entries(match.groups).find(([, text]) => text !== undefined);
    parts.push(code.slice(at, match.index), element("span", { className: `is-${kind}` }, match[0]));
    at = match.index + match[0].length;
  }
  return element("code", {}, ...parts, code.slice(at));
}
