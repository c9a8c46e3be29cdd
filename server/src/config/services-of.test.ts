import { expect, it } from "vitest";
import { Environment } from "./environment.ts";
import { parseEnvironment } from "./parse-environment.ts";
import { toConfig } from "./server-config.ts";
import { servicesOf } from "./services-of.ts";

const SECRET = "planted";
const at = (scheme: string, host: string): string =>
  `${scheme}://user-${SECRET}:${SECRET}@${host}:4443/${SECRET}/v1?key=${SECRET}`;

function services(given: Record<string, string>): ReturnType<typeof servicesOf> {
  const environment = {
    SVC_DATABASE_URL: "postgres://svc:svc@127.0.0.1/svc",
    SVC_EXPORT_DATABASE_URL: "postgres://svc_export:svc@127.0.0.1/svc",
    SVC_PUBLIC_URL: "https://talk.example.com",
    SVC_MODEL_URL: at("https", "api.openai.com"),
    SVC_MODEL_KEY: SECRET,
    SVC_EVALUATION_MODEL: `model-${SECRET}`,
    SVC_SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
    ...given,
  };
  return servicesOf(toConfig(parseEnvironment(Environment, environment), true));
}

const OPENAI = { name: "OpenAI", host: "api.openai.com" };

it("names every service that gets something of visitors, and nothing of its address but the host", () => {
  const all = services({
    SVC_EVALUATION_FALLBACK_MODEL: "other",
    SVC_FALLBACK_MODEL_URL: at("https", "LLM.Example.NET"),
    SVC_VERIFIER_MODEL: "off",
    SVC_STT: "deepgram",
    SVC_TTS: "cartesia",
    SVC_FALLBACK_TTS: "openai",
    SVC_FALLBACK_TTS_URL: at("https", "voice.example.org"),
    SVC_LIVEKIT_URL: "wss://livekit.example.com",
    SVC_LIVEKIT_KEY: "svc",
    SVC_LIVEKIT_SECRET: SECRET.repeat(8),
    SVC_EMBEDDINGS_MODEL: "near",
    SVC_SMTP_URL: at("smtps", "smtp.postmarkapp.com"),
    SVC_MAIL_FROM: "hello@example.com",
    SVC_TRACES_URL: at("https", "traces.example.com"),
    SVC_OIDC_ISSUER: "https://login.example.com",
    SVC_OIDC_CLIENT_ID: "console",
    SVC_OIDC_CLIENT_SECRET: SECRET,
  });
  const mail = { purpose: "mail", name: "Postmark", host: "smtp.postmarkapp.com" };
  // Traces carry no words, and who signs in to the console is nobody's visitor.
  expect(all).toEqual({
    api: [mail],
    live: [
      { purpose: "answers", ...OPENAI },
      { purpose: "answers", host: "llm.example.net" },
      { purpose: "hearing", name: "Deepgram", host: "api.deepgram.com" },
      { purpose: "voice", name: "Cartesia", host: "api.cartesia.ai" },
      { purpose: "voice", host: "voice.example.org" },
      { purpose: "sound", host: "livekit.example.com" },
      { purpose: "search", ...OPENAI },
    ],
    pipeline: [
      { purpose: "assessment", ...OPENAI },
      { purpose: "assessment", host: "llm.example.net" },
      mail,
    ],
  });
  expect(JSON.stringify(all)).not.toContain(SECRET);
});

it("says only what the parts of this process use", () => {
  expect(Object.keys(services({ SVC_ROLE: "api" }))).toEqual(["api"]);
  expect(Object.keys(services({ SVC_ROLE: "live" }))).toEqual(["live"]);
  expect(Object.keys(services({ SVC_ROLE: "pipeline" }))).toEqual(["pipeline"]);
});

it.each([
  "127.0.0.1",
  "10.1.2.3",
  "[fd00::7]",
  "[::1]",
  "169.254.169.254",
  "localhost",
  "llm",
  "llm.prod.internal",
  "LLM.Local",
  "llm.svc.cluster.local.",
  "talk.example.com",
])("keeps to itself that a model runs at %s", (host) => {
  const { live } = services({ SVC_MODEL_URL: `http://${host}:8000/v1` });
  expect(live).toEqual([{ purpose: "answers" }, { purpose: "answers" }]);
});

it("takes the operator's word for who is behind a host, inside too", () => {
  const acme = { name: "Acme GPU Ltd, Oslo", days: 0, privacy: "https://acme.example/privacy" };
  const { pipeline } = services({
    SVC_MODEL_URL: "https://llm.prod.internal/v1",
    SVC_RECIPIENTS: JSON.stringify({ "llm.prod.internal": acme }),
  });
  expect(pipeline).toEqual([{ purpose: "assessment", ...acme }]);
});

it.each([
  "no JSON",
  "[]",
  '{"api.example.com": "Example"}',
  '{"api.example.com": {"days": 3}}',
  '{"https://api.example.com/v1": {"name": "Example"}}',
  '{"api.example.com": {"name": "Example", "privacy": "javascript:alert(1)"}}',
])("refuses %s as names of recipients", (SVC_RECIPIENTS) => {
  expect(() => services({ SVC_RECIPIENTS })).toThrow("SVC_RECIPIENTS: must be JSON such as");
});
