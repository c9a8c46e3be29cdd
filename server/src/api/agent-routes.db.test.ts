import { createHash } from "node:crypto";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { OpenFiles } from "./agent-routes.ts";

function file(text: string): { path: string; sha256: string; size: number; mediaType: string } {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { path: text, sha256, size: text.length, mediaType: "video/mp4" };
}

describe("files that are being sent", () => {
  databaseTest(
    "are in memory once, and no more of them than there is room for",
    async ({ database: { db, pool } }) => {
      const [one, other] = [file("one"), file("other")];
      for (const { path } of [one, other])
        await pool.query("INSERT INTO agent_files VALUES (sha256($1), $1)", [Buffer.from(path)]);
      const files = new OpenFiles(db, 6);
      const [first, second] = await Promise.all([files.open(one), files.open(one)]);
      expect(first.bytes.toString()).toBe("one");
      expect(second.bytes).toBe(first.bytes);
      await expect(files.open(other)).rejects.toMatchObject({ code: "unavailable" });
      first.close();
      await expect(files.open(other)).rejects.toMatchObject({ code: "unavailable" });
      second.close();
      expect((await files.open(other)).bytes.toString()).toBe("other");
    },
  );
});
