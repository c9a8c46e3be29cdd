const told = new Set<string>();

/** Explains a mistake of the page in its console, once. */
export function hint(text: string): void {
  if (told.has(text)) return;
  told.add(text);
  console.warn(`[Svc] ${text}`);
}
