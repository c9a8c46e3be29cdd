import { shownFileUrl } from "#agents";
import type { AgentConfig } from "#agents";
import { wordsOf } from "#language";
import type { MailMessage } from "#platform";
import { composeFollowUp } from "./letter/compose-letter.ts";
import type { AddressMarks, PersonLinks } from "./person-links.ts";
import type { Addressee } from "./store.ts";

/** The complete mail to one prospect. The same session always yields the same message, including its id. */
export function followUpMessage(
  addressee: Addressee,
  config: AgentConfig,
  { links, marks, publicUrl }: { links: PersonLinks; marks: AddressMarks; publicUrl: string },
): MailMessage {
  const { sessionId, accountId, agentId, email } = addressee;
  const { name, link, logo, colors } = config.brand;
  const unsubscribeUrl = links.unsubscribe({ sessionId, accountId, mark: marks.marks(email)[0] });
  const language = addressee.language ?? config.defaultLanguage;
  const letter = composeFollowUp({
    language,
    words: wordsOf(config.languages, language),
    agentName: config.name,
    brandName: name,
    ...(colors?.primary !== undefined && { accent: colors.primary }),
    ...(logo !== undefined && { logoUrl: shownFileUrl(publicUrl, agentId, logo.sha256) }),
    startedAt: addressee.startedAt,
    prospectSummary: addressee.prospectSummary,
    rightsUrl: links.rights(sessionId),
    unsubscribeUrl,
    allowedHosts: ownHosts(config),
    ...(link !== undefined && { link: { text: new URL(link).host, url: link } }),
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

/** The hosts that the customer has named as their own. */
function ownHosts({ brand, person, allowedOrigins }: AgentConfig): string[] {
  const urls = [brand.link, person, ...allowedOrigins].filter((url) => url !== undefined);
  const hosts = urls.flatMap((url) => (/^https?:/.test(url) ? [new URL(url).hostname] : []));
  return [...new Set(hosts)];
}
