import type { Db } from "#platform";
import type { StoredFile } from "../config/agent-config.ts";
import { storableName } from "./startable-agent.ts";
import { selectFiles } from "../versions/store.ts";
import { selectShownFile } from "./visitor-store.ts";

/** A logo, a face or a content of any version of the agent, by its hash in hex. Knowledge is never found. */
export async function findShownFile(
  db: Db,
  named: string,
  sha256: string,
): Promise<StoredFile | undefined> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  return selectShownFile(db, storableName(named), sha256);
}

export async function readShownFile(db: Db, { sha256 }: StoredFile): Promise<Buffer> {
  // There is always one: a version refers to its files.
  return (await selectFiles(db, [sha256])).get(sha256)!;
}
