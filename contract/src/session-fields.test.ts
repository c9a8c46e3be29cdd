import { expect, it } from "vitest";
import { SESSION_FIELDS } from "./session-fields.ts";

it("lists the field names in the order that CSV columns take", () => {
  expect(SESSION_FIELDS.join(" ")).toBe(
    "id metadata transcript summary evaluation email email_verified duration_secs created_at status agent_id",
  );
});
