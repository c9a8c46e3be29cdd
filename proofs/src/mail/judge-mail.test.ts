import type { MailContent } from "@svc/rehearsal";
import { expect, test } from "vitest";
import { mailFaults, onceFaults } from "./judge-mail.ts";
import type { MailedSession } from "./mail-world.ts";

const RECIPIENT = "ada@xn--bcher-kva.test";
const envelope = { from: "hello@svc.test", to: [RECIPIENT] };
const names = ["From", "To", "Subject", "Message-ID", "Date"];

function mail(headers: string[] = names, address: string = RECIPIENT): MailContent {
  return {
    raw: Buffer.alloc(0),
    parsed: {
      headers: headers.map((name) => ({ key: name.toLowerCase(), originalKey: name, value: "" })),
      headerLines: [],
      attachments: [],
      to: [{ name: "", address }],
    },
  };
}

test("a mail to one, with our headers, is well", () => {
  expect(mailFaults(RECIPIENT, envelope, mail())).toEqual([]);
  expect(mailFaults(RECIPIENT, envelope, mail(names, "ada@bücher.test"))).toEqual([]);
});

test.each([
  ["another recipient", { ...envelope, to: [RECIPIENT, "eve@evil.test"] }, mail()],
  ["no recipient", { ...envelope, to: [] }, mail()],
  ["somebody else's", { ...envelope, to: ["eve@evil.test"] }, mail()],
  ["another To", envelope, mail(names, "eve@evil.test")],
  ["a stranger's header", envelope, mail([...names, "Bcc"])],
  ["a header twice", envelope, mail([...names, "Subject"])],
  ["no subject", envelope, mail(names.filter((name) => name !== "Subject"))],
])("%s is a fault", (_what, given, content) => {
  expect(mailFaults(RECIPIENT, given, content)).toHaveLength(1);
});

const session: MailedSession = {
  id: "one",
  status: "processed",
  email: "ada@customer.test",
  state: "sent",
  reason: null,
};

test.each<[Partial<MailedSession>, number]>([
  [{}, 1],
  [{ state: "unknown" }, 0],
  [{ state: "unknown" }, 1],
  [{ state: "skipped" }, 0],
  [{ state: "refused" }, 0],
])("%j with %i copies is well", (change, copies) => {
  expect(onceFaults({ ...session, ...change }, copies)).toEqual([]);
});

test.each<[Partial<MailedSession>, number]>([
  [{}, 0],
  [{}, 2],
  [{ state: "unknown" }, 2],
  [{ state: "skipped" }, 1],
  [{ state: "refused" }, 1],
  [{ state: "sending" }, 0],
  [{ state: "waiting" }, 0],
  [{ state: null }, 0],
  [{ status: "error" }, 1],
])("%j with %i copies is a fault", (change, copies) => {
  expect(onceFaults({ ...session, ...change }, copies)).toHaveLength(1);
});
