/** Like every movement of the call: it shows where something has gone, and is over before anybody waits for it. */
const TIMING = { duration: 220, easing: "cubic-bezier(.2,.8,.2,1)" };

/** Visitors who want no motion see every change at once. */
function isCalm(): boolean {
  return matchMedia("(prefers-reduced-motion)").matches;
}

export function boxOf(element: Element | null | undefined): DOMRect | undefined {
  return element?.getBoundingClientRect();
}

/**
 * Draws an element where it stood, and lets it come to where it is. Its place in the layout changes at once, so that
 * nothing else moves in every frame.
 *
 * @param part Scales this part of the element, or all of it. Without it text keeps its size, and only moves.
 */
export function comeFrom(
  element: Element | null | undefined,
  from: DOMRect | undefined,
  part?: "::before" | "all",
): void {
  const to = boxOf(element);
  if (!from?.width || !to?.width || isCalm()) return;
  const [x, y] = part
    ? [from.x - to.x + (from.width - to.width) / 2, from.y - to.y + (from.height - to.height) / 2]
    : [from.x - to.x, from.y - to.y];
  if (!part && !y) return;
  const scale = part ? ` scale(${from.width / to.width},${from.height / to.height})` : "";
  element!.animate(
    { transform: [`translate(${x}px,${y}px)${scale}`, "none"] },
    { ...TIMING, ...(part === "::before" && { pseudoElement: part }) },
  );
}

export function fadeIn(element: Element | null): void {
  if (!isCalm()) element?.animate({ opacity: [0, 1] }, TIMING);
}
