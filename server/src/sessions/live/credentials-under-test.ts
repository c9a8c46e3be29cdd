import fc from "fast-check";
import type { Credential } from "./credentials.ts";

/** Where a conversation's credentials are kept: the database, or the rules alone. */
export interface CredentialStore {
  ticket: string;
  /** Opens a socket in one of two processes. Returns its token and the epoch it may store under; undefined when refused. */
  claim(
    credential: Credential,
    process: number,
  ): Promise<{ resumeToken: string; epoch: number } | undefined>;
  /** The first frame on the socket of that token. */
  hear(resumeToken: string): Promise<void>;
  /** The start is sent again. Undefined where that gets no ticket any more. */
  renewTicket(): Promise<string | undefined>;
  /** Whether a socket may still store what is said on it. */
  speaks(epoch: number): Promise<boolean>;
}

/** What a page and somebody who copies its credentials do, in any order. */
type Step =
  | { who: "page"; does: "connects" | "connects, and its welcome is lost"; process: number }
  | { who: "page"; does: "says something" | "asks for a ticket" }
  | { who: "thief"; credential: number; process: number; speaks: boolean }
  | { who: "thief"; does: "sends the start again" };

const process = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    who: fc.constant("page" as const),
    does: fc.constantFrom("connects" as const, "connects, and its welcome is lost" as const),
    process,
  }),
  fc.record({ who: fc.constant("page" as const), does: fc.constant("says something" as const) }),
  fc.record({ who: fc.constant("page" as const), does: fc.constant("asks for a ticket" as const) }),
  fc.record({
    who: fc.constant("thief" as const),
    credential: fc.nat(20),
    process,
    speaks: fc.boolean(),
  }),
  fc.constant({ who: "thief" as const, does: "sends the start again" as const }),
);

export const interleavings: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 3, maxLength: 14 });

interface Socket {
  process: number;
  epoch: number;
  token: string;
  isOpen: boolean;
}

/**
 * Plays the steps. Throws when a credential older than one that the page has spoken with opens the
 * conversation or its start gets a new one, when the page itself is then refused, or when two sockets can speak at once.
 */
export async function playInterleaving(store: CredentialStore, steps: Step[]): Promise<void> {
  const issued: Credential[] = [{ ticket: store.ticket }];
  const sockets: Socket[] = [];
  let page: { credential: Credential; socket?: Socket } = { credential: issued[0]! };
  /** Of what was issued, how much is older than the credential with which the page has spoken. */
  let dead = 0;
  /** Nobody has opened it with a copy since. */
  let isPages = true;

  const open = async (credential: Credential, at: number): Promise<Socket | undefined> => {
    const opened = await store.claim(credential, at);
    if (opened === undefined) return undefined;
    for (const other of sockets) if (other.process === at) other.isOpen = false;
    const { epoch, resumeToken: token } = opened;
    const socket = { process: at, epoch, token, isOpen: true };
    sockets.push(socket);
    issued.push({ resumeToken: token });
    return socket;
  };
  const canSpeak = async ({ isOpen, epoch }: Socket): Promise<boolean> =>
    isOpen && (await store.speaks(epoch));

  for (const one of steps) {
    if (one.who === "thief" && "does" in one) {
      const ticket = dead === 0 ? undefined : await store.renewTicket();
      if (ticket !== undefined) throw new Error("the start opened it again");
    } else if (one.who === "thief") {
      const index = one.credential % issued.length;
      const copied = issued[index]!;
      // What the page has in hand it has told nobody.
      if (copied === page.credential) continue;
      const socket = await open(copied, one.process);
      if (socket !== undefined && index < dead) throw new Error("an older credential opened it");
      if (socket === undefined) continue;
      isPages = false;
      if (one.speaks && (await canSpeak(socket))) await store.hear(socket.token);
    } else if (one.does === "says something") {
      if (page.socket === undefined || !(await canSpeak(page.socket))) continue;
      await store.hear(page.socket.token);
      dead = issued.indexOf(page.credential);
      isPages = true;
    } else if (one.does === "asks for a ticket") {
      if (page.socket !== undefined) continue;
      const ticket = await store.renewTicket();
      if (ticket === undefined) continue;
      page = { credential: { ticket } };
      issued.push(page.credential);
    } else if ("process" in one) {
      const socket = await open(page.credential, one.process);
      if (socket === undefined && isPages) throw new Error("the page was refused");
      if (socket !== undefined && one.does === "connects")
        page = { credential: issued.at(-1)!, socket };
    }
    const speaking = await Promise.all(sockets.map(canSpeak));
    if (speaking.filter(Boolean).length > 1) throw new Error("two sockets speak");
  }
}
