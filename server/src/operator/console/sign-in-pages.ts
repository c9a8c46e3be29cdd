import { hashedScript, hashedStyle, html, htmlPage } from "#platform";
import type { Html } from "#platform";
import type { ConsoleMe } from "@svc/contract/types";
import type { FastifyReply } from "fastify";

interface ConsolePage {
  title: string;
  body: Html;
  /** The page that this one leads on to by itself. */
  refreshTo?: string;
}

/**
 * The token of a link is in its fragment, which browsers send to nobody: no proxy and no log has it. The
 * page posts it, and takes it out of the address first, so that the browser's history has it no more.
 */
export function linkPage(provider?: string): ConsolePage {
  const { title, body } = notSignedInPage(provider);
  return {
    title,
    body: html`
      ${body}
      <form method="post" action="/console/sign-in/link"><input type="hidden" name="token" /></form>
      ${postToken.element}
    `,
  };
}

const postToken = hashedScript(`
const token = location.hash.slice(1);
if (token !== "") {
  history.replaceState(null, "", location.pathname);
  const form = document.querySelector("form");
  form.elements.token.value = token;
  form.submit();
}
`);

/** Chat programs open links before people do, so a link is used up by its button. */
export function signInPage(name: string, token: string): ConsolePage {
  return {
    title: "Sign in to the console",
    body: html`
      <p>This link signs you in as <strong>${name}</strong>. It works once.</p>
      <form method="post" action="/console/sign-in">
        <input type="hidden" name="token" value="${token}" />
        <button>Sign in as ${name}</button>
      </form>
    `,
  };
}

/** @param provider With whom people can sign in, too. */
export function notSignedInPage(provider?: string): ConsolePage {
  return {
    title: "You are not signed in",
    body: waysIn("A sign-in ends after an hour without use.", provider),
  };
}

export function usedLinkPage(provider?: string): ConsolePage {
  return {
    title: "This link does not work any more",
    body: waysIn(
      "A link works once, for ten minutes, and only until a newer one is made for you.",
      provider,
    ),
  };
}

function waysIn(why: string, provider: string | undefined): Html {
  const link = html`
    <p>
      ${provider === undefined ? "Ask" : "Or ask"} whoever runs this server for a link that signs
      you in. They make one with <code>svc console login --name "Your name"</code>.
    </p>
  `;
  return provider === undefined
    ? html`
        <p>${why}</p>
        ${link}
      `
    : html`
        <p>${why}</p>
        <p><a class="button" href="/console/oidc">Sign in with ${provider}</a></p>
        ${link}
      `;
}

/** What is shown where the console's own files are not built. */
export function signedInPage(me: ConsoleMe): ConsolePage {
  const { name, role } = me;
  return {
    title: "You are signed in",
    body: html`
      <p><strong>${name}</strong>, ${role} of ${accountWords(me)}.</p>
      <p>
        The console's pages are not built on this server. Its operator installs with
        <code>npm ci</code> and runs <code>npm run build</code>. The admin API works without them.
      </p>
      <form method="post" action="/console/sign-out"><button>Sign out</button></form>
    `,
  };
}

/** While the database cannot be reached, nobody's sign-in can be looked up. */
export function awayPage(): ConsolePage {
  return {
    title: "The console is not available right now",
    body: html`
      <p>
        This server cannot reach its database. Nothing is lost: conversations that are running and
        webhooks that are due go on when it is back.
      </p>
      <p>Try again in a minute. If that does not help, tell whoever runs this server.</p>
      <p><a class="button" href="/console">Try again</a></p>
    `,
  };
}

export function providerAwayPage(): ConsolePage {
  return {
    title: "Signing in is not possible right now",
    body: html`
      <p>Your organisation's sign-in service does not answer, or its settings here are wrong.</p>
      <p>
        Try again in a minute. If that does not help, ask whoever runs this server for a link, and
        to look at its log.
      </p>
      <p><a class="button" href="/console/oidc">Try again</a></p>
    `,
  };
}

/** @param email The verified address, if the provider gave one. */
export function notInvitedPage(email: string | undefined): ConsolePage {
  return {
    title: "You are not signed in",
    body:
      email === undefined
        ? html`
            <p>The sign-in did not come to its end, or it had no verified email address.</p>
            <p><a class="button" href="/console/oidc">Try again</a></p>
          `
        : html`
            <p><strong>${email}</strong> has not been let in to this console.</p>
            <p>
              Ask whoever runs this server. They let you in with
              <code>svc console login --name ${email} --role viewer</code>.
            </p>
          `,
  };
}

/** Leads on from a page of ours: a redirect from the provider's page would come without the new, strict cookie. */
export function signedInNowPage(): ConsolePage {
  return {
    title: "You are signed in",
    refreshTo: "/console",
    body: html`<p><a class="button" href="/console">Open the console</a></p>`,
  };
}

/** The accounts that somebody sees, as a sentence names them. */
export function accountWords({ accounts }: ConsoleMe): string {
  if (accounts === undefined) return "all accounts";
  return accounts.map(({ name }) => name).join(", ") || "no account";
}

/** A page without script, but for the one that posts a link's token. */
export function sendConsolePage(
  reply: FastifyReply,
  { title, body, refreshTo }: ConsolePage,
  status = 200,
): FastifyReply {
  const head =
    refreshTo === undefined
      ? undefined
      : html`<meta http-equiv="refresh" content="0; url=${refreshTo}" />`;
  const page = htmlPage({
    language: "en",
    title,
    head,
    style: style.element,
    body,
  });
  return reply
    .code(status)
    .header("content-security-policy", POLICY)
    .type("text/html; charset=utf-8")
    .send(page);
}

const style = hashedStyle(`
:root { color-scheme: light dark; --ink: #14181f; --paper: #ffffff; --wash: #f5f7f9; --line: #e3e7ec; --quiet: #5b6472; --accent: #0f766e }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f5; --paper: #12161c; --wash: #0c0f14; --line: #2a313b; --quiet: #9aa4b2; --accent: #5eead4 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--wash); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere }
main { width: min(100%, 440px); padding: 32px; border: 1px solid var(--line); border-radius: 14px; background: var(--paper) }
h1 { margin: 0; font-size: 20px; line-height: 1.2 }
p { margin: 12px 0 0; color: var(--quiet) }
strong { color: var(--ink) }
button, .button { display: block; width: 100%; min-height: 44px; margin-top: 24px; border: 0; border-radius: 8px; background: #0f766e; color: #ffffff; font: 600 15px/1.45 system-ui, sans-serif; cursor: pointer }
.button { padding: 11px; text-align: center; text-decoration: none }
button:focus-visible, .button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
code { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; color: var(--ink) }
`);

const POLICY = [
  "default-src 'none'",
  `style-src ${style.source}`,
  `script-src ${postToken.source}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");
