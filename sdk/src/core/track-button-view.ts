import { hint } from "./hint.ts";
import { whenSeen } from "./when-seen.ts";

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
