import { createHmac } from "node:crypto";
import golden from "@svc/contract/fixtures/signed-webhooks.json" with { type: "json" };
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signatureHeaders, standardSignature } from "./sign.ts";

const sign = (body: string | Buffer, ...secrets: string[]): Record<string, string> =>
  signatureHeaders({ eventId: "7", body: Buffer.from(body), sentAtSecs: 1_767_225_600, secrets });

// W14
describe("X-Webhook-Signature", () => {
  it.each([...golden.signed, golden.rfc4231].map((one) => [one.name, one] as const))(
    "is the golden one: %s",
    (_name, { body, secret, signature }) => {
      expect(sign(body, secret)["x-webhook-signature"]).toBe(signature);
    },
  );

  it("is the one that GitHub's documentation gives", () => {
    const { "x-webhook-signature": signature } = sign(
      "Hello, World!",
      "It's a Secret to Everybody",
    );
    expect(signature).toBe("757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
  });

  it("is made with the newest secret alone, all bytes of it as issued", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.string(), (bytes, newest, older) => {
        const expected = createHmac("sha256", Buffer.from(newest, "utf8"))
          .update(bytes)
          .digest("hex");
        return sign(Buffer.from(bytes), newest, older)["x-webhook-signature"] === expected;
      }),
    );
  });
});

// W14
describe("the headers of Standard Webhooks", () => {
  it("hold the signature that its specification gives", () => {
    const body = Buffer.from('{"test": 2432232314}');
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    expect(standardSignature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  it("name the event and the second in which it was sent", () => {
    const headers = sign("{}", "whsec_AAAA");
    expect(headers).toMatchObject({ "webhook-id": "evt_7", "webhook-timestamp": "1767225600" });
    const signature = standardSignature("whsec_AAAA", "evt_7", 1_767_225_600, Buffer.from("{}"));
    expect(headers["webhook-signature"]).toBe(signature);
  });

  it("hold one signature of each secret while it is rotated, the newest first", () => {
    const [newest, older] = ["whsec_AAAA", "whsec_BBBB"];
    const both = sign("{}", newest, older)["webhook-signature"];
    const alone = [newest, older].map((secret) => sign("{}", secret)["webhook-signature"]);
    expect(both).toBe(alone.join(" "));
  });
});
