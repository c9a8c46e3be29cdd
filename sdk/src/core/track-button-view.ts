import { hint } from "./hint.ts";

const seen = new WeakSet<Element>();
let observer: IntersectionObserver | undefined;

/** Calls `onView` once per element, when half of it is in the viewport. */
export function trackButtonView(element: unknown, onView: () => void): void {
  if (!(element instanceof Element)) {
    hint("trackButtonView takes an element.");
    return;
  }
  if (seen.has(element)) return;
  seen.add(element);
  observer ??= new IntersectionObserver(
    (entries, self) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        self.unobserve(target);
        onView();
      }
    },
    { threshold: 0.5 },
  );
  observer.observe(element);
}
