import type { LetterLanguage } from "#followup";
import { html } from "#platform";
import { personWords } from "./person-words.ts";
import type { KeptConversation } from "./read-kept.ts";
import type { PersonPage } from "./send-page.ts";

/** One button. Programs that follow every link of a mail must not unsubscribe anybody. */
export function unsubscribePage(
  { email, brandName }: KeptConversation,
  token: string,
  language: LetterLanguage,
): PersonPage {
  const { unsubscribe: words } = personWords(language);
  return {
    title: words.title(brandName),
    body: html`
      <p>${words.question(email, brandName)}</p>
      <form class="actions" method="post" action="${token}">
        <button class="button strong">${words.yes}</button>
      </form>
    `,
  };
}

export function unsubscribedPage(
  { email, brandName }: KeptConversation,
  language: LetterLanguage,
): PersonPage {
  const { unsubscribe: words } = personWords(language);
  return { title: words.doneTitle, body: html`<p>${words.done(email, brandName)}</p>` };
}
