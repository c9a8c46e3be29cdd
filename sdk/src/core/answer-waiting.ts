/** A call made before the SDK had loaded: what, with what, and who waits for it. */
type WaitingCall = [name: string, args: Iterable<unknown>, resolve: (value: unknown) => void];

/** As the longer snippet makes them. */
export interface WaitingCalls extends Iterable<WaitingCall> {
  push(call: WaitingCall): unknown;
}

/**
 * In the order in which they were made. A method that the page took before the SDK had loaded, as a
 * listener of a button or the like, still waits in line at every call: it is answered at once.
 */
export function answerWaiting(waiting: WaitingCalls, svc: object): void {
  const answer = ([name, args, resolve]: WaitingCall): void => {
    // "widget.show" and the like are two steps down.
    const member = name
      .split(".")
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], svc);
    resolve(typeof member === "function" ? member(...args) : member);
  };
  for (const call of waiting) answer(call);
  waiting.push = answer;
}
