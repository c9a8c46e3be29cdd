import { html } from "#platform";
import type { Html } from "#platform";

export interface LetterPage {
  language: string;
  direction: "ltr" | "rtl";
  title: string;
  brand: string;
  accent?: string | undefined;
  logoUrl?: string | undefined;
  body: Html;
  button?: { text: string; url: string } | undefined;
  after?: Html | undefined;
  small: Html;
}

/**
 * A mail as HTML. It uses tables and inline styles, because mail programs ignore the rest; the
 * style sheet is only for dark mode. Nothing is loaded except the brand's logo, whose URL is the
 * same for everybody and so tracks nobody.
 */
export function letterPage(page: LetterPage): string {
  // Not `start`, which some mail programs do not know; and they drop what the element html says.
  const side = page.direction === "rtl" ? "right" : "left";
  return String(
    html`<!doctype html>
      <html lang="${page.language}" dir="${page.direction}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <meta
            name="format-detection"
            content="telephone=no, date=no, address=no, email=no, url=no"
          />
          <title>${page.title}</title>
          <style>
            ${DARK}
          </style>
        </head>
        <body class="paper" style="margin:0;padding:0;background-color:#ffffff">
          <table
            role="presentation"
            dir="${page.direction}"
            class="paper"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            border="0"
            style="background-color:#ffffff"
          >
            <tr>
              <td align="center" style="padding:32px 16px">
                <table
                  role="presentation"
                  width="100%"
                  cellpadding="0"
                  cellspacing="0"
                  border="0"
                  style="max-width:568px"
                >
                  <tr>
                    <td
                      class="ink"
                      style="${TEXT};color:#14181f;text-align:${side};padding-bottom:32px"
                    >
                      ${masthead(page)}
                      <h1 style="margin:0 0 16px;font-size:28px;line-height:1.2;font-weight:650">
                        ${page.title}
                      </h1>
                      ${page.body} ${page.button && button(page.button, page.accent)} ${page.after}
                    </td>
                  </tr>
                  <tr>
                    <td
                      class="quiet line"
                      style="${TEXT};font-size:13px;color:#5b6472;text-align:${side};border-top:1px solid #e3e7ec;padding-top:24px"
                    >
                      ${page.small}
                    </td>
                  </tr>
                </table>
              </td>
            </tr>
          </table>
        </body>
      </html> `,
  );
}

const TEXT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:17px;line-height:1.45;overflow-wrap:anywhere;word-break:break-word";

/** The dark colours, for mail programs that support `prefers-color-scheme`. */
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .paper { background-color: #12161c !important }
  .ink { color: #eef1f5 !important }
  .quiet { color: #9aa4b2 !important }
  .wash { background-color: #1a2028 !important }
  .line { border-color: #2a313b !important }
}
`;

/** The logo on white in both modes, because most logos are drawn for a white background. */
function masthead({ brand, logoUrl }: LetterPage): Html {
  const name = html`<p style="margin:0 0 24px;font-size:15px;font-weight:600">${brand}</p>`;
  if (URL.parse(logoUrl ?? "")?.protocol !== "https:") return name;
  return html`<p style="margin:0 0 24px">
    <img
      src="${logoUrl}"
      alt="${brand}"
      height="40"
      style="display:inline-block;height:40px;width:auto;max-width:200px;padding:4px;border:0;border-radius:8px;background-color:#ffffff;color:#14181f;font-size:15px;font-weight:600"
    />
  </p>`;
}

function button({ text, url }: { text: string; url: string }, accent: string | undefined): Html {
  const colour = sixDigits(accent ?? "") ?? "#0f766e";
  return html`<table
    role="presentation"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:0 0 24px"
  >
    <tr>
      <td bgcolor="${colour}" style="background-color:${colour};border-radius:8px">
        <a
          href="${url}"
          style="display:inline-block;padding:12px 20px;border-radius:8px;font-size:15px;font-weight:600;text-decoration:none;color:${inkOn(colour)}"
          >${text}</a
        >
      </td>
    </tr>
  </table>`;
}

/** Some mail programs do not support the three-digit form. */
function sixDigits(colour: string): string | undefined {
  if (!/^#(?:[0-9a-f]{3}){1,2}$/i.test(colour)) return undefined;
  return colour.length === 7 ? colour : colour.replaceAll(/[0-9a-f]/gi, "$&$&");
}

/** White or dark text, whichever contrasts more, by WCAG's relative luminance. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 ? "#14181f" : "#ffffff";
}
