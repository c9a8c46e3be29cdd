import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { inBytes } from "./agent-folder.ts";
import { MAX_BYTES, MAX_TOTAL_BYTES } from "./file-kinds.ts";

it("has the bounds that the guide names", () => {
  const guide = readFileSync(new URL("../../../../docs/guide/agents.md", import.meta.url), "utf8");
  const rows = guide.split("\n").filter((line) => line.startsWith("| `"));
  for (const [kind, maxBytes] of Object.entries(MAX_BYTES)) {
    const row = rows.find((line) => line.includes(`\`${kind}\``));
    expect(row, kind).toMatch(new RegExp(`\\| ${inBytes(maxBytes)}( each, [^|]*)? \\|$`));
  }
  expect(guide).toContain(`${inBytes(MAX_TOTAL_BYTES.knowledge)} in all`);
  expect(guide).toContain(`${inBytes(MAX_TOTAL_BYTES.all)} together`);
});
