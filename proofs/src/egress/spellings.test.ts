import { expect, it } from "vitest";
import { ALLOWED, FORBIDDEN } from "./addresses.ts";
import { spellingsOf } from "./spellings.ts";

// A spelling that is no URL would be refused for that alone.
it.each([...FORBIDDEN, ...ALLOWED])("spells %s as URLs that all mean it", (address) => {
  const [plain, ...others] = spellingsOf(address).map(
    (host) => new URL(`http://${host}/`).hostname,
  );
  const mapped = new URL(`http://[::ffff:${address.includes(":") ? "0.0.0.0" : address}]/`)
    .hostname;
  expect(others.length).toBeGreaterThan(2);
  expect(others.filter((host) => host !== plain && host !== mapped)).toEqual([]);
});
