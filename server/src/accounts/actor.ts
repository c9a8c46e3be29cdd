/** Who changed something, and how that is known. */
export interface Actor {
  kind: ActorKind;
  name: string;
}

/**
 * - `os`: the user of the machine on which `svc` ran.
 * - `named`: what they called themselves, with `--as` or SVC_OPERATOR. Nobody has checked it.
 * - `console`: who was signed in to the console.
 * - `unmarked`: written without a kind: `person` for the link in a mail, and entries of earlier releases.
 */
export type ActorKind = "os" | "named" | "console" | "unmarked";

/** As the audit stores it: `os:root`, `named:ada`. */
export function writeActor({ kind, name }: Actor): string {
  return kind === "unmarked" ? name : `${kind}:${name}`;
}

export function readActor(text: string): Actor {
  const [, kind, name] = /^(os|named|console):(.+)$/s.exec(text) ?? [];
  if (kind === undefined || name === undefined) return { kind: "unmarked", name: text };
  return { kind: kind as ActorKind, name };
}
