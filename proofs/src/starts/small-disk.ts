import { execFile } from "node:child_process";
import { chown, mkdtemp, open, rm, rmdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PrivatePostgres } from "@svc/tools/postgres";

const run = promisify(execFile);

/** A disk of a few MB that holds a database's tables, and can be filled to its last byte. */
export interface SmallDisk {
  fill(): Promise<void>;
  free(): Promise<void>;
}

const SIZE = "64m";

/**
 * Moves everything of a database onto it; the write-ahead log stays where it was, as on a machine
 * that keeps the two apart. Mounting takes root.
 */
export async function moveToSmallDisk(
  { cluster, pool }: { cluster: PrivatePostgres; pool: { query(sql: string): Promise<unknown> } },
  onEnd: (clean: () => unknown) => void,
): Promise<SmallDisk> {
  const disk = await mkdtemp(join(tmpdir(), "svc-small-disk-"));
  onEnd(() => rmdir(disk));
  await run("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "svc-small-disk", disk]);
  onEnd(() => run("umount", ["--lazy", disk]));
  const { uid, gid } = await stat(cluster.directory);
  await chown(disk, uid, gid);
  await pool.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
  for (const kind of ["TABLE", "INDEX"]) {
    await pool.query(`ALTER ${kind} ALL IN TABLESPACE pg_default SET TABLESPACE small`);
  }
  const filling = join(disk, "filling");
  return {
    fill: async () => {
      const file = await open(filling, "w");
      // Whole blocks first, then what is left of the last one.
      for (const bytes of [2 ** 20, 4_096]) {
        const zeros = Buffer.alloc(bytes);
        for (let isFull = false; !isFull;) isFull = await isRefused(file.write(zeros));
      }
      await file.close();
    },
    free: () => rm(filling),
  };
}

async function isRefused(writing: Promise<{ bytesWritten: number }>): Promise<boolean> {
  try {
    return (await writing).bytesWritten === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") return true;
    throw error;
  }
}
