import { storeCall } from "./stored-call.ts";
import type { StoredCall } from "./stored-call.ts";

/** Keeps what the next page needs to go on. */
export interface KeptCall {
  keep(call: Omit<StoredCall, keyof Changing>): void;
  /** It is over here: nothing is kept. */
  forget(): void;
}

/** What is only known when the page goes. */
type Changing = Pick<StoredCall, "minimized" | "talking" | "at">;

/** @param now how it stands. */
export function keepCall(now: () => Omit<Changing, "at">): KeptCall {
  let kept: Omit<StoredCall, keyof Changing> | undefined;

  /** Renewed when the page goes, because old ones are not taken up. */
  function store(): void {
    if (kept !== undefined) storeCall({ ...kept, ...now(), at: Date.now() });
  }
  addEventListener("pagehide", store);

  return {
    keep(call) {
      kept = call;
      store();
    },
    forget() {
      kept = undefined;
      storeCall(undefined);
      removeEventListener("pagehide", store);
    },
  };
}
