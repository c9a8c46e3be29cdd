import { readFile } from "node:fs/promises";
import type { SpeechCheck } from "#conversation";
import { AppError } from "#platform";
import { describe, expect, it } from "vitest";
import { renderExamination } from "../pages/examination-page.ts";
import { judgeSpeech, speechChecks } from "./doctor-speech.ts";
import { operatorUnderTest } from "../command-line-under-test.ts";

const place = { key: "canary", model: undefined, voice: undefined };
const settings = {
  hearing: {
    first: { ...place, provider: "deepgram" as const, url: "http://127.0.0.1:8081" },
    fallback: undefined,
  },
  voice: {
    first: { ...place, provider: "cartesia" as const, url: undefined },
    fallback: { ...place, provider: "openai" as const, url: "http://127.0.0.1:8082/v1" },
  },
};

function tried(part: SpeechCheck["part"], change: Partial<SpeechCheck> = {}): SpeechCheck {
  const provider = part === "hearing" ? "deepgram" : "cartesia";
  return { part, provider, ok: true, ms: 180, detail: "spoke.", verified: false, ...change };
}

const PARTS = ["voice", "hearing", "round_trip"] as const;
const all = PARTS.map((part) => tried(part));

describe("the doctor, trying speech,", () => {
  it("tells who, where, how long, and that the vendor itself was never met", () => {
    expect(
      judgeSpeech("hearing", [tried("hearing", { detail: "understood" })], { settings }),
    ).toEqual({
      state: "ok",
      says: "deepgram at http://127.0.0.1:8081: understood (unverified: never run against the vendor itself)",
      tookMs: 180,
    });
    const verified = judgeSpeech("hearing", [tried("hearing", { verified: true })], { settings });
    expect(verified.says).not.toContain("unverified");
  });

  it("warns while a fallback works, and fails when nobody does", () => {
    const refused = tried("voice", { ok: false, detail: "the key was refused" });
    const fallback = tried("voice", { provider: "openai", detail: "spoke", verified: true });
    expect(judgeSpeech("voice", [refused, fallback], { settings })).toMatchObject({
      state: "warn",
      says: "cartesia: the key was refused; openai, the fallback, at http://127.0.0.1:8082/v1: spoke",
      fix: "Check SVC_TTS, SVC_TTS_URL, SVC_TTS_KEY.",
    });
    expect(judgeSpeech("voice", [fallback, refused], { settings })).toMatchObject({
      state: "warn",
      fix: "Check SVC_FALLBACK_TTS, SVC_FALLBACK_TTS_URL, SVC_FALLBACK_TTS_KEY.",
    });
    expect(judgeSpeech("voice", [refused], { settings })).toMatchObject({
      state: "fail",
      fix: expect.stringContaining("visitors are offered text"),
    });
    expect(judgeSpeech("round_trip", [refused], { settings })).toMatchObject({ state: "skip" });
  });

  it("prints what the page for operators shows", async () => {
    const page = await readFile(
      new URL("../../../../docs/operate/voice-providers.md", import.meta.url),
      "utf8",
    );
    const first = { ...settings.hearing.first, url: undefined };
    const given = { settings: { ...settings, hearing: { first, fallback: undefined } } };
    const spoke = tried("voice", { detail: "spoke after 143 ms", ms: 143 });
    const detail = "deepgram refuses the key: check the one that is set for it";
    const refused = tried("hearing", { ok: false, detail, ms: 95 });
    const examined = speechChecks.map(({ name }, index) => {
      const { tookMs, fix, ...found } = judgeSpeech(PARTS[index]!, [spoke, refused], given);
      return {
        ...found,
        name,
        ...(fix !== undefined && { fix }),
        ...(tookMs !== undefined && { took_ms: tookMs }),
      };
    });
    const before = { name: "unsettled sessions", state: "ok" as const, took_ms: 4 };
    const lines = [{ ...before, says: "none is past its deadline" }, ...examined];
    const printed = renderExamination(lines, { width: 80, color: false, nowMs: 0 });
    expect(page).toContain(`\`\`\`\n${printed.split("\n\n")[0]}\n\`\`\`\n`);
  });

  // S12
  it("names no key and no password", () => {
    const url = "https://ada:canary@ears.example.com/v1?token=canary";
    const first = { ...settings.hearing.first, url };
    const hidden = { settings: { ...settings, hearing: { first, fallback: undefined } } };
    const found = PARTS.map((part) => judgeSpeech(part, all, hidden));
    expect(JSON.stringify(found)).toContain("https://ears.example.com/v1");
    expect(JSON.stringify(found)).not.toContain("canary");
  });

  it("leaves half a configuration to the check of the configuration", async () => {
    const speech = (): never => {
      throw new AppError("invalid_input", { what: "", why: "", fix: "" });
    };
    for (const one of speechChecks)
      expect((await one.look(operatorUnderTest({ speech }))).state).toBe("skip");
  });

  it("finds nothing ill where all of it works, or where visitors only type", async () => {
    const check = async (): Promise<SpeechCheck[]> => all;
    const operator = operatorUnderTest({
      speech: () => ({ settings, load: async () => {}, check }),
    });
    for (const one of speechChecks) expect((await one.look(operator)).state).toBe("ok");
    for (const one of speechChecks) {
      expect(await one.look(operatorUnderTest())).toMatchObject({
        state: "ok",
        says: expect.stringContaining("visitors type"),
      });
    }
  });
});
