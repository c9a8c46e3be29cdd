import { createCipheriv, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "./app-error.ts";
import { createSecrets, newWebhookSecret, parseSecretKeys } from "./secrets.ts";

const newKey = (): string => randomBytes(32).toString("base64");
const [k1, k2] = [newKey(), newKey()];
const old = createSecrets(parseSecretKeys(`k1:${k1}`));
const rotated = createSecrets(parseSecretKeys(`k2:${k2}, k1:${k1}`));
const context = "webhook_endpoints/7/secret";

function codeOf(open: () => string): string {
  try {
    return open();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

// A12
describe("a sealed secret", () => {
  it("opens in its own place, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (plain, place) => {
        expect(old.open(old.seal(plain, place), place)).toBe(plain);
      }),
    );
  });

  it("shows nothing of the secret, and looks different each time", () => {
    const secret = newWebhookSecret();
    const sealed = Array.from({ length: 100 }, () => old.seal(secret, context));
    expect(new Set(sealed).size).toBe(100);
    for (const one of sealed)
      expect(Buffer.from(one.slice(5), "base64").includes(secret)).toBe(false);
  });

  it("does not open in another row's place", () => {
    const sealed = old.seal("x", context);
    expect(codeOf(() => old.open(sealed, "webhook_endpoints/8/secret"))).toBe("conflict");
  });

  it("does not open after any change, and never throws anything but an AppError", () => {
    const sealed = old.seal("a secret of some length", context);
    const bytes = Buffer.from(sealed.slice(5), "base64");
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        const text = `k1.d:${changed.toString("base64")}`;
        expect(codeOf(() => old.open(text, context))).toBe("conflict");
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(["conflict", "unavailable"]).toContain(codeOf(() => old.open(text, context)));
        expect(["conflict", "unavailable"]).toContain(
          codeOf(() => old.open(`k1.d:${text}`, context)),
        );
      }),
    );
  });
});

// A12: the rotation
describe("a new key", () => {
  it("opens what the old one sealed, and says that it should be sealed anew", () => {
    const sealed = old.seal("x", context);
    expect(rotated.open(sealed, context)).toBe("x");
    expect(rotated.needsRotation(sealed)).toBe(true);
    const anew = rotated.seal(rotated.open(sealed, context), context);
    expect(rotated.needsRotation(anew)).toBe(false);
    const without = createSecrets(parseSecretKeys(`k2:${k2}`));
    expect(without.open(anew, context)).toBe("x");
  });

  it("is derived: what an earlier release sealed with the key itself opens, and is to be sealed anew", () => {
    const nonce = randomBytes(12);
    const key = Buffer.from(k1, "base64");
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
    const bytes = [nonce, cipher.update("x", "utf8"), cipher.final(), cipher.getAuthTag()];
    const sealed = `k1:${Buffer.concat(bytes).toString("base64")}`;
    expect(old.open(sealed, context)).toBe("x");
    expect(old.needsRotation(sealed)).toBe(true);
    // The label says how it was sealed: under the other one it does not open.
    expect(codeOf(() => old.open(sealed.replace("k1:", "k1.d:"), context))).toBe("conflict");
    expect(old.needsRotation(old.seal("x", context))).toBe(false);
  });

  it("that is missing is named, and may come back", () => {
    const sealed = rotated.seal("x", context);
    expect(() => old.open(sealed, context)).toThrow("The key k2");
    expect(codeOf(() => old.open(sealed, context))).toBe("unavailable");
  });

  it("under an old id does not open what the old key sealed", () => {
    const other = createSecrets(parseSecretKeys(`k1:${k2}`));
    expect(codeOf(() => other.open(old.seal("x", context), context))).toBe("conflict");
  });
});

describe("the keys of the configuration", () => {
  it.each([
    ["nothing", ""],
    ["no id", k1],
    ["an empty id", `:${k1}`],
    ["31 bytes", `k1:${randomBytes(31).toString("base64")}`],
    ["33 bytes", `k1:${randomBytes(33).toString("base64")}`],
    ["hex", `k1:${randomBytes(32).toString("hex")}`],
    ["a comma at the end", `k1:${k1},`],
    ["one id twice", `k1:${k1},k1:${k2}`],
  ])("are refused with %s, and not repeated", (_name, text) => {
    let message = "";
    try {
      parseSecretKeys(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).not.toBe("");
    expect(message).not.toContain(k1.slice(0, 8));
  });
});

it("makes webhook secrets that Standard Webhooks can read", () => {
  const secrets = Array.from({ length: 50 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
});
