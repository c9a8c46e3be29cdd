/** What a call is built on. Browsers of the last four years have it all. */
export function supportsCalls(): boolean {
  try {
    return (
      "showModal" in HTMLDialogElement.prototype &&
      "adoptedStyleSheets" in document &&
      typeof WebSocket === "function" &&
      typeof crypto.getRandomValues === "function"
    );
  } catch {
    return false;
  }
}
