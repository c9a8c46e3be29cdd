import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import * as z from "zod";
import { ApiError, nothingAt, sendError } from "../language-model/api-error.ts";
import { orElse, readValue } from "../read-value.ts";
import type { Service } from "./fault.ts";
import { deepgramListen } from "./recognition/deepgram-listen.ts";
import { openaiTranscriptions } from "./recognition/openai-transcriptions.ts";
import { bytesOf } from "./sound.ts";
import { cartesia } from "./voices/cartesia.ts";
import { elevenlabs } from "./voices/elevenlabs.ts";
import { utter } from "./voices/utter.ts";
import { admit } from "./wire.ts";
import type { Interface, SocketInterface, SpeechParts } from "./wire.ts";

interface HttpInterface extends Interface {
  method: "GET" | "POST";
  /** Throws a `Mistake`. */
  serve(request: Request, response: ServerResponse, parts: SpeechParts): Promise<void>;
}

type KeyIn = Interface["keyIn"];

const deepgramKey: KeyIn = ({ authorization = "" }) =>
  /^(?:token|bearer) (.+)$/i.exec(authorization)?.[1];
const cartesiaKey: KeyIn = (headers) => asText(headers["x-api-key"]);
const elevenlabsKey: KeyIn = (headers) => asText(headers["xi-api-key"]);
const openaiKey: KeyIn = ({ authorization = "" }) => /^bearer (.+)$/i.exec(authorization)?.[1];

function asText(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

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

const deepgramSpeech = z.object({ text: z.string() });

const openaiSpeech = z.object({
  model: z.string(),
  input: z.string(),
  voice: z.string(),
  response_format: z.literal("pcm"),
  speed: orElse(z.number().min(0.25).max(4), 1),
});

const httpInterfaces: HttpInterface[] = [
  speaking("deepgram_speak", /^\/v1\/speak$/, deepgramKey, (body, query) => ({
    text: readValue(deepgramSpeech, body).text,
    sampleRate: Number(query.get("sample_rate") ?? 24_000),
    voice: query.get("model") ?? "",
  })),
  speaking("openai_speech", /^\/v1\/audio\/speech$/, openaiKey, (body) => {
    const { input, voice } = readValue(openaiSpeech, body);
    return { text: input, sampleRate: 24_000, voice };
  }),
  {
    service: "openai_transcriptions",
    method: "POST",
    path: /^\/v1\/audio\/transcriptions$/,
    keyIn: openaiKey,
    serve: async (request, response, parts) =>
      openaiTranscriptions(await request.formData(), response, parts),
  },
  listing("deepgram_speak", /^\/v1\/projects$/, deepgramKey, {
    projects: [{ project_id: "00000000-0000-4000-8000-000000000000", name: "rehearsal" }],
  }),
  listing("openai_speech", /^\/v1\/models$/, openaiKey, {
    object: "list",
    data: [{ id: "rehearsal", object: "model", created: 0, owned_by: "svc" }],
  }),
];

interface Spoken {
  text: string;
  sampleRate: number;
  voice: string;
}

/** Answers with the sound of a text: bare samples, as they are made. */
function speaking(
  service: Service,
  path: RegExp,
  keyIn: KeyIn,
  read: (body: unknown, query: URLSearchParams) => Spoken,
): HttpInterface {
  return {
    service,
    method: "POST",
    path,
    keyIn,
    async serve(request, response, parts) {
      const asked = read(await request.json(), new URL(request.url).searchParams);
      const closed = new AbortController();
      response.once("close", () => closed.abort());
      const isSaid = await utter(
        parts,
        { service, ...asked, signal: closed.signal },
        {
          words() {},
          piece(pcm) {
            if (!response.headersSent) response.writeHead(200, { "content-type": "audio/pcm" });
            response.write(bytesOf(pcm));
          },
          cut: () => response.destroy(),
        },
      );
      if (isSaid) response.end();
    },
  };
}

/** Lists something, which shows a key to be good at no cost. */
function listing(service: Service, path: RegExp, keyIn: KeyIn, body: object): HttpInterface {
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

/** What the vendors answer over plain HTTP. */
export function vendorApis(parts: SpeechParts): RequestListener {
  return (incoming, response) => {
    answer(incoming, response).catch((error: unknown) => sendError(response, error));
  };

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = incoming;
    const url = new URL(incoming.url ?? "/", "http://speech");
    const found = httpInterfaces.find(
      (one) => one.method === method && one.path.test(url.pathname),
    );
    if (found === undefined) throw nothingAt(method, url.pathname);
    const status = admit(found, url.searchParams, headers, parts);
    if (status !== undefined) {
      throw new ApiError(status, { message: "Refused.", type: "invalid_request_error" });
    }
    const body = await buffer(incoming);
    const request = new Request(url, {
      method: found.method,
      headers: { "content-type": headers["content-type"] ?? "application/json" },
      ...(method !== "GET" && { body }),
    });
    await found.serve(request, response, parts);
  }
}
