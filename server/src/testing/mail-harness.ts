import { changeSettings } from "#accounts";
import {
  createAddressMarks,
  createPersonLinks,
  followUp,
  FollowUps,
  orderFollowUp,
} from "#followup";
import type { AddressMarks, FollowUpState, PersonLinks } from "#followup";
import { transact } from "#platform";
import type { Claim, JobSender, Mail, MailMessage, SecretKey } from "#platform";
import type { OnEvaluated } from "#evaluation";
import { captureLog } from "./platform-doubles.ts";
import type { CapturedLog } from "./platform-doubles.ts";
import { addCustomer } from "./customer.ts";
import type { Customer } from "./customer.ts";
import type { TestDatabase } from "./database.ts";
import { playEvaluated } from "./play-session.ts";

/** A test harness for follow-up mails: a customer with follow-ups on, and a sender whose jobs run when the test says so. */
export interface MailHarness {
  customer: Customer;
  followUps: FollowUps;
  marks: AddressMarks;
  links: PersonLinks;
  order: OnEvaluated;
  /** Every mail that was handed to the mail server, accepted or refused. */
  mails: MailMessage[];
  finished: FollowUpState[];
  log: CapturedLog;
  /** The waiting jobs, in order. */
  jobs: MailJob[];
  /** Plays a session from its start to its evaluation. Returns its id. */
  play(
    email: string,
    options?: { test?: boolean; fails?: boolean; emailVerified?: boolean },
  ): Promise<string>;
  /** Runs the waiting jobs, due or not. */
  runAll(): Promise<void>;
  runOne(job: MailJob, claim?: Partial<Claim<MailJob>>): Promise<void>;
  state(sessionId: string): Promise<string | undefined>;
}

export interface MailJob {
  sessionId: string;
  attempts: number;
}

export interface MailHarnessOptions {
  /** Handles a mail as the mail server would, or throws a MailError. Accepts every mail by default. `none`: no server is configured. */
  server?: ((message: MailMessage) => Promise<void>) | "none";
  secretKeys?: [SecretKey, ...SecretKey[]];
  agent?: Parameters<typeof addCustomer>[1];
}

/** The key of TEST_SECRET_KEYS, so that a server process computes the same address marks. */
const KEY: SecretKey = { id: "k1", key: Buffer.alloc(32, "test") };

export async function openMailHarness(
  { db, pool }: TestDatabase,
  { server = async () => {}, secretKeys = [KEY], agent = {} }: MailHarnessOptions = {},
): Promise<MailHarness> {
  const customer = await addCustomer(db, agent);
  await transact(db, (trx) => changeSettings(trx, "test", customer.account.id, { followUp: true }));
  const marks = createAddressMarks(secretKeys);
  const publicUrl = "https://svc.test";
  const links = createPersonLinks({ secretKeys, publicUrl });
  const jobs: MailJob[] = [];
  const sender: JobSender = {
    send: async (_trx, job, payloads) => {
      if (job.name === followUp.name)
        jobs.push(...payloads.map((one) => followUp.payload.parse(one)));
    },
  };
  const mails: MailMessage[] = [];
  const finished: FollowUpState[] = [];
  const log = captureLog();
  const mail: Mail = {
    send: async (message) => {
      mails.push(message);
      if (server !== "none") await server(message);
    },
  };
  const followUps = new FollowUps({
    db,
    jobs: sender,
    log: log.log,
    mail: server === "none" ? undefined : mail,
    marks,
    links,
    publicUrl,
    onFinished: (state) => finished.push(state),
  });
  const order = orderFollowUp(sender, marks);
  const harness: MailHarness = {
    customer,
    followUps,
    marks,
    links,
    order,
    mails,
    finished,
    log,
    jobs,
    play: async (email, options = {}) => {
      const who = { metadata: { email }, emailVerified: true };
      return (await playEvaluated(db, customer, { ...who, ...options, onEvaluated: [order] })).id;
    },
    runAll: async () => {
      for (const job of jobs.splice(0)) await harness.runOne(job);
    },
    runOne: async (payload, claim = {}) => {
      const { signal } = new AbortController();
      await followUps.run({ payload, crashes: 0, signal, complete: async () => {}, ...claim });
    },
    state: async (sessionId) => {
      const { rows } = await pool.query<{ state: string; reason: string | null }>(
        "SELECT state, reason FROM follow_ups WHERE session_id = $1",
        [sessionId],
      );
      const [row] = rows;
      return row && (row.reason === null ? row.state : `${row.state}: ${row.reason}`);
    },
  };
  return harness;
}
