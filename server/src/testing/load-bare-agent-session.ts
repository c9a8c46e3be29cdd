import type * as Bare from "./bare-agent-session.ts";

/** Loads the library's session, which takes a second and 150 MB that most tests have no use for. */
export function loadBareAgentSession(): Promise<typeof Bare> {
  return import("./bare-agent-session.ts");
}
