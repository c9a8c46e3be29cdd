/** What `Page.run` evaluates in the page. The arguments are part of it, so that nothing a hostile page has patched touches them. */
export function callInPage(
  code: string | ((...args: never[]) => unknown),
  args: unknown[],
): string {
  const source = typeof code === "string" ? `(a, b, c) => { ${code} }` : code.toString();
  const list = args.map((arg) => (arg === undefined ? "undefined" : JSON.stringify(arg)));
  return `(${source})(${list.join(", ")})`;
}
