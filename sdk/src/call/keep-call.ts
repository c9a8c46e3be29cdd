import type { Composer } from "../cards-and-endings/composer.ts";
import type { Frame } from "./frame.ts";
import type { Numbered } from "./live-connection.ts";

/** Keeps what the next page needs to go on. */
export interface KeptCall {
  /** Something of it has changed. */
  store(): void;
  /** It is over here: nothing is kept. */
  forget(): void;
}

/** What a visitor said or did, unlike where their sound was. */
const LASTING = /text|result|step/;

/** @param now how it stands. */
export function keepCall(
  { frame, composer }: { frame: Pick<Frame, "close">; composer: Pick<Composer, "field"> },
  now: () => Omit<StoredCall, "at" | "draft">,
): KeptCall {
  let isLeft = false;
  function store(): void {
    const { unsent, ...call } = now();
    const kept: StoredCall = {
      ...call,
      unsent: unsent!.filter(({ type }) => LASTING.test(type)),
      draft: composer.field.value,
      at: Date.now(),
    };
    try {
      sessionStorage.setItem(STORED_CALL_KEY, JSON.stringify(kept));
    } catch {
      // Storage is blocked or full: then a reload ends the call, and nothing else is lost.
    }
  }
  /**
   * The call goes from a page that is left. The browser may bring the page back as it was, and the call's token would
   * be void by then; and the next page waits until this one has let go.
   */
  function leave(): void {
    store();
    isLeft = true;
    frame.close();
  }
  addEventListener("pagehide", leave);
  store();
  return {
    store,
    forget() {
      removeEventListener("pagehide", leave);
      if (!isLeft) forgetCall();
    },
  };
}

/** The call of this tab, kept while it is live, so that a reload or the next page goes on with it. */
export interface StoredCall {
  agent: string;
  sessionId: string;
  resumeToken: string;
  liveUrl: string;
  language: string;
  test: boolean;
  /** The notice that the visitor has accepted. Calls that an earlier version of the SDK kept have none. */
  notice?: string;
  minimized: boolean;
  /** By voice, and the microphone was on. */
  talking: boolean;
  /** What the server may not have got. Calls that an earlier version of the SDK kept have none, and no draft. */
  unsent?: Numbered[];
  /** What stood in the field. */
  draft?: string;
  /** In milliseconds since 1970. */
  at: number;
}

export const STORED_CALL_KEY = "svc-call";

/** It is over: the next page has nothing to go on with. */
export function forgetCall(): void {
  try {
    sessionStorage.removeItem(STORED_CALL_KEY);
  } catch {
    // Storage is blocked, and nothing was kept.
  }
}

/** Reports whether the page is visible, now if it is hidden, and at every change. Returns a function that ends it. */
export function watchVisibility(tell: (visible: boolean) => void): () => void {
  const look = (): void => tell(document.visibilityState === "visible");
  document.addEventListener("visibilitychange", look);
  // The server assumes that a new page is visible.
  if (document.hidden) look();
  return () => document.removeEventListener("visibilitychange", look);
}
