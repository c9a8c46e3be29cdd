/** Tells whether the visitor has the page before them. Returns what ends it. */
export function watchVisibility(tell: (visible: boolean) => void): () => void {
  const look = (): void => tell(document.visibilityState === "visible");
  document.addEventListener("visibilitychange", look);
  // The server takes a new page for one that is seen.
  if (document.hidden) look();
  return () => document.removeEventListener("visibilitychange", look);
}
