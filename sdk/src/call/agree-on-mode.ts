import type { AgentMode } from "@svc/contract/types";
import type { Voice } from "./voice.ts";

/** Keeps visitor and server of one mind, by voice or in text. */
export interface ModeAgreement {
  welcomed(mode: AgentMode): void;
  /** The server's answer to a switch, or its own doing. */
  told(mode: AgentMode): void;
  /** The visitor's side may have changed. */
  settle(): void;
}

export function agreeOnMode({
  voice,
  ask,
  onGone,
}: {
  voice: Pick<Voice, "state" | "stop">;
  ask: (mode: AgentMode) => void;
  /** There is no voice to be had: the visitor types. */
  onGone: () => void;
}): ModeAgreement {
  /** As it was asked for last, or told. Undefined until the welcome. */
  let mode: AgentMode | undefined;
  let unanswered = 0;

  function settle(): void {
    if (mode === undefined) return;
    const wanted = { off: "text", opening: mode, asking: mode, open: "voice" } as const;
    const next = wanted[voice.state];
    if (next === mode) return;
    mode = next;
    unanswered += 1;
    ask(next);
  }

  /** The server's word, where nothing that was asked for is on its way. */
  function accept(told: AgentMode): void {
    const isGone = told === "text" && mode !== "text" && voice.state !== "off";
    mode = told;
    if (isGone) {
      voice.stop();
      onGone();
    }
    settle();
  }

  return {
    welcomed(told) {
      unanswered = 0;
      // After a loss, or in another process, what was asked for may not have arrived: it is asked for again.
      if (mode === undefined) accept(told);
      else {
        mode = told;
        settle();
      }
    },
    told(told) {
      unanswered = Math.max(0, unanswered - 1);
      if (unanswered === 0) accept(told);
    },
    settle,
  };
}
