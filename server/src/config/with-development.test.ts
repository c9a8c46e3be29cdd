import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withDevelopment } from "./with-development.ts";

const RUNNING = {
  SVC_DATABASE_URL: "postgres://127.0.0.1/dev",
  SVC_SECRET_KEYS: "k1:theirs",
  SVC_MODEL_URL: "https://models.example.com/v1",
  SVC_MODEL_KEY: "key-1",
  SVC_EVALUATION_MODEL: "large",
  SVC_FALLBACK_MODEL_KEY: "key-2",
  SVC_EVALUATION_FALLBACK_MODEL: "small",
  SVC_STT: "deepgram",
  SVC_STT_KEY: "key-3",
  SVC_TTS: "cartesia",
  SVC_TTS_KEY: "key-4",
};
const MINE = "https://mine.example.com/v1";

/** What a command beside `npm run dev` reads. */
function beside(shell: Record<string, string>): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), "svc-with-development-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "svc.env");
  const lines = Object.entries(RUNNING).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(""));
  return withDevelopment(file, shell);
}

test("a database that the shell names is meant, and nothing of what runs counts", () => {
  const shell = { SVC_DATABASE_URL: "postgres://other.example/svc" };
  expect(beside(shell)).toEqual(shell);
});

test("without a file the shell is all there is", () => {
  expect(withDevelopment("none", { SVC_STT: "openai" })).toEqual({ SVC_STT: "openai" });
});

test("settings of another installation do not mix with the database that runs", () => {
  expect(beside({ SVC_DATABASE_URL: "", SVC_SECRET_KEYS: "k9:other" })).toEqual(RUNNING);
});

test("the shell's settings of models and speech go first, empty ones do not", () => {
  const shell = { SVC_EVALUATION_MODEL: "careful", SVC_TTS_VOICE: "bo" };
  expect(beside({ ...shell, SVC_STT_KEY: "" })).toEqual({ ...RUNNING, ...shell });
});

test("no key of the shell goes to an address of what runs", () => {
  expect(beside({ SVC_MODEL_KEY: "mine", SVC_STT_KEY: "mine" })).toEqual(RUNNING);
  const shell = { SVC_MODEL_URL: MINE, SVC_MODEL_KEY: "mine" };
  expect(beside(shell)).toMatchObject(shell);
});

test("no key of what runs goes to an address of the shell", () => {
  const {
    SVC_MODEL_URL: _url,
    SVC_MODEL_KEY: _key,
    SVC_EVALUATION_MODEL: _model,
    SVC_FALLBACK_MODEL_KEY: _fallbackKey,
    SVC_EVALUATION_FALLBACK_MODEL: _fallback,
    ...noModels
  } = RUNNING;
  const shell = { SVC_MODEL_URL: MINE, SVC_EVALUATION_MODEL: "mine" };
  expect(beside(shell)).toEqual({ ...noModels, ...shell });
  const moved = beside({ SVC_FALLBACK_MODEL_URL: MINE });
  expect(moved["SVC_MODEL_KEY"]).toBe("key-1");
  expect(moved["SVC_FALLBACK_MODEL_KEY"]).toBeUndefined();
  const heard = beside({ SVC_STT: "openai" });
  expect(heard["SVC_STT_KEY"]).toBeUndefined();
  expect(heard["SVC_TTS_KEY"]).toBe("key-4");
});

test("a file of the shell counts as the variable does whose value it holds", () => {
  const database = { SVC_DATABASE_URL_FILE: "/run/secrets/database" };
  expect(beside(database)).toEqual(database);
  const others = {
    SVC_SECRET_KEYS_FILE: "/run/secrets/keys",
    SVC_STT_KEY_FILE: "/run/secrets/stt",
  };
  expect(beside(others)).toEqual(RUNNING);
  const { SVC_TTS_KEY: _, ...rest } = RUNNING;
  const voice = { SVC_TTS: "openai", SVC_TTS_KEY_FILE: "/run/secrets/tts" };
  expect(beside(voice)).toEqual({ ...rest, ...voice });
});
