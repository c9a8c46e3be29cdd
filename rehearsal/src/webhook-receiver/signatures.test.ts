import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SECRET, signedHeaders } from "./receiver-under-test.ts";
import { Keyring } from "./signatures.ts";
import type { Signatures } from "./signatures.ts";

const nowSecs = Date.now() / 1_000;

function check(secrets: string[], headers: Record<string, string>, body: string): Signatures {
  const keyring = new Keyring([]);
  keyring.set(secrets);
  return keyring.check(headers, Buffer.from(body), nowSecs);
}

// W14: vectors that others have published
describe("a known signature", () => {
  it("of GitHub's documentation is valid", () => {
    const signature = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const headers = { "x-webhook-signature": signature };
    expect(check(["It's a Secret to Everybody"], headers, "Hello, World!")).toEqual({
      svc: "valid",
      secret: 1,
      standard: "missing",
    });
  });

  it("of Standard Webhooks is valid, if long ago", () => {
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    expect(check([secret], headers, '{"test": 2432232314}')).toEqual({
      svc: "missing",
      standard: "stale",
    });
  });
});

it("holds for exactly the bytes that were signed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (body, other) => {
      fc.pre(!Buffer.from(body).equals(Buffer.from(other)));
      const headers = signedHeaders(body);
      expect(check([SECRET], headers, body)).toEqual({
        svc: "valid",
        standard: "valid",
        secret: 1,
      });
      expect(check([SECRET], headers, other)).toEqual({ svc: "wrong", standard: "wrong" });
    }),
  );
});

it("counts from either secret while they are exchanged", () => {
  const next = "whsec_dGhlIG5leHQgb25l";
  const old = signedHeaders("{}");
  const both = signedHeaders("{}", { secret: next });
  both["webhook-signature"] += ` ${old["webhook-signature"]}`;
  expect(check([next, SECRET], old, "{}")).toEqual({ svc: "valid", secret: 2, standard: "valid" });
  expect(check([SECRET], both, "{}")).toEqual({ svc: "wrong", standard: "valid" });
});

it("is not judged without a secret", () => {
  expect(check([], signedHeaders("{}"), "{}")).toEqual({ svc: "unchecked", standard: "unchecked" });
});

it("never throws, whatever the headers are", () => {
  const header = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("v1,", "v1, v1,x", " "));
  const names = Object.keys(signedHeaders(""));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), header), (headers) => {
      const { svc, standard } = check([SECRET], headers, "{}");
      expect([svc, standard]).not.toContain("valid");
    }),
  );
});
