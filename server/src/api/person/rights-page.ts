import { fillWords, longDate } from "#language";
import { html } from "#platform";
import type { Html } from "#platform";
import type { PersonWords, Words } from "@svc/contract/types";
import type { KeptConversation } from "./kept-conversation.ts";
import type { PersonPage } from "./send-page.ts";

/**
 * Everything that is kept of a conversation, and what its visitor may do about it. Before the
 * confirmation only what the mail itself told, and the way to delete it.
 */
export function rightsPage(kept: KeptConversation, token: string, all: Words): PersonPage {
  const { rights: words } = all.person;
  const { brandName: brand, agentName: agent, email, isReadable } = kept;
  const date = longDate(kept.startedAt, all);
  const until = longDate(kept.keptUntil, all);
  const unconfirmed = fillWords(words.unconfirmed, { link: all.mail.follow_up.confirm });
  return {
    title: fillWords(words.title, { brand }),
    body: html`
      <p>${fillWords(words.intro, { agent, brand, date })}</p>
      <p class="quiet">${words.keep_link}</p>
      <h2>${words.said}</h2>
      ${isReadable ? spoken(kept, words) : html`<p>${unconfirmed}</p>`}
      <h2>${words.kept}</h2>
      <dl>
        ${row(words.address, email)} ${row(words.summary, isReadable ? kept.summary : undefined)}
        ${row(words.from_page, isReadable ? passedOn(kept) : undefined)}
        ${row(words.assessment, fillWords(words.assessment_is, { brand }))}
        ${row(words.heard, recipientsLink(kept, words.heard_is, all))}
        ${row(words.until, fillWords(words.until_is, { date: until }))}
      </dl>
      ${
        isReadable
          ? html`<div class="actions">
              <a class="button strong" href="${token}/conversation.json" download>
                ${words.download}
              </a>
            </div>`
          : undefined
      }
      <h2>${words.delete}</h2>
      <div class="actions">
        <a class="button danger" href="${token}/delete?what=conversation">
          ${words.delete_conversation}
        </a>
        <a class="button danger" href="${token}/delete?what=everything">
          ${fillWords(words.delete_everything, { address: email, brand })}
        </a>
      </div>
    `,
  };
}

function spoken({ turns, agentName }: KeptConversation, words: PersonWords["rights"]): Html {
  if (turns.length === 0) return html`<p>${words.nothing_said}</p>`;
  const lines = turns.map(({ role, content, interrupted }) => {
    const [side, who] = role === "user" ? ["you", words.you] : ["agent", agentName];
    const text = interrupted ? `${content.trimEnd()} —` : content;
    return html`<li class="${side}">
      <span class="who">${who}</span><span class="text">${text}</span>
    </li>`;
  });
  const wasCut = turns.some(({ interrupted }) => interrupted);
  return html`<ol>
      ${lines}
    </ol>
    ${wasCut ? html`<p class="quiet">${words.cut}</p>` : undefined}`;
}

/** What the visitor could read before the start. */
function recipientsLink(
  { agentId, recipientsSha256: version }: KeptConversation,
  text: string,
  { language }: Words,
): Html | undefined {
  if (version === undefined) return undefined;
  const address = `../who-hears-you/${agentId}?version=${version}&language=${language}`;
  return html`<a href="${address}">${text}</a>`;
}

function row(name: string, value: string | Html | undefined): Html | undefined {
  if (value === undefined || value === "") return undefined;
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** The address has a row of its own. */
function passedOn({ metadata }: KeptConversation): string {
  return Object.entries(metadata)
    .filter(([key]) => key !== "email")
    .map(([key, value]) => `${key}: ${value}`)
    .join("\n");
}

/** Behind the mail's second link. With a button, because programs that follow every link of a mail must not confirm anything. */
export function claimPage(kept: KeptConversation, token: string, all: Words): PersonPage {
  const { claim: words } = all.person;
  const { brandName: brand, email: address, startedAt } = kept;
  return {
    title: words.title,
    body: html`
      <p>${fillWords(words.question, { address, brand, date: longDate(startedAt, all) })}</p>
      <form class="actions" method="post" action="${token}">
        <button class="button strong">${words.yes}</button>
      </form>
      <p class="quiet">${words.not_you}</p>
    `,
  };
}
