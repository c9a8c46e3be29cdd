import fc from "fast-check";

/** What somebody may enter who wants a mail to reach others than one. */
export interface HostileMail {
  /** As it was typed into a form. */
  address: string;
  /** In place of the brand's name, the subject, and a link. */
  name: string;
  subject: string;
  link: string;
}

const good = fc.constantFrom(
  "ada@customer.test",
  "ada+demo@customer.test",
  "Ada.Lovelace@Customer.Test",
  "o'brien@customer.test",
  "ada@bücher.test",
  "ada@xn--bcher-kva.test",
  "ada@ｃustomer。test",
  "ada@customer.test.",
  "postmaster%customer.test@relay.test",
  "ada!bob@customer.test",
  "{ada}|`id`@customer.test",
  "-oQ/tmp@customer.test",
);
const breaks = "\r\n|\n|\r|\u0000|\u0085|\u2028|\u2029|\v|\u00a0|\t| ".split("|");
const marks = `, ; : < > " \\ ( ) [ ] @ . .. % =?utf-8?q?=0d=0a?=`.split(" ");
const lookalikes = ["，", "＠", "；", "＜", "﹫", "\u200b", "\u202e", "\ud800", "é", "𝒂", "\u0301"];
/** What ends an address, a command or a header, begins another, or looks like nothing at all. */
const poison = fc.constantFrom(...breaks, ...marks, ...lookalikes);
const order = fc.constantFrom(
  "RCPT TO:<eve@evil.test>",
  "\r\nRCPT TO:<eve@evil.test>\r\nDATA",
  "\r\n.\r\nMAIL FROM:<eve@evil.test>",
  "Bcc: eve@evil.test",
  "\r\nBcc: eve@evil.test",
  "\nTo: eve@evil.test",
  "\r\n\r\n<script>",
  "eve@evil.test",
  "<eve@evil.test>",
  "team: eve@evil.test, bob@evil.test;",
  "SIZE=1 NOTIFY=SUCCESS",
);

const anything = fc.oneof(
  { weight: 4, arbitrary: good },
  { weight: 3, arbitrary: poison },
  { weight: 2, arbitrary: order },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);
const mixture = fc.array(anything, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));

/** A good address with something put into it. */
const spoiled = fc
  .tuple(good, fc.oneof(poison, order), fc.nat(30))
  .map(([address, what, at]) => address.slice(0, at) + what + address.slice(at));

export const addresses: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: good },
  { weight: 3, arbitrary: spoiled },
  { weight: 2, arbitrary: mixture },
  { weight: 1, arbitrary: fc.emailAddress() },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.string({ unit: "binary", maxLength: 80 }), fc.constant("@customer.test"))
      .map((parts) => parts.join("")),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 40, max: 320 })
      .map((length) => `${"a".repeat(length)}@customer.test`),
  },
);

export const hostileMails: fc.Arbitrary<HostileMail> = fc.record({
  address: addresses,
  name: mixture,
  subject: mixture.map((text) => `Your conversation with ${text}`),
  link: mixture.map((text) => `<https://svc.test/${text}>`),
});
