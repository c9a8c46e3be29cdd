import { letterDate } from "#followup";
import type { LetterLanguage } from "#followup";
import { html } from "#platform";
import type { Html } from "#platform";
import { personWords } from "./send-page.ts";
import type { PersonWords } from "./words/words.ts";
import type { KeptConversation } from "./kept-conversation.ts";
import type { PersonPage } from "./send-page.ts";

/** Everything that is kept of a conversation, and what its visitor may do about it. */
export function rightsPage(
  kept: KeptConversation,
  token: string,
  language: LetterLanguage,
): PersonPage {
  const { rights: words } = personWords(language);
  const { brandName, agentName, email } = kept;
  return {
    title: words.title(brandName),
    body: html`
      <p>${words.intro(agentName, brandName, letterDate(kept.startedAt, language))}</p>
      <p class="quiet">${words.keepLink}</p>
      <h2>${words.said}</h2>
      ${spoken(kept, words)}
      <h2>${words.kept}</h2>
      <dl>
        ${row(words.address, email)} ${row(words.summary, kept.summary)}
        ${row(words.fromPage, passedOn(kept))}
        ${row(words.assessment, words.assessmentIs(brandName))}
        ${row(words.until, words.untilIs(letterDate(kept.keptUntil, language)))}
      </dl>
      <div class="actions">
        <a class="button strong" href="${token}/conversation.json" download>${words.download}</a>
      </div>
      <h2>${words.delete}</h2>
      <div class="actions">
        <a class="button danger" href="${token}/delete?what=conversation">
          ${words.deleteConversation}
        </a>
        <a class="button danger" href="${token}/delete?what=everything">
          ${words.deleteEverything(email, brandName)}
        </a>
      </div>
    `,
  };
}

function spoken({ turns, agentName }: KeptConversation, words: PersonWords["rights"]): Html {
  if (turns.length === 0) return html`<p>${words.nothingSaid}</p>`;
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

function row(name: string, value: string | undefined): Html | undefined {
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
