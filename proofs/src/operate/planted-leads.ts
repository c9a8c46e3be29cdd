import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import {
  addCustomer,
  addReceiver,
  EXAMPLE_TURNS,
  end,
  makeCertificates,
  playEvaluated,
  say,
  start,
  startEventReceiver,
  startRawReceiver,
} from "@svc/server/testing";
import type { Customer, EventAnswer } from "@svc/server/testing";
import { waitUntil } from "../browsers/wait-until.ts";
import type { Operated } from "./operated-product.ts";

type OnEnd = (clean: () => unknown) => void;

/** A lead that somebody misses, and what the console must say of it. */
export interface PlantedLead {
  why: string;
  /** What the operator is told to look for; without it there is no session to find. */
  email?: string;
  /** The cause, and what to do: words of the sentence. */
  says: string[];
}

/** How a lead is made: the receiver, before it ends; then what is done about it. */
interface Plan {
  why: string;
  account: string;
  says: string[];
  receiver?: (customer: Customer) => Promise<string>;
  /** Told the id of the receiver, before the visitor comes. */
  before?: (receiverId: string, customer: Customer) => Promise<unknown>;
  after?: (receiverId: string, customer: Customer) => Promise<unknown>;
  email?: false;
  isTest?: true;
  isSilent?: true;
  isGoingOn?: true;
}

/** Plants a lead for each way in which one fails to arrive, in the running product. */
export async function plantLeads(operated: Operated, onEnd: OnEnd): Promise<PlantedLead[]> {
  const { product, ask } = operated;
  const { db, pool } = product.stage.database;
  const answering = async (answer: EventAnswer): Promise<string> => {
    const { url, close } = await startEventReceiver(() => answer);
    onEnd(close);
    return url;
  };
  const well = (): Promise<string> => answering(204);
  const over = (id: string, verb: string, body: object = {}): Promise<unknown> =>
    ask(`endpoints/${id}/${verb}`, body);
  const plans: Plan[] = [
    {
      why: "its receiver is down",
      account: "Harbour Bank",
      receiver: unusedAddress,
      says: ["could not be reached", "nothing listens", "replay"],
    },
    {
      why: "the certificate of its receiver is not valid",
      account: "Linden Praxis",
      receiver: () => badlyCertified(onEnd),
      says: ["certificate", "replay"],
    },
    {
      why: "its receiver refuses it",
      account: "North Quay",
      receiver: () => answering({ status: 422, body: "team_size is not a number" }),
      says: ["answered 422", "replay"],
    },
    {
      why: "its receiver does not know the secret",
      account: "Birch College",
      receiver: () => answering(401),
      says: ["401", "secret", "replay"],
    },
    {
      why: "its receiver never answers",
      account: "Green Fork",
      receiver: () => silent(onEnd),
      says: ["did not answer within 10 seconds", "replay"],
    },
    {
      why: "its receiver is paused",
      account: "Rey Hoteles",
      receiver: well,
      before: (id) => over(id, "pause"),
      says: ["is paused", "Resume"],
    },
    {
      why: "its receiver was removed",
      account: "Vos Bikes",
      receiver: well,
      before: (id) => over(id, "pause"),
      after: (id) => over(id, "remove", { cancel_waiting: true }),
      says: ["was removed", "valuate"],
    },
    {
      why: "its receiver has an address that nothing is sent to",
      account: "Brandt Pflege",
      receiver: well,
      before: (id) =>
        pool.query("UPDATE webhook_endpoints SET url = 'https://169.254.169.254/' WHERE id = $1", [
          id,
        ]),
      says: ["Nothing may be sent to the address", "public address"],
    },
    {
      why: "the secret of its receiver cannot be opened",
      account: "Haddad Grill",
      receiver: well,
      before: (id) =>
        pool.query(
          "UPDATE webhook_endpoints SET secret = 'k9' || substr(secret, 3) WHERE id = $1",
          [id],
        ),
      says: ["held back", "secret"],
    },
    {
      why: "no receiver is registered",
      account: "Moulin et Fils",
      says: ["No receiver", "Register one"],
    },
    {
      why: "its receiver is for another agent",
      account: "Ekholm Spa",
      receiver: well,
      before: (id) =>
        pool.query("UPDATE webhook_endpoints SET agent_ids = '{agent_of_another}' WHERE id = $1", [
          id,
        ]),
      says: ["No receiver", "for this agent", "Register one"],
    },
    {
      why: "it is a test",
      account: "Dvorak Pekarna",
      receiver: well,
      isTest: true,
      says: ["test session", "never sent"],
    },
    {
      why: "the visitor said nothing",
      account: "Pryce Pharmacy",
      receiver: well,
      isSilent: true,
      says: ["said nothing", "nothing is sent"],
    },
    {
      why: "the visitor gave no address",
      account: "Reiter Backhaus",
      receiver: well,
      email: false,
      says: ["arrived", "gave no address"],
    },
    {
      why: "it did arrive",
      account: "Achebe Sam",
      receiver: well,
      says: ["It arrived", "receiver's own log"],
    },
    {
      why: "its conversation goes on",
      account: "Nandan Foods",
      receiver: well,
      isGoingOn: true,
      says: ["not finished", "end of its conversation", "sent once"],
    },
  ];
  const planted: PlantedLead[] = [];
  const rests: (() => Promise<unknown>)[] = [];
  for (const plan of plans) planted.push(await plantLead(plan));
  for (const rest of rests) await rest();
  return [
    ...planted,
    await heldByAnother(),
    await evaluatedInVain(),
    await neverStarted(),
    await withoutModel(),
  ];

  async function plantLead(plan: Plan): Promise<PlantedLead> {
    const customer = await addCustomer(db, { name: plan.account });
    const url = await plan.receiver?.(customer);
    const { id = "" } = url === undefined ? {} : await addReceiver(db, customer, url);
    await plan.before?.(id, customer);
    const email = addressAt(plan.account);
    const session = await start(db, customer, {
      test: plan.isTest === true,
      metadata: plan.email === false ? { company: plan.account } : { email },
    });
    const greeting = EXAMPLE_TURNS.slice(0, 1);
    await say(db, session, plan.isSilent ? greeting : withName(plan.account));
    if (!plan.isGoingOn) {
      await end(db, session);
      rests.push(async () => {
        await untilRest(session.id);
        await plan.after?.(id, customer);
      });
    }
    // Nobody can look for an address that was not given: for words that were said.
    return { why: plan.why, email: plan.email === false ? plan.account : email, says: plan.says };
  }

  /** Until it is evaluated and nothing is being sent; what is paused or held stays where it is. */
  async function untilRest(sessionId: string): Promise<void> {
    const isAtRest = async (): Promise<boolean> => {
      const { rows } = await pool.query<{ settled: boolean; busy: boolean }>(
        `SELECT settled_at IS NOT NULL AS settled, EXISTS (
           SELECT FROM deliveries AS d JOIN webhook_endpoints AS e ON e.id = d.endpoint_id
           WHERE d.session_id = s.id AND finished_at IS NULL AND held_because IS NULL AND e.state <> 'paused') AS busy
         FROM sessions AS s WHERE id = $1`,
        [sessionId],
      );
      return rows[0]!.settled && !rows[0]!.busy;
    };
    if (!(await waitUntil(isAtRest, 60_000, 100))) throw new Error(`${sessionId} is never at rest`);
  }

  async function heldByAnother(): Promise<PlantedLead> {
    const customer = await addCustomer(db, { name: "Carl Osei" });
    await addReceiver(db, customer, await well());
    await say(db, await start(db, customer), EXAMPLE_TURNS);
    const email = addressAt("Carl Osei");
    const session = await start(db, customer, { metadata: { email } });
    await say(db, session, withName("Carl Osei"));
    await end(db, session);
    await untilRest(session.id);
    return {
      why: "an older session holds the export",
      email,
      says: ["arrived", "export", "an older session"],
    };
  }

  async function evaluatedInVain(): Promise<PlantedLead> {
    const customer = await addCustomer(db, { name: "Aaby Nils" });
    const email = addressAt("Aaby Nils");
    await playEvaluated(db, customer, { metadata: { email }, emailVerified: true, fails: true });
    return {
      why: "its evaluation failed",
      email,
      says: ["could not be evaluated", "could not be read", "new evaluation"],
    };
  }

  async function neverStarted(): Promise<PlantedLead> {
    const { agent } = await addCustomer(db, { name: "Campus Costa" });
    await ask(`agents/${agent.agentId}/pause`, {});
    return {
      why: "its agent is paused, so no demo began",
      says: ["Campus Costa", "is paused", "Resume"],
    };
  }

  /** The last: nothing is evaluated from here on. */
  async function withoutModel(): Promise<PlantedLead> {
    await product.model.setFaults([{ kind: "refuse" }]);
    const customer = await addCustomer(db, { name: "Brenner Ola" });
    await addReceiver(db, customer, await well());
    const email = addressAt("Brenner Ola");
    const session = await start(db, customer, { metadata: { email } });
    await say(db, session, withName("Brenner Ola"));
    await end(db, session);
    return {
      why: "no model answers, so it is not evaluated yet",
      email,
      says: ["waits for its evaluation", "model"],
    };
  }
}

function addressAt(account: string): string {
  return `visitor@${account.toLowerCase().replaceAll(" ", "-")}.example`;
}

function withName(account: string): typeof EXAMPLE_TURNS {
  const [greeting, answer] = EXAMPLE_TURNS;
  return [greeting!, { ...answer!, content: `${answer!.content} We are ${account}.` }];
}

/** An address at which nothing listens. */
async function unusedAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}/hooks/svc`;
}

async function badlyCertified(onEnd: OnEnd): Promise<string> {
  const certificates = makeCertificates();
  onEnd(() => certificates.remove());
  const tls = certificates.selfSigned(["DNS:crm.example"]);
  const { port, close } = await startRawReceiver(() => {}, { tls });
  onEnd(close);
  return `https://127.0.0.1:${port}/hooks/svc`;
}

async function silent(onEnd: OnEnd): Promise<string> {
  const { port, close } = await startRawReceiver(() => {});
  onEnd(close);
  return `http://127.0.0.1:${port}/hooks/svc`;
}
