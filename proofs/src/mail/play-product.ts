import type { MailCatcher } from "@svc/rehearsal";
import fc from "fast-check";
import type { Tools } from "../runner/proof.ts";
import type { Stage } from "../stage/stage.ts";
import { addresses } from "./hostile-mails.ts";
import { mailFaults } from "./judge-mail.ts";
import {
  mailsBySession,
  openMailWorld,
  readMailed,
  talkWithAddress,
  untilMailed,
} from "./mail-world.ts";
import type { MailedSession } from "./mail-world.ts";

/** What a site may pass as an address; half of it is none. */
const ODD_ADDRESSES = [
  " Ada@ODD.test\n",
  "ada+demo@odd.test",
  "ada@Bücher.odd.test",
  "ada@ｏdd。test",
  "ada@odd.test.",
  "a..b@odd.test",
  "",
  '"ada okafor"@odd.test',
  "ada@odd.test,ben@odd.test",
  "ada@[127.0.0.1]",
];

export interface ProductTally {
  sessions: number;
  /** Sessions with an address. */
  addressed: number;
  mails: number;
  faults: string[];
}

const VICTIM = "victim@customer.test";
const ATTACKS = 8;
const MAX_PER_ADDRESS = 5;

/** Talks with hostile addresses, from their start to the mail, in the whole product. */
export async function playProduct(
  stage: Stage,
  { seed, timeLeftMs, onEnd }: Tools,
  count: number,
): Promise<ProductTally> {
  const { database } = stage;
  const { catcher, customer, environment } = await openMailWorld(database, onEnd);
  await stage.startServer({ SVC_ROLE: "all", SVC_SHUTDOWN_SECS: "1", ...environment });
  const drawn = fc.sample(addresses, { numRuns: count, seed });
  const hostile = new Set([...ODD_ADDRESSES, ...drawn]);
  for (const address of [...hostile, ...Array.from({ length: ATTACKS }, () => VICTIM)]) {
    await talkWithAddress(database, customer, address);
  }
  await untilMailed(database, () => timeLeftMs() > 0);
  const sessions = await readMailed(database);
  return {
    sessions: sessions.length,
    addressed: sessions.filter(({ email }) => email !== null).length,
    mails: catcher.counts().mails,
    faults: [...mailsOf(sessions, catcher), ...limitFaults(sessions, catcher)],
  };
}

/** One mail for each that was sent, to that session's address; none for all others. */
function mailsOf(sessions: MailedSession[], catcher: MailCatcher): string[] {
  const bySession = mailsBySession(catcher);
  const faults = sessions.flatMap(({ id, email, status, state }) => {
    const mails = bySession.get(id) ?? [];
    const wrong = mails.flatMap((mail) => {
      const content = catcher.content(mail.number);
      return content === undefined ? [] : mailFaults(email ?? "", mail, content);
    });
    if (mails.length !== (state === "sent" ? 1 : 0)) wrong.push(`${mails.length} mails, ${state}`);
    if (email !== null && state === null) wrong.push("no mail was ordered");
    if (status !== "processed") wrong.push(`the session is ${status}`);
    return wrong.map((one) => `${JSON.stringify(email)}: ${one}`);
  });
  return bySession.has("") ? [...faults, "a mail of no session"] : faults;
}

function limitFaults(sessions: MailedSession[], catcher: MailCatcher): string[] {
  const attacks = sessions.filter(({ email }) => email === VICTIM);
  const reached = catcher.mails().filter(({ to }) => to.includes(VICTIM)).length;
  const held = attacks.filter(({ reason }) => reason === "limit").length;
  const isRight = reached === MAX_PER_ADDRESS && held === ATTACKS - MAX_PER_ADDRESS;
  return isRight ? [] : [`${reached} mails to one person, ${held} held back`];
}
