import fc from "fast-check";
import { expect, test } from "vitest";
import { saidAddress } from "./said-address.ts";

test.each([
  ["Write to Ada@example.com, please.", "ada@example.com"],
  ["It is ada at example dot com.", "ada@example.com"],
  ["Ada at example.com.", "ada@example.com"],
  [
    "It's ada dot lovelace at analytical engine dot co dot uk",
    "ada.lovelace@analyticalengine.co.uk",
  ],
  ["a d a at example dot d e", "ada@example.de"],
  ["ada 99 at example dot com", "ada99@example.com"],
  ["ada dash l underscore x at my-firm dot com", "ada-l_x@my-firm.com"],
  ["Ada at example dot com. No, ada at example dot org.", "ada@example.org"],
  ["Das ist jonas punkt berg ät beispiel punkt de.", "jonas.berg@beispiel.de"],
  ["C'est marie arobase exemple point fr", "marie@exemple.fr"],
  ["Es luis arroba ejemplo punto es", "luis@ejemplo.es"],
])("finds the address in: %s", (said, address) => {
  expect(saidAddress(said)).toBe(address);
});

test.each([
  "",
  "at",
  "@",
  "I am at work.",
  "We look at it. Then we decide. Dot com was long ago.",
  "Please send me something by email.",
  "at example dot com",
  "ada at",
])("finds none in: %s", (said) => {
  expect(saidAddress(said)).toBeUndefined();
});

test("takes anything that somebody may say", () => {
  const word = fc.constantFrom(
    "at",
    "dot",
    "@",
    ".",
    "ada",
    "x",
    "7",
    "dash",
    "com",
    " ",
    "\n",
    "é",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join(" ")),
      ),
      (said) => {
        const address = saidAddress(said);
        expect(address === undefined || address.includes("@")).toBe(true);
      },
    ),
  );
});
