/** Together with the wait for a frame, this makes about thirty frames a second. More would cost the page without being visible. */
const PAUSE_MS = 25;

/** The last movement of the pointer, recorded while a face is visible. */
export let pointer: PointerEvent | undefined;

const seen = new Set<(now: number) => void>();
let isRunning = false;

/** One loop for all faces of a page. It stops while none is visible; browsers pause it in hidden tabs. */
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
