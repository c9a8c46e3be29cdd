/** What a call is built on, and came last. Browsers of the last four years have it. */
export function supportsCalls(): boolean {
  try {
    return "showModal" in HTMLDialogElement.prototype && "adoptedStyleSheets" in document;
  } catch {
    return false;
  }
}
