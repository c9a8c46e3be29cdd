import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { number, oneOf, openObject, or, text } from "../shape.ts";
import { deepgramListen } from "./ears/deepgram-listen.ts";
import { openaiTranscriptions } from "./ears/openai-transcriptions.ts";
import type { SpeechParts } from "./speech-parts.ts";
import type { Service } from "./service.ts";
import type { Wire } from "./wire.ts";
import { cartesia } from "./voices/cartesia.ts";
import { elevenlabs } from "./voices/elevenlabs.ts";
import { speakOverHttp } from "./voices/speak-over-http.ts";

/** A vendor's interface. */
export interface Interface {
  service: Service;
  path: RegExp;
  keyIn(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined;
}

export interface Address {
  path: string;
  query: URLSearchParams;
}

export interface SocketInterface extends Interface {
  serve(wire: Wire, address: Address, parts: SpeechParts): void;
}

export interface HttpInterface extends Interface {
  method: "GET" | "POST";
  /** Throws a `Mistake`. */
  serve(request: Request, response: ServerResponse, parts: SpeechParts): Promise<void>;
}

const deepgramKey: Interface["keyIn"] = ({ authorization }) =>
  /^(?:token|bearer) (.+)$/i.exec(authorization ?? "")?.[1];
const cartesiaKey: Interface["keyIn"] = (headers, query) =>
  asText(headers["x-api-key"]) ?? query.get("api_key") ?? deepgramKey(headers, query);
const elevenlabsKey: Interface["keyIn"] = (headers) => asText(headers["xi-api-key"]);
const openaiKey: Interface["keyIn"] = ({ authorization }) =>
  /^bearer (.+)$/i.exec(authorization ?? "")?.[1];

export const socketInterfaces: SocketInterface[] = [
  {
    service: "deepgram_listen",
    path: /^\/v1\/listen$/,
    keyIn: deepgramKey,
    serve: deepgramListen,
  },
  {
    service: "cartesia",
    path: /^\/tts\/websocket$/,
    keyIn: cartesiaKey,
    serve: cartesia,
  },
  {
    service: "elevenlabs",
    path: /^\/v1\/text-to-speech\/[^/]+\/multi-stream-input$/,
    keyIn: elevenlabsKey,
    serve: elevenlabs,
  },
];

export const httpInterfaces: HttpInterface[] = [
  {
    service: "deepgram_speak",
    method: "POST",
    path: /^\/v1\/speak$/,
    keyIn: deepgramKey,
    async serve(request, response, parts) {
      const { searchParams: query } = new URL(request.url);
      const asked = deepgramRequest(await request.json(), "");
      const sampleRate = Number(query.get("sample_rate") ?? 24_000);
      const voice = query.get("model") ?? "";
      const said = { service: "deepgram_speak" as const, text: asked.text, sampleRate, voice };
      await speakOverHttp(response, said, parts);
    },
  },
  {
    service: "openai_speech",
    method: "POST",
    path: /^\/v1\/audio\/speech$/,
    keyIn: openaiKey,
    async serve(request, response, parts) {
      const { input, voice } = openaiRequest(await request.json(), "");
      const said = { service: "openai_speech" as const, text: input, sampleRate: 24_000, voice };
      await speakOverHttp(response, said, parts);
    },
  },
  {
    service: "openai_transcriptions",
    method: "POST",
    path: /^\/v1\/audio\/transcriptions$/,
    keyIn: openaiKey,
    serve: async (request, response, parts) =>
      openaiTranscriptions(await request.formData(), response, parts),
  },
  list("deepgram_speak", /^\/v1\/projects$/, deepgramKey, {
    projects: [{ project_id: "00000000-0000-4000-8000-000000000000", name: "rehearsal" }],
  }),
  list("openai_speech", /^\/v1\/models$/, openaiKey, {
    object: "list",
    data: [{ id: "rehearsal", object: "model", created: 0, owned_by: "svc" }],
  }),
  list("elevenlabs", /^\/v1\/voices$/, elevenlabsKey, {
    voices: [{ voice_id: "rehearsal", name: "Rehearsal", category: "premade" }],
  }),
  list("cartesia", /^\/voices\/?$/, cartesiaKey, {
    data: [{ id: "rehearsal", name: "Rehearsal", language: "en" }],
    has_more: false,
  }),
];

const deepgramRequest = openObject({ text });

const openaiRequest = openObject({
  model: text,
  input: text,
  voice: text,
  response_format: oneOf("pcm"),
  speed: or(number({ from: 0.25, to: 4 }), 1),
});

/** What shows a key to be good, at no cost. */
function list(
  service: Service,
  path: RegExp,
  keyIn: Interface["keyIn"],
  body: object,
): HttpInterface {
  return {
    service,
    method: "GET",
    path,
    keyIn,
    serve(_request, response) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return Promise.resolve();
    },
  };
}

function asText(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
