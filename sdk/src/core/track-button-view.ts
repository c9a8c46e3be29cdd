import { hint } from "./events.ts";

const tracked = new WeakSet<Element>();

/** Calls `onView` once per element, when half of it is in the viewport. */
export function trackButtonView(element: unknown, onView: () => void): void {
  if (!(element instanceof Element)) {
    hint("trackButtonView takes an element.");
    return;
  }
  if (tracked.has(element)) return;
  tracked.add(element);
  whenSeen(element, onView);
}

/** Calls back once, when half of the element is in the viewport. */
export function whenSeen(element: Element, onView: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onView();
    },
    { threshold: 0.5 },
  );
  observer.observe(element);
}
