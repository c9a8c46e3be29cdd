import * as z from "zod";
import type * as types from "../types/admin-changes.ts";
import { schemaOf } from "./schema-of.ts";

const at = z.iso.datetime();
const state = z.enum(["live", "paused"]);

export const ListedToken: z.ZodType<types.ListedToken> = schemaOf<types.ListedToken>()(
  z.strictObject({
    id: z.int(),
    label: z.string(),
    issued_at: at,
    revoked_at: at.exactOptional(),
  }),
);

export const AccountTokens: z.ZodType<types.AccountTokens> = schemaOf<types.AccountTokens>()(
  z.strictObject({ client_id: z.string(), name: z.string(), tokens: z.array(ListedToken) }),
);

export const TokenOrder: z.ZodType<types.TokenOrder> = schemaOf<types.TokenOrder>()(
  z.strictObject({ label: z.string() }),
);

export const IssuedToken: z.ZodType<types.IssuedToken> = schemaOf<types.IssuedToken>()(
  z.strictObject({
    id: z.int(),
    client_id: z.string(),
    name: z.string(),
    label: z.string(),
    token: z.string(),
    url: z.string().exactOptional(),
  }),
);

export const RevokedToken: z.ZodType<types.RevokedToken> = schemaOf<types.RevokedToken>()(
  z.strictObject({ id: z.int(), label: z.string(), within_secs: z.int() }),
);

export const AgentChange: z.ZodType<types.AgentChange> = schemaOf<types.AgentChange>()(
  z.strictObject({ id: z.string(), slug: z.string(), state, changed: z.boolean() }),
);

export const EndpointOrder: z.ZodType<types.EndpointOrder> = schemaOf<types.EndpointOrder>()(
  z.strictObject({
    account: z.string(),
    url: z.string().max(2_000),
    agents: z.array(z.string()).min(1).max(100).exactOptional(),
    replay_exhausted: z.boolean().exactOptional(),
  }),
);

export const AddedEndpoint: z.ZodType<types.AddedEndpoint> = schemaOf<types.AddedEndpoint>()(
  z.strictObject({
    id: z.string(),
    url: z.string(),
    client_id: z.string(),
    account_name: z.string(),
    agents: z
      .array(z.strictObject({ id: z.string(), slug: z.string() }))
      .exactOptional()
      .describe("Absent: all agents of the account"),
    replay_exhausted: z.boolean(),
    secret: z.string(),
  }),
);

export const EndpointChange: z.ZodType<types.EndpointChange> = schemaOf<types.EndpointChange>()(
  z.strictObject({
    id: z.string(),
    url: z.string(),
    state,
    changed: z.boolean(),
    waiting: z.int(),
  }),
);

export const RemovalOrder: z.ZodType<types.RemovalOrder> = schemaOf<types.RemovalOrder>()(
  z.strictObject({ cancel_waiting: z.boolean().exactOptional() }),
);

export const EndpointRemoval: z.ZodType<types.EndpointRemoval> = schemaOf<types.EndpointRemoval>()(
  z.strictObject({ id: z.string(), cancelled: z.int() }),
);

export const RotationOrder: z.ZodType<types.RotationOrder> = schemaOf<types.RotationOrder>()(
  z.strictObject({ step: z.enum(["stage", "activate", "cancel", "now"]) }),
);

export const Rotation: z.ZodType<types.Rotation> = schemaOf<types.Rotation>()(
  z.strictObject({
    id: z.string(),
    change: z.enum(["staged", "activated", "cancelled", "replaced"]),
    secret: z.string().exactOptional().describe("The new secret, when it is made"),
    previous_until: at
      .exactOptional()
      .describe("Until then the old secret signs beside the new one, in `webhook-signature`"),
  }),
);

export const ReceiverTestOrder: z.ZodType<types.ReceiverTestOrder> =
  schemaOf<types.ReceiverTestOrder>()(z.strictObject({ staged: z.boolean().exactOptional() }));

export const ReceiverCheck: z.ZodType<types.ReceiverCheck> = schemaOf<types.ReceiverCheck>()(
  z.strictObject({
    name: z.string(),
    state: z.enum(["ok", "warn", "fail", "skip"]),
    says: z.string(),
    fix: z.string().exactOptional(),
    took_ms: z.int().exactOptional(),
  }),
);

export const ReceiverTest: z.ZodType<types.ReceiverTest> = schemaOf<types.ReceiverTest>()(
  z.strictObject({
    url: z.string(),
    checks: z.array(ReceiverCheck),
    cures: z
      .array(z.strictObject({ checks: z.array(z.string()), node: z.string(), python: z.string() }))
      .describe("Code that fixes what was found"),
  }),
);

const dry_run = z.boolean().exactOptional();
export const EraseOrder: z.ZodType<types.EraseOrder> = schemaOf<types.EraseOrder>()(
  z.union([
    z.strictObject({ session_id: z.uuid(), dry_run }),
    z.strictObject({ email: z.string().max(320), account: z.string().exactOptional(), dry_run }),
  ]),
);

export const ErasedAccount: z.ZodType<types.ErasedAccount> = schemaOf<types.ErasedAccount>()(
  z.strictObject({
    client_id: z.string(),
    account_name: z.string(),
    receipt: z.uuid().exactOptional().describe("Absent when nothing was erased"),
    sessions: z.int(),
    session_ids: z.array(z.uuid()).describe("For telling the customer, who may have copies"),
    going_on: z.int().describe("Conversations that this ends"),
    deliveries_pending: z.int().describe("Deliveries that will not be made"),
    first_at: at,
    last_at: at,
  }),
);

export const Erased: z.ZodType<types.Erased> = schemaOf<types.Erased>()(
  z.strictObject({
    erased: z.boolean().describe("False without --yes: nothing was changed"),
    accounts: z.array(ErasedAccount),
  }),
);

export const ErasureReceipt: z.ZodType<types.ErasureReceipt> = schemaOf<types.ErasureReceipt>()(
  z.strictObject({
    receipt: z.uuid(),
    at,
    client_id: z.string().exactOptional().describe("Absent when the account was removed"),
    account_name: z.string().exactOptional(),
    scope: z.enum(["person", "session", "retention"]),
    asked_by: z.string(),
    sessions: z.int(),
    deliveries_cancelled: z.int(),
  }),
);

export const Erasures: z.ZodType<types.Erasures> = schemaOf<types.Erasures>()(
  z.strictObject({ erasures: z.array(ErasureReceipt), more: z.boolean() }),
);

const CONSOLE_TOKEN = {
  id: z.int(),
  label: z.string(),
  issued_at: at,
  expires_at: at,
  used_at: at.exactOptional(),
};
export const ConsoleToken: z.ZodType<types.ConsoleToken> = schemaOf<types.ConsoleToken>()(
  z.strictObject(CONSOLE_TOKEN),
);

export const ConsoleTokens: z.ZodType<types.ConsoleTokens> = schemaOf<types.ConsoleTokens>()(
  z.strictObject({ tokens: z.array(ConsoleToken) }),
);

export const IssuedConsoleToken: z.ZodType<types.IssuedConsoleToken> = z.strictObject({
  ...CONSOLE_TOKEN,
  token: z.string(),
});
