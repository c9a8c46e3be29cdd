/**
 * The first element of a selector that can be seen. `>>>` leads into the shadow roots of what stands before it.
 * Undefined also for what is no selector in this browser.
 */
export function findPlace(selector: string): Element | undefined {
  try {
    let roots: ParentNode[] = [document];
    let found: Element[] = [];
    for (const step of selector.split(">>>")) {
      found = roots.flatMap((root) => [...root.querySelectorAll(step)]);
      roots = found.flatMap(({ shadowRoot }) => shadowRoot ?? []);
    }
    return found.find(isSeen);
  } catch {
    return undefined;
  }
}

export function isSeen(one: Element): boolean {
  const { width, height } = one.getBoundingClientRect();
  if (!one.isConnected || !width || !height) return false;
  // Browsers of before 2024 know nothing better.
  return one.checkVisibility?.({ visibilityProperty: true }) ?? true;
}
