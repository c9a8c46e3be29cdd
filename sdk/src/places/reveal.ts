/** Room around a place for its light, and above it for the caption. */
const ROOM = 24;
const CAPTION = 72;

interface Box {
  top: number;
  bottom: number;
}

/**
 * Scrolls to a place, and moves the small call out of its way. The positions are found by jumping there and back before
 * anything is painted, because headers that stick cover what a browser would scroll to.
 */
export function reveal(target: Element, dialog: HTMLElement): void {
  const movers = scrollersOf(target);
  const before = movers.map(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft] as const);
  target.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  moveAside(target, dialog);
  const room = roomFor(target, dialog);
  for (const mover of movers) {
    const { top, height } = target.getBoundingClientRect();
    const space = room.bottom - room.top;
    const wanted = height > space ? room.top : room.top + (space - height) / 2;
    mover.scrollBy({ top: top - wanted, behavior: "instant" });
  }
  if (matchMedia("(prefers-reduced-motion)").matches) return;
  for (const [index, mover] of movers.entries()) {
    const [top, left] = before[index]!;
    const { scrollTop, scrollLeft } = mover;
    if (top === scrollTop && left === scrollLeft) continue;
    mover.scrollTo({ top, left, behavior: "instant" });
    mover.scrollTo({ top: scrollTop, left: scrollLeft, behavior: "smooth" });
  }
}

/** Whether its middle is to be seen, or, where it is higher than the page, its beginning. */
export function isInView(target: Element, dialog: HTMLElement): boolean {
  const { top, bottom, height } = target.getBoundingClientRect();
  const room = roomFor(target, dialog);
  if (height > room.bottom - room.top) return top < room.bottom - ROOM && bottom > room.top + ROOM;
  return top >= room.top - CAPTION && bottom <= room.bottom + ROOM;
}

/** Between headers that stick and the small call, where it stands before the place. */
function roomFor(target: Element, dialog: HTMLElement): Box {
  const { left, right, height } = target.getBoundingClientRect();
  const call = dialog.getBoundingClientRect();
  const top = coveredTop(target, (Math.max(left, 0) + Math.min(right, innerWidth)) / 2) + CAPTION;
  const isBefore = call.left < right && call.right > left;
  const above = call.top - ROOM;
  // Where it does not fit above the call, all of the page is used.
  const bottom =
    isBefore && (above - top >= height || call.width > innerWidth / 2) ? above : innerHeight - ROOM;
  return { top, bottom };
}

/** Where the page begins to be visible, below what sticks to its upper edge. */
function coveredTop(target: Element, x: number): number {
  for (const found of document.elementsFromPoint(x, 1)) {
    for (let one: Element | null = found; one; one = one.parentElement) {
      const { position } = getComputedStyle(one);
      if ((position !== "fixed" && position !== "sticky") || one.contains(target)) continue;
      const { bottom } = one.getBoundingClientRect();
      if (bottom < innerHeight / 2) return bottom;
    }
  }
  return 0;
}

/** To the side that covers less of the place. */
function moveAside(target: Element, dialog: HTMLElement): void {
  const { left, right } = target.getBoundingClientRect();
  const { width } = dialog.getBoundingClientRect();
  const atEnd = right - (innerWidth - width);
  const atStart = width - left;
  dialog.classList.toggle("aside", atEnd > 0 && atStart < atEnd);
}

/** What can scroll around an element, the innermost first, also through shadow roots. */
function scrollersOf(target: Element): Element[] {
  const found: Element[] = [];
  const page = document.scrollingElement ?? document.documentElement;
  for (let one = parentOf(target); one && one !== page; one = parentOf(one)) {
    const { overflowY } = getComputedStyle(one);
    if (/auto|scroll|overlay/.test(overflowY) && one.scrollHeight > one.clientHeight)
      found.push(one);
  }
  return [...found, page];
}

function parentOf(one: Element): Element | null {
  const root = one.getRootNode();
  return one.assignedSlot ?? one.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
