import { expect, test } from "vitest";
import { ExplainedError } from "./explained-error.ts";
import {
  childEnvironment,
  ownPlaces,
  ownSettings,
  readOptions,
  serverSettings,
  whoIsAsked,
} from "./settings.ts";

const STAND_IN = "http://127.0.0.1:9";
const OTHER = "postgres://svc@production/svc";

function settingsWith(shell: Record<string, string>): Record<string, string> {
  return serverSettings({
    databaseUrl: "postgres://127.0.0.1/dev",
    exportDatabaseUrl: "postgres://svc_export@127.0.0.1/dev",
    port: 1,
    operationsPort: 2,
    modelUrl: STAND_IN,
    speechUrl: STAND_IN,
    smtpUrl: "smtp://127.0.0.1:3",
    dnsServer: "127.0.0.1:4",
    secretKeys: "k1:",
    own: ownSettings(shell),
  });
}

test("settings of another installation never reach what the runner starts", () => {
  const environment = {
    PATH: "/bin",
    SVC_DATABASE_URL: OTHER,
    SVC_CELL: "zz",
    SVC_SMTP_URL: "smtps://mail.example.com",
  };
  expect(childEnvironment(environment, { SVC_PORT: "1" }, "/cache")).toEqual({
    NODE_COMPILE_CACHE: "/cache",
    PATH: "/bin",
    SVC_PORT: "1",
  });
  expect(settingsWith(environment)).toEqual(settingsWith({}));
});

test("a model of the shell takes the stand-in's place, with every setting of it", () => {
  const shell = {
    SVC_MODEL_URL: "https://models.example.com/v1",
    SVC_EVALUATION_MODEL: "careful",
    SVC_EVALUATION_FALLBACK_MODEL: "other",
    SVC_FALLBACK_MODEL_URL: "https://other.example.com/v1",
    SVC_MODEL_PRICES: "careful=1/2",
    SVC_MODEL_TIMEOUT_SECS: "9",
  };
  const settings = settingsWith(shell);
  expect(settings).toMatchObject({ ...shell, SVC_STT_URL: STAND_IN, SVC_TTS_URL: STAND_IN });
  // A name or key of the stand-in would be meant for nobody there.
  expect(Object.keys(settings)).not.toContain("SVC_CONVERSATION_MODEL");
  expect(Object.keys(settings)).not.toContain("SVC_MODEL_KEY");
});

test("a speech-to-text or a voice of the shell takes the stand-in's place, the other half stays", () => {
  const shell = { SVC_STT: "openai", SVC_STT_KEY: "key", SVC_FALLBACK_STT: "deepgram" };
  const settings = settingsWith({ ...shell, SVC_TTS: "" });
  expect(settings).toMatchObject({ ...shell, SVC_TTS: "cartesia", SVC_TTS_URL: STAND_IN });
  expect(Object.keys(settings)).not.toContain("SVC_STT_URL");
});

test("beside a stand-in no other is asked, not as a fallback either", () => {
  const shell = {
    SVC_FALLBACK_MODEL_URL: "https://other.example.com/v1",
    SVC_EVALUATION_FALLBACK_MODEL: "other",
    SVC_FALLBACK_TTS: "elevenlabs",
  };
  expect(settingsWith(shell)).toEqual(settingsWith({}));
});

test("without an address of its own a name or key of the shell goes to no stand-in", () => {
  const shell = {
    SVC_MODEL_URL: "",
    SVC_MODEL_KEY: "secret",
    SVC_EVALUATION_MODEL: "careful",
    SVC_CONVERSATION_MODEL: "quick",
    SVC_STT_KEY: "secret",
  };
  expect(settingsWith(shell)).toEqual(settingsWith({}));
});

test("who is asked is told without what is secret", () => {
  const { model, hearing, voice } = ownPlaces({
    SVC_MODEL_URL: "https://user:secret@models.example.com:8443/v1?key=secret",
    SVC_STT: "deepgram",
    SVC_TTS: "openai",
    SVC_TTS_URL: "wss://voice.example.com/secret",
  });
  expect(whoIsAsked(STAND_IN, model)).toBe("models.example.com:8443 (yours)");
  expect(whoIsAsked(STAND_IN, hearing, voice)).toBe("deepgram (yours), voice.example.com (yours)");
  expect(whoIsAsked(STAND_IN, hearing, undefined)).toBe(`deepgram (yours), ${STAND_IN}`);
  expect(whoIsAsked(STAND_IN, undefined, undefined)).toBe(STAND_IN);
  expect(ownPlaces({ SVC_MODEL_URL: "secret" }).model).toBe("an address that cannot be read");
});

test("without flags it uses the usual ports and keeps the data", () => {
  expect(readOptions([], {})).toEqual({ port: 8080, pagePort: 8000, fresh: false, livekit: false });
});

test("a flag wins over the environment", () => {
  const environment = { SVC_DEV_PORT: "9000", SVC_DEV_PAGE_PORT: "9001" };
  expect(readOptions(["--port", "9100", "--fresh"], environment)).toEqual({
    port: 9100,
    pagePort: 9001,
    fresh: true,
    livekit: false,
  });
});

test.for([
  [["--port", "http"], "must be a number"],
  [["--port", "0"], "must be a number"],
  [["--port", "65536"], "must be a number"],
  [["--port", "8000"], "cannot share port 8000"],
  [["--frsh"], "--frsh"],
  [["now"], "now"],
] as const)("%j is explained", ([argv, words]) => {
  const read = (): unknown => readOptions([...argv], {});
  expect(read).toThrow(ExplainedError);
  expect(read).toThrow(expect.objectContaining({ why: expect.stringContaining(words) as string }));
});

test("help asks for nothing else", () => {
  expect(readOptions(["--help"], {})).toBeUndefined();
});
