/** A call made before the SDK had loaded. */
type WaitingCall = [name: string, args: Iterable<unknown>, resolve: (value: unknown) => void];

/** The queue that the longer snippet creates. */
export interface WaitingCalls extends Iterable<WaitingCall> {
  push(call: WaitingCall): unknown;
}

/**
 * Answers queued calls in their order. A method that the page kept from before the SDK had loaded, for
 * example as a button's listener, still goes through the queue: such calls are answered at once.
 */
export function answerWaiting(waiting: WaitingCalls, svc: object): void {
  const answer = ([name, args, resolve]: WaitingCall): void => {
    // Names such as "widget.show" have two steps.
    const member = name
      .split(".")
      .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], svc);
    resolve(typeof member === "function" ? member(...args) : member);
  };
  for (const call of waiting) answer(call);
  waiting.push = answer;
}
