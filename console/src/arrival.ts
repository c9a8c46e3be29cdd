import type { ConsoleEndpoint, DeliveryRow, Story, Waiting } from "@svc/contract/types";
import { titleOf } from "./format.ts";

/** Whether a lead has arrived, in a sentence; if not, why, and what to do. */
export interface Arrival {
  tone: "good" | "warn" | "bad" | "quiet";
  says: string;
  fix: string;
  /** The receiver that it is about. */
  endpoint?: string;
}

type Receiver = Pick<ConsoleEndpoint, "id" | "state" | "agents">;

/** What else keeps a lead. */
export interface Around {
  /** Those of the account that are not removed. */
  receivers: Receiver[];
  /** How many evaluations wait because no model answers. */
  modelAway: number;
}

export function arrivalOf(story: Story, deliveries: DeliveryRow[], around: Around): Arrival {
  const newest = deliveries.filter(({ followed }) => !followed);
  const worst = newest.toSorted((one, other) => RANK[one.state] - RANK[other.state])[0];
  if (worst === undefined) return unsent(story, around);
  const receiver = around.receivers.find(({ id }) => id === worst.endpoint_id);
  return {
    ...stateOf(worst, receiver, story),
    ...(receiver !== undefined && { endpoint: receiver.id }),
  };
}

const RANK: Record<DeliveryRow["state"], number> = {
  exhausted: 0,
  orphaned: 1,
  waiting: 2,
  running: 3,
  cancelled: 4,
  delivered: 5,
};

export const WAITS_FOR: Record<Waiting["waits_for"], string> = {
  visitor: "the visitor to connect",
  conversation: "the end of its conversation",
  evaluation: "its evaluation",
};

function unsent(story: Story, around: Around): Arrival {
  const { test, status, error_reason: reason } = story;
  if (test) {
    return quiet("It is a test session.", "Those are never sent to receivers, exported or mailed.");
  }
  switch (status) {
    case "active":
      return unfinished(story, around);
    case "abandoned":
      return quiet("The visitor said nothing.", "There is nothing to judge, so nothing is sent.");
    case "error":
      return {
        tone: "bad",
        says: `It could not be evaluated: ${FAILED[reason ?? ""] ?? titleOf(reason ?? "for an unknown reason").toLowerCase()}.`,
        fix:
          reason === "model_away"
            ? "Only evaluated sessions are sent. It is taken up by itself once a model answers, for seven days."
            : "Only evaluated sessions are sent. Once a model answers as it should, ask for a new evaluation with Evaluate again.",
      };
    case "processed":
      return withoutReceiver(story, around);
  }
}

/** Why an evaluation failed, by what the server writes down. */
const FAILED: Record<string, string> = {
  model_away: "no model could be reached",
  model_refused: "every model was asked, and none would answer",
  model_output: "what the models answered could not be read",
  crashed: "the pipeline went down five times while it ran",
};

const SENT_LATER = "Nothing to do yet: it is sent once it is evaluated.";
const JUDGED_LATER =
  "It is sent once a model has judged it. If no model answers in time, it is tried again by itself for seven days.";

function unfinished({ waiting }: Story, { modelAway }: Around): Arrival {
  const { waits_for: what = "conversation", overdue = false } = waiting ?? {};
  const says = `It is not finished: it waits for ${WAITS_FOR[what]}.`;
  if (what === "evaluation" && modelAway > 0) {
    return {
      tone: "bad",
      says,
      fix: "No language model answers. Whoever runs the server finds out why with svc doctor; it goes on by itself once one does.",
    };
  }
  return overdue
    ? {
        tone: "bad",
        says,
        fix: "That is overdue. See on the overview whether a role is missing or a model is away.",
      }
    : { tone: "warn", says, fix: what === "evaluation" ? JUDGED_LATER : SENT_LATER };
}

function withoutReceiver({ agent, end_reason: ended }: Story, { receivers }: Around): Arrival {
  if (ended === "imported") {
    return quiet(
      "It was imported from an earlier system.",
      "What is imported with its evaluation is in the export, and is sent to nobody.",
    );
  }
  const isForIt = ({ agents }: Receiver): boolean =>
    agents === undefined || agents.some(({ id }) => id === agent.id);
  const says =
    receivers.length === 0
      ? "No receiver is registered for this account."
      : receivers.some(isForIt)
        ? "No receiver was registered for this agent when it was evaluated."
        : "No receiver of this account is for this agent.";
  return {
    tone: "warn",
    says,
    fix: receivers.some(isForIt)
      ? "Now there is one: send it there with Evaluate again."
      : "Register one on the account's page, then send it there with Evaluate again.",
  };
}

function stateOf(delivery: DeliveryRow, receiver: Receiver | undefined, story: Story): Arrival {
  const host = new URL(delivery.url).host;
  switch (delivery.state) {
    case "exhausted":
      return { tone: "bad", ...failureOf(delivery, host) };
    case "orphaned":
      return {
        tone: "bad",
        says: `Our own server went down while it sent it to ${host}, ${delivery.crashes} times.`,
        fix: "Replay it. If it happens again, whoever runs the server looks into its log.",
      };
    case "cancelled":
      return quiet(
        `${host} was removed before it was sent.`,
        "Register a receiver on the account's page, then send it there with Evaluate again.",
      );
    case "delivered":
      return delivered(story, host, receiver);
    case "waiting":
    case "running":
      return underWay(delivery, host, receiver);
  }
}

type Failure = Pick<Arrival, "says" | "fix">;

/** What the last try came to. */
function failureOf(delivery: DeliveryRow, host: string): Failure {
  const { last_status: status, last_outcome: outcome = "", attempts } = delivery;
  const times = attempts === 1 ? "once" : `${attempts} times`;
  if (status !== undefined) return answered(status, host, times);
  return (
    OUTCOMES[outcome]?.(host, times) ?? {
      says: `Sending it to ${host} failed ${times} (${titleOf(outcome || "no answer").toLowerCase()}).`,
      fix: "Check the receiver to learn more. Once it answers, replay.",
    }
  );
}

function answered(status: number, host: string, times: string): Failure {
  const says = `${host} answered ${status}, ${times}`;
  if (status === 401 || status === 403) {
    return {
      says: `${says}: it does not know the secret, or demands a login.`,
      fix: "Check the receiver. If its secret is wrong, stage a new one; then replay.",
    };
  }
  if (status >= 300 && status < 400) {
    return {
      says: `${says}: it leads elsewhere, and nothing is sent on.`,
      fix: "Register the address that it leads to, then evaluate the session again.",
    };
  }
  if (status === 404 || status === 410) {
    return {
      says: `${says}: nothing takes events at this address.`,
      fix: "Ask the receiver's owner for the right address, register it, then evaluate the session again.",
    };
  }
  return {
    says: `${says}.`,
    fix:
      status < 500
        ? "The receiver refuses what it gets: its answer below says why. Once its owner has mended it, replay."
        : "The receiver is broken: its answer may say why. Once its owner has mended it, replay.",
  };
}

const PUBLIC = "Register a receiver at a public address, then evaluate the session again.";
const OUTCOMES: Record<string, ((host: string, times: string) => Failure) | undefined> = {
  connect_failed: (host, times) => ({
    says: `${host} could not be reached, ${times}: nothing listens there.`,
    fix: "It is down, or its address is wrong. Once it answers, replay.",
  }),
  tls_failed: (host) => ({
    says: `The certificate of ${host} is not valid, so nothing was sent to it.`,
    fix: "Its owner renews it, or completes its chain. Then check the receiver and replay.",
  }),
  timed_out: (host, times) => ({
    says: `${host} did not answer within 10 seconds, ${times}.`,
    fix: "It should answer first and work afterwards. Once it does, replay.",
  }),
  connection_lost: (host, times) => ({
    says: `${host} closed the connection before it answered, ${times}.`,
    fix: "It, or a proxy before it, breaks off. Once its owner has mended it, replay.",
  }),
  bad_answer: (host, times) => ({
    says: `What ${host} answered is not HTTP, ${times}.`,
    fix: "Another program answers at this address. Once its owner has mended it, replay.",
  }),
  name_not_found: (host) => ({
    says: `There is no host with the name ${host}.`,
    fix: "Its address is misspelt, or its domain has ended. Register the right one, then evaluate the session again.",
  }),
  dns_failed: (host, times) => ({
    says: `The name servers of ${host} did not answer, ${times}.`,
    fix: "Its owner looks into its DNS. Once the name is found, replay.",
  }),
  bad_address: (host) => ({ says: `Nothing may be sent to the address ${host}.`, fix: PUBLIC }),
  forbidden_address: (host) => ({
    says: `${host} is an address that is not on the internet, so nothing is sent there.`,
    fix: PUBLIC,
  }),
};

function underWay(delivery: DeliveryRow, host: string, receiver: Receiver | undefined): Arrival {
  const { attempts, held_because: held } = delivery;
  if (receiver?.state === "paused") {
    return {
      tone: "warn",
      says: `${host} is paused, so it waits.`,
      fix: "Resume the receiver: what waits is sent first.",
    };
  }
  if (held !== undefined) {
    return {
      tone: "bad",
      says: `It is held back: ${held}`,
      fix: "It goes out by itself once that is mended.",
    };
  }
  return attempts === 0
    ? { tone: "warn", says: `It is on its way to ${host}.`, fix: "Nothing to do yet." }
    : {
        tone: "warn",
        says: failureOf(delivery, host).says,
        fix: `Try ${attempts + 1} of 3 follows by itself.`,
      };
}

function delivered(
  { email, export: { state } }: Story,
  host: string,
  receiver: Receiver | undefined,
): Arrival {
  if (receiver === undefined) {
    return {
      tone: "warn",
      says: `It was delivered to ${host}, which is not registered any more.`,
      fix: "Send it to the receivers that are registered now with Evaluate again.",
    };
  }
  const says = `It arrived at ${host}.`;
  if (email === undefined) {
    return {
      tone: "warn",
      says,
      fix: "The visitor gave no address, so nobody can write to them: look there for its id.",
    };
  }
  if (state === "held") {
    return {
      tone: "warn",
      says,
      fix: "Readers of the export wait: an older session holds it, which Delivery names.",
    };
  }
  return { tone: "good", says, fix: "If it is missing there, the receiver's own log says why." };
}

function quiet(says: string, fix: string): Arrival {
  return { tone: "quiet", says, fix };
}
