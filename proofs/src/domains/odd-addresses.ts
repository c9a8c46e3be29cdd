/** What a site may pass as an address, and the `email` that the export must have for it. */
export interface OddAddress {
  what: string;
  given: string;
  /** Undefined: none. What was given stays in `metadata` either way. */
  email: string | undefined;
}

/** Every domain below this one has an exchange. */
export const ODD_DOMAIN = "odd.test";

const label = "a".repeat(63);
const long = `${`${label}.`.repeat(3)}odd.test`;
const local = (length: number): string => "b".repeat(length);

// D6
export const ODD_ADDRESSES: OddAddress[] = [
  { what: "capitals and spaces", given: " Ada@ODD.test\n", email: "ada@odd.test" },
  { what: "a plus tag", given: "ada+demo@odd.test", email: "ada+demo@odd.test" },
  {
    what: "an international domain",
    given: "ada@Bücher.odd.test",
    email: "ada@xn--bcher-kva.odd.test",
  },
  {
    what: "its ASCII form",
    given: "ada@xn--bcher-kva.odd.test",
    email: "ada@xn--bcher-kva.odd.test",
  },
  { what: "full-width letters and dots", given: "ada@ｏdd。test", email: "ada@odd.test" },
  { what: "a trailing dot", given: "ada@odd.test.", email: "ada@odd.test" },
  { what: "a label of 63", given: `ada@${label}.odd.test`, email: `ada@${label}.odd.test` },
  { what: "a label of 64", given: `ada@a${label}.odd.test`, email: undefined },
  { what: "254 characters", given: `${local(53)}@${long}`, email: `${local(53)}@${long}` },
  { what: "255 characters", given: `${local(54)}@${long}`, email: undefined },
  { what: "two dots in a row", given: "a..b@odd.test", email: undefined },
  { what: "two dots in the domain", given: "ada@odd..test", email: undefined },
  { what: "nothing", given: "", email: undefined },
  { what: "no domain", given: "ada@", email: undefined },
  { what: "a quoted local part", given: '"ada okafor"@odd.test', email: undefined },
  { what: "two addresses", given: "ada@odd.test,ben@odd.test", email: undefined },
  { what: "an IP address", given: "ada@[127.0.0.1]", email: undefined },
  { what: "a path", given: "ada@odd.test/x", email: undefined },
];
