import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { makeConsoleLink } from "#accounts";
import { transact } from "#platform";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { Provider } from "oidc-provider";
import { describe, expect, onTestFinished } from "vitest";
import { ConsoleUnderTest, ORIGIN } from "./console-under-test.ts";

const CLIENT = { clientId: "console", clientSecret: "a-secret-of-the-console-at-its-provider" };

/** Whom the provider knows, and what it says of them. */
const PEOPLE: Record<string, { email?: string; email_verified?: boolean }> = {
  ada: { email: "Ada@Acme.example", email_verified: true },
  ben: { email: "ben@acme.example", email_verified: true },
  unverified: { email: "ada@acme.example", email_verified: false },
  nameless: {},
};

/** A real OpenID provider on this machine, whose own pages sign in whoever is asked for. */
async function startProvider(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${ORIGIN}/console/oidc/callback`],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...PEOPLE[id] }),
    }),
  });
  server.on("request", provider.callback());
  return issuer;
}

/** A browser at the provider: follows its pages as the person, and returns the address that leads back to the console. */
async function signInAtProvider(start: string, person: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  let body: URLSearchParams | undefined;
  for (let steps = 0; steps < 12; steps += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(body && { method: "POST", body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const to = answer.headers.get("location");
    body = undefined;
    if (to === null) {
      const page = await answer.text();
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (action === undefined || prompt === undefined) throw new Error(page.slice(0, 500));
      url = new URL(action, url).href;
      body = new URLSearchParams({ prompt, login: person, password: "any" });
    } else {
      url = new URL(to, url).href;
      if (url.startsWith(ORIGIN)) return url;
    }
  }
  throw new Error("the provider never led back");
}

/** A console that knows the provider, and one browser that visits it. */
class Visit {
  readonly app: FastifyInstance;
  readonly cookies = new Map<string, string>();

  constructor(database: TestDatabase, issuer: string) {
    this.app = new ConsoleUnderTest(database, { oidc: { issuer, ...CLIENT } }).app;
  }

  async open(url: string): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await this.app.inject({ url, headers: { cookie } });
    for (const { name, value } of answer.cookies) this.cookies.set(name, value);
    return answer;
  }

  /** The last page of a sign-in as that person. */
  async signIn(person: string): Promise<LightMyRequestResponse> {
    const start = await this.open("/console/oidc");
    return this.open(await signInAtProvider(start.headers.location!, person));
  }
}

async function letIn({ db }: TestDatabase, name: string): Promise<void> {
  await transact(db, (trx) => makeConsoleLink(trx, "os:root", { name, role: "viewer" }));
}

describe("a sign-in with a provider", () => {
  databaseTest("lets in who was let in, under their verified address", async ({ database }) => {
    await letIn(database, "ada@acme.example");
    const visit = new Visit(database, await startProvider());
    expect((await visit.open("/console")).body).toContain("Sign in with 127.0.0.1");
    const page = await visit.signIn("ada");
    expect(page.statusCode).toBe(200);
    // The page leads on by itself: a redirect from the provider would come without the strict cookie.
    expect(page.body).toContain('http-equiv="refresh" content="0; url=/console"');
    const [cookie] = page.cookies.filter(({ name }) => name === "__Host-svc_console");
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "Strict" });
    expect(JSON.parse((await visit.open("/admin/v1/me")).body)).toMatchObject({
      name: "ada@acme.example",
    });
  });

  databaseTest("lets in nobody else", async ({ database }) => {
    await letIn(database, "ada@acme.example");
    const issuer = await startProvider();
    for (const person of ["ben", "unverified", "nameless"]) {
      const visit = new Visit(database, issuer);
      expect((await visit.signIn(person)).statusCode, person).toBe(403);
      expect((await visit.open("/admin/v1/me")).statusCode, person).toBe(401);
    }
  });

  databaseTest("belongs to the browser that began it, and works once", async ({ database }) => {
    await letIn(database, "ada@acme.example");
    const issuer = await startProvider();
    const [own, other] = [new Visit(database, issuer), new Visit(database, issuer)];
    const start = await own.open("/console/oidc");
    const back = await signInAtProvider(start.headers.location!, "ada");
    expect((await other.open(back)).statusCode).toBe(403);
    await other.open("/console/oidc");
    expect((await other.open(back)).statusCode).toBe(403);
    const forged = new URL(back);
    forged.searchParams.set("state", "x".repeat(43));
    const kept = own.cookies.get("__Host-svc_oidc")!;
    expect((await own.open(forged.href)).statusCode).toBe(403);
    own.cookies.set("__Host-svc_oidc", kept);
    expect((await own.open(back)).statusCode).toBe(200);
    own.cookies.set("__Host-svc_oidc", kept);
    expect((await own.open(back)).statusCode).toBe(403);
  });

  databaseTest("says so where the provider does not answer", async ({ database }) => {
    const visit = new Visit(database, "http://127.0.0.1:9");
    const page = await visit.open("/console/oidc");
    expect(page.statusCode).toBe(502);
    expect(page.body).toContain("Try again in a minute");
  });
});
