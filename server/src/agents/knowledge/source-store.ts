import type { Trx } from "#platform";
import type { FileWithBytes } from "../file/load-files.ts";

type FileTable = { agent_files: { sha256: Buffer; bytes: Buffer } };

/** Those that are not there yet. */
export async function insertFiles(trx: Trx, files: FileWithBytes[]): Promise<void> {
  for (const { sha256, bytes } of files) {
    await trx
      .withTables<FileTable>()
      .insertInto("agent_files")
      .values({ sha256: Buffer.from(sha256, "hex"), bytes })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
