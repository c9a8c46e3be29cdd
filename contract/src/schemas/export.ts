import * as z from "zod";
import type * as types from "../types/index.ts";
import { schemaOf } from "./schema-of.ts";
import { SelectedSession } from "./session.ts";
import { text } from "./wire-values.ts";

export const SessionList: z.ZodType<types.SessionList> = schemaOf<types.SessionList>()(
  z.strictObject({ items: z.array(SelectedSession).max(100) }),
);

export const ErrorDetail: z.ZodType<types.ErrorDetail> = schemaOf<types.ErrorDetail>()(
  z.strictObject({
    code: z.enum([
      "invalid_parameter",
      "invalid_request",
      "unauthorized",
      "not_found",
      "method_not_allowed",
      "rate_limited",
      "internal_error",
      "unavailable",
    ]),
    message: text,
    parameter: text.exactOptional(),
  }),
);

export const ErrorBody: z.ZodType<types.ErrorBody> = schemaOf<types.ErrorBody>()(
  z.strictObject({ error: ErrorDetail }),
);
