import { stat } from "node:fs/promises";
import { join } from "node:path";
import { configured, NEEDS_CONFIGURATION } from "./check.ts";
import type { Check, Finding } from "./check.ts";
import type { Operator } from "../operator.ts";

/** Whether pages would get their script. */
export const sdkChecks: Check[] = [{ name: "sdk", needsDatabase: false, look: sdk }];

async function sdk(operator: Operator): Promise<Finding> {
  const folder = configured(() => operator.sdkFolder());
  if (folder === "half") return NEEDS_CONFIGURATION;
  if (folder === undefined) return { state: "ok", says: "not served in this role (SVC_ROLE)" };
  const file = join(folder, "sdk.js");
  const isBuilt = await stat(file).then(
    () => true,
    () => false,
  );
  if (isBuilt) return { state: "ok", says: `served from ${folder}` };
  return {
    state: "fail",
    says: `the SDK is not built: ${file} is missing`,
    fix: "Run `npm run build`, or set SVC_SDK_DIR to where its files are. Until then no page gets its script.",
  };
}
