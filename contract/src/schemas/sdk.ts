import * as z from "zod";
import type * as types from "../types/index.ts";
import { schemaOf } from "./schema-of.ts";
import { text } from "./wire-values.ts";

/** Pages may keep keys of their own in `window.SvcConfig`: they are left out, not refused. */
export const SvcConfig: z.ZodType<types.SvcConfig> = schemaOf<types.SvcConfig>()(
  z.object({
    agentId: z.string().regex(/^agent_[a-z0-9]+$/),
    recordingNotice: z.string().exactOptional(),
  }),
);

export const EarlierSvcConfig: z.ZodType<types.EarlierSvcConfig> =
  schemaOf<types.EarlierSvcConfig>()(
    z.object({ clientId: text, recordingNotice: z.string().exactOptional() }),
  );
