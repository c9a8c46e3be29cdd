/** With the wait for a frame, thirty pictures a second: more are not seen, and cost the page. */
const PAUSE_MS = 25;

/** How the pointer moved last, if anybody was there to see it. */
export let pointer: PointerEvent | undefined;

const seen = new Set<(now: number) => void>();
let isRunning = false;

/** One loop for all faces of a page. It stops while none is seen; in a hidden tab browsers give no frames. */
export function animate(face: Element, step: (now: number) => void): void {
  new IntersectionObserver((entries) => {
    seen[entries.at(-1)!.isIntersecting ? "add" : "delete"](step);
    if (isRunning || !seen.size) return;
    isRunning = true;
    addEventListener("pointermove", follow);
    requestAnimationFrame(tick);
  }).observe(face);
}

function tick(now: number): void {
  for (const step of seen) step(now);
  if (seen.size) {
    setTimeout(requestAnimationFrame, PAUSE_MS, tick);
    return;
  }
  isRunning = false;
  removeEventListener("pointermove", follow);
}

function follow(event: PointerEvent): void {
  pointer = event;
}
