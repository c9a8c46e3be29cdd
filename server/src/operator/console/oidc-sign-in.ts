import { signInByName } from "#accounts";
import type { Db, Log } from "#platform";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as openid from "openid-client";
import { cookieOf, endCookie, setCookie } from "./cookies.ts";
import type { Cookie } from "./cookies.ts";
import {
  notInvitedPage,
  providerAwayPage,
  sendConsolePage,
  signedInNowPage,
} from "./sign-in-pages.ts";

/** An OpenID Connect provider that people sign in with. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

interface OidcOptions {
  db: Db;
  log: Log;
  publicUrl: string;
  oidc: OidcProvider;
  /** Ends who used this browser before, and sets the cookie. */
  startSession(request: FastifyRequest, reply: FastifyReply, sessionId: string): Promise<void>;
}

/** What the answer of the provider must fit, kept by the browser that asked. Lax, since the provider's page leads back here. */
const COOKIE: Cookie = {
  name: "__Host-svc_oidc",
  shape: /^[\w-]{43}\.[\w-]{43}\.[\w-]{43}$/,
  rules: "Path=/; Secure; HttpOnly; SameSite=Lax",
};
const TIMEOUT_SECS = 10;

/**
 * Adds sign-in with an OpenID Connect provider (authorization code with PKCE). Nobody signs up: the provider's verified email
 * address must be the name of somebody whom `svc console login` has let in.
 */
export function addOidcSignIn(app: FastifyInstance, options: OidcOptions): void {
  const { db, log, publicUrl, oidc } = options;
  const redirectUri = new URL("/console/oidc/callback", publicUrl).href;
  const known = discovered(oidc);

  app.get("/console/oidc", async (_request, reply) => {
    const config = await known().catch((error: unknown) => away(log, error));
    if (config === undefined) return sendConsolePage(reply, providerAwayPage(), 502);
    const [verifier, state, nonce] = [
      openid.randomPKCECodeVerifier(),
      openid.randomState(),
      openid.randomNonce(),
    ];
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid email",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    setCookie(reply, COOKIE, `${verifier}.${state}.${nonce}`);
    return reply.redirect(url.href, 303);
  });

  app.get("/console/oidc/callback", async (request, reply) => {
    const kept = cookieOf(request, COOKIE);
    endCookie(reply, COOKIE);
    const email =
      kept && (await verifiedEmail(request, kept).catch((error: unknown) => away(log, error)));
    const signed = email && (await signInByName(db, email));
    if (!signed) return sendConsolePage(reply, notInvitedPage(email), 403);
    await options.startSession(request, reply, signed.sessionId);
    return sendConsolePage(reply, signedInNowPage());
  });

  async function verifiedEmail(request: FastifyRequest, kept: string): Promise<string | undefined> {
    const [pkceCodeVerifier, expectedState, expectedNonce] = kept.split(".") as [
      string,
      string,
      string,
    ];
    const url = new URL(request.url, redirectUri);
    const tokens = await openid.authorizationCodeGrant(await known(), url, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    const email = claims?.["email_verified"] === true ? claims["email"] : undefined;
    return typeof email === "string" ? email.toLowerCase() : undefined;
  }
}

/** The provider's addresses and keys, asked for when somebody first signs in, and again after a failure. */
function discovered({
  issuer,
  clientId,
  clientSecret,
}: OidcProvider): () => Promise<openid.Configuration> {
  let asked: Promise<openid.Configuration> | undefined;
  const url = new URL(issuer);
  // Settings allow http on this machine only.
  const execute = url.protocol === "http:" ? [openid.allowInsecureRequests] : [];
  return async () => {
    asked ??= openid.discovery(url, clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT_SECS,
    });
    try {
      return await asked;
    } catch (error) {
      asked = undefined;
      throw error;
    }
  };
}

function away(log: Log, error: unknown): undefined {
  // The error's own text may quote what the provider answered, which may be personal.
  const { name, code } = error as { name?: string; code?: string };
  log.warn({ name, code }, "sign-in with the OpenID provider failed");
  return undefined;
}
