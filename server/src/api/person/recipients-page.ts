import { fillWords } from "#language";
import { html } from "#platform";
import type { Html, NamedService } from "#platform";
import type { RecipientPurpose, RecipientVersion } from "#rights";
import type { RecipientWords, Words } from "@svc/contract/types";
import type { PersonPage } from "./send-page.ts";

/** Who gets what a visitor says, for visitors who have not decided yet. */
export function recipientsPage({ list, sha256 }: RecipientVersion, all: Words): PersonPage {
  const { recipients: words } = all;
  const { operator, services } = list;
  const { name: brand, privacy, days } = list.brand;
  const fill = (text: string): string => fillWords(text, { brand });
  const mails = [operator, ...services].some(({ purposes }) => purposes.includes("mail"));
  const own = operator.purposes.length > 0 ? [fill(words.own)] : [];
  const version = sha256.toString("hex").slice(0, VERSION_DIGITS);
  return {
    title: words.title,
    body: html`
      <p>${fill(words.intro)}</p>
      <dl>
        ${row({ name: brand }, [fill(words.brand_gets), kept(words, days)], words)}
        ${row(
          operator,
          [fill(words.service_gets), ...own, ...gets(operator.purposes, words, fill)],
          words,
        )}
      </dl>
      ${
        services.length > 0
          ? html`<h2>${words.services}</h2>
              <dl>
                ${services.map((service) =>
                  row(
                    service,
                    [...gets(service.purposes, words, fill), kept(words, service.days)],
                    words,
                  ),
                )}
              </dl>`
          : undefined
      }
      <h2>${words.rights}</h2>
      <p>${fill(words.ask)}</p>
      ${mails ? html`<p>${fill(words.by_mail)}</p>` : undefined}
      ${
        privacy === undefined
          ? undefined
          : html`<div class="actions">
              <a class="button" href="${privacy}" rel="noopener noreferrer">
                ${fill(words.privacy_of)}
              </a>
            </div>`
      }
      <p class="quiet">${fillWords(words.version, { version })}</p>
    `,
  };
}

/** Enough to tell versions apart by eye. */
const VERSION_DIGITS = 12;

function gets(
  purposes: RecipientPurpose[],
  words: RecipientWords,
  fill: (text: string) => string,
): string[] {
  return purposes.map((purpose) => fill(words.purposes[purpose]));
}

function kept(words: RecipientWords, days: number | undefined): Html {
  if (days === undefined) return quiet(words.days_unknown);
  return quiet(days === 0 ? words.no_days : fillWords(words.days, { days: String(days) }));
}

function quiet(text: string): Html {
  return html`<span class="quiet">${text}</span>`;
}

function row(
  { name, host, privacy }: NamedService,
  lines: (string | Html)[],
  words: RecipientWords,
): Html {
  return html`<div>
    <dt><b>${name ?? host}</b>${name === undefined ? undefined : host}</dt>
    <dd class="gets">
      ${lines.map((line) => html`<p>${line}</p>`)}
      ${
        privacy === undefined
          ? undefined
          : html`<p><a href="${privacy}" rel="noopener noreferrer">${words.privacy}</a></p>`
      }
    </dd>
  </div>`;
}
