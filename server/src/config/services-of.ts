import { namedService, SPEECH_URLS } from "#platform";
import type { PartServices, ServiceInUse, ServicePurpose } from "#platform";
import type { Config } from "./server-config.ts";

/** The services outside that get something of what visitors say, by the part of this process that sends it. */
export function servicesOf(config: Config): PartServices {
  const { conversation, models, embeddings, mail } = config;
  const { first, fallback, verifier } = conversation?.models ?? {};
  const { hearing, voice } = conversation?.speech ?? {};
  const urls = (places: ({ url: string } | undefined)[]): string[] =>
    places.flatMap((place) => place?.url ?? []);
  const speechUrls = (speech: typeof hearing | typeof voice): string[] =>
    [speech?.first, speech?.fallback].flatMap((one) =>
      one === undefined ? [] : (one.url ?? SPEECH_URLS[one.provider]),
    );
  const services = (purpose: ServicePurpose, at: string[]): ServiceInUse[] =>
    at.map((url) => ({ purpose, ...namedService(url, config.recipientNames, config.publicUrl) }));

  const mails = services("mail", urls([mail]));
  return {
    ...(config.role !== "live" && config.role !== "pipeline" && { api: mails }),
    ...(conversation && {
      live: [
        ...services("answers", urls([first, fallback, verifier])),
        ...services("hearing", speechUrls(hearing)),
        ...services("voice", speechUrls(voice)),
        ...services("sound", urls([conversation.livekit])),
        ...services("search", urls([embeddings])),
      ],
    }),
    ...(models && {
      pipeline: [...services("assessment", urls([models.first, models.fallback])), ...mails],
    }),
  };
}
