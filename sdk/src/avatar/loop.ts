/** Together with the wait for a frame, this makes about thirty frames a second. More would cost the page without being visible. */
const PAUSE_MS = 25;
/** How often faces at rest are asked whether something has happened. No frame is drawn for it. */
const REST_MS = 200;

/** The last movement of the pointer, recorded while a face is visible. */
export let pointer: PointerEvent | undefined;

/** Draws a face as it is now. False while it is at rest. */
type Step = (now: number) => boolean;

const seen = new Set<Step>();
let isRunning = false;

/** One loop for all faces of a page. It stops while none is visible; browsers pause it in hidden tabs. */
export function animate(face: Element, step: Step): void {
  new IntersectionObserver((entries) => {
    seen[entries.at(-1)!.isIntersecting ? "add" : "delete"](step);
    if (isRunning || !seen.size) return;
    isRunning = true;
    addEventListener("pointermove", follow);
    requestAnimationFrame(tick);
  }).observe(face);
}

function tick(now: number): void {
  const awake = [...seen].filter((step) => step(now));
  if (awake.length) setTimeout(requestAnimationFrame, PAUSE_MS, tick);
  else if (seen.size) setTimeout(() => tick(performance.now()), REST_MS);
  else {
    isRunning = false;
    removeEventListener("pointermove", follow);
  }
}

function follow(event: PointerEvent): void {
  pointer = event;
}
