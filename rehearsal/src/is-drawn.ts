import { hash } from "node:crypto";

/** Whether a fault that shows itself to a share of all is shown to this one. The same lot draws the same. */
export function isDrawn({ kind, share }: { kind: string; share?: number }, lot: string): boolean {
  if (share === undefined) return true;
  const drawn = Number.parseInt(hash("sha256", `${kind}:${lot}`, "hex").slice(0, 8), 16);
  return drawn / 2 ** 32 < share;
}
