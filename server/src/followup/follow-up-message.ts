import type { AddressMarks } from "./address-marks.ts";
import { shownFileUrl } from "#agents";
import type { AgentConfig, DemoAgent } from "#agents";
import { agentTexts } from "#conversation";
import { Source, wordsOf } from "#language";
import type { MailMessage } from "#platform";
import { composeFollowUp } from "./letter/compose-letter.ts";
import type { PersonLinks } from "./person-links.ts";
import type { Addressee } from "./store.ts";

/** The complete mail to one prospect. The same session always yields the same message, including its id. */
export function followUpMessage(
  addressee: Addressee,
  agent: DemoAgent,
  options: {
    links: PersonLinks;
    marks: AddressMarks;
    publicUrl: string;
    confirmTranscript: boolean;
  },
): MailMessage {
  const { links, marks, publicUrl, confirmTranscript } = options;
  const { config } = agent;
  const { sessionId, accountId, agentId, email } = addressee;
  const { name, link, cta, logo, colors } = config.brand;
  const action = cta ?? (link === undefined ? undefined : { text: new URL(link).host, link });
  const unsubscribeUrl = links.unsubscribe({ sessionId, accountId, mark: marks.marks(email)[0] });
  const language = addressee.language ?? config.defaultLanguage;
  const words = wordsOf(config.languages, language);
  const letter = composeFollowUp({
    said: {
      language,
      owner: agentTexts(agent).open,
      ours: [new Source(textsOf(words).join("\n"))],
      visitor: addressee.visitorTexts.map((text) => new Source(text)),
    },
    words,
    agentName: config.name,
    brandName: name,
    ...(colors?.primary !== undefined && { accent: colors.primary }),
    ...(logo !== undefined && { logoUrl: shownFileUrl(publicUrl, agentId, logo.sha256) }),
    startedAt: addressee.startedAt,
    prospectSummary: addressee.prospectSummary,
    rightsUrl: links.rights(sessionId),
    ...(confirmTranscript && { confirmUrl: links.confirm(sessionId) }),
    unsubscribeUrl,
    allowedHosts: ownHosts(config),
    ...(action !== undefined && { link: { text: action.text, url: action.link } }),
  });
  return {
    ...letter,
    to: email,
    fromName: name,
    messageId: `follow-up.${sessionId}@${new URL(publicUrl).hostname}`,
    headers: {
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

function textsOf(value: string | object): string[] {
  return typeof value === "string" ? [value] : Object.values(value).flatMap(textsOf);
}

/** The hosts that the customer has named as their own. */
function ownHosts({ brand, person, allowedOrigins }: AgentConfig): string[] {
  const urls = [brand.link, brand.cta?.link, person, ...allowedOrigins].filter(
    (url) => url !== undefined,
  );
  const hosts = urls.flatMap((url) => (/^https?:/.test(url) ? [new URL(url).hostname] : []));
  return [...new Set(hosts)];
}
