import type { ConsoleEndpoint, DeliveryRow, Story } from "@svc/contract/types";

/** Whether a lead has arrived, in a sentence; if not, why, and what to do. */
export interface Arrival {
  tone: "good" | "warn" | "bad" | "quiet";
  says: string;
  fix: string;
  /** The receiver that it is about. */
  endpoint?: string;
}

type Receiver = Pick<ConsoleEndpoint, "id" | "state">;

/** @param receivers Those that are not removed. */
export function arrivalOf(story: Story, deliveries: DeliveryRow[], receivers: Receiver[]): Arrival {
  const newest = deliveries.filter(({ followed }) => !followed);
  const worst = newest.toSorted((one, other) => RANK[one.state] - RANK[other.state])[0];
  if (worst === undefined) return unsent(story);
  const receiver = receivers.find(({ id }) => id === worst.endpoint_id);
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

function unsent({ test, status, waiting, error_reason: reason }: Story): Arrival {
  if (test) return quiet("It is a test session.", "Those are never sent, exported or mailed.");
  if (status === "active") {
    return {
      tone: waiting?.overdue ? "bad" : "warn",
      says: `It is not finished: it waits for its ${waiting?.waits_for ?? "end"}.`,
      fix: waiting?.overdue
        ? "That is overdue. See on the overview whether a role is missing or a model is away."
        : "It is sent once it is evaluated.",
    };
  }
  if (status === "abandoned") {
    return quiet("The visitor said nothing.", "There is nothing to evaluate, so nothing is sent.");
  }
  if (status === "error") {
    return {
      tone: "bad",
      says: `It could not be evaluated${reason ? `: ${reason}` : ""}.`,
      fix: "Only evaluated sessions are sent. Ask for a new evaluation.",
    };
  }
  return {
    tone: "warn",
    says: "No receiver was registered for this agent when it was evaluated.",
    fix: "Register one on the account's page, then evaluate the session again.",
  };
}

function stateOf(delivery: DeliveryRow, receiver: Receiver | undefined, story: Story): Arrival {
  const host = new URL(delivery.url).host;
  switch (delivery.state) {
    case "exhausted":
    case "orphaned":
      return { tone: "bad", ...failureOf(delivery, host) };
    case "cancelled":
      return quiet(
        `It was cancelled: ${host} was removed before it was sent.`,
        "Evaluate the session again to send it to the receivers that are registered now.",
      );
    case "delivered":
      return delivered(story, host, receiver);
    case "waiting":
    case "running":
      return underWay(delivery, host, receiver);
  }
}

function failureOf(
  { last_status: status, last_outcome: outcome, attempts }: DeliveryRow,
  host: string,
): Pick<Arrival, "says" | "fix"> {
  if (status === 401 || status === 403) {
    return {
      says: `${host} refused it with ${status}: it does not know the secret, or demands a login.`,
      fix: "Check the receiver. If it has a wrong secret, stage a new one; then replay.",
    };
  }
  if (status !== undefined) {
    return {
      says: `${host} answered ${status}, ${attempts} times.`,
      fix: "The fault is with the receiver: its answer is below. Once it is mended, replay.",
    };
  }
  return {
    says: `${host} could not be reached (${(outcome ?? "no answer").replaceAll("_", " ")}), ${attempts} times.`,
    fix: "It is down, or its address is wrong. Once it answers, replay.",
  };
}

function underWay(delivery: DeliveryRow, host: string, receiver: Receiver | undefined): Arrival {
  if (receiver?.state === "paused") {
    return {
      tone: "warn",
      says: `${host} is paused, so it waits.`,
      fix: "Resume the receiver: what waits is sent first.",
    };
  }
  if (delivery.held_because !== undefined) {
    return { tone: "bad", says: `It is held back: ${delivery.held_because}`, fix: "Mend that." };
  }
  return {
    tone: "warn",
    says: `It is on its way to ${host}, try ${delivery.attempts + 1} of 3.`,
    fix: "Nothing to do yet.",
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
      fix: "Evaluate the session again to send it to the receivers that are registered now.",
    };
  }
  const says = `It arrived at ${host}.`;
  if (email === undefined) {
    return { tone: "warn", says, fix: "The visitor gave no address, so it may look empty there." };
  }
  if (state === "held") {
    return { tone: "warn", says, fix: "Readers of the export wait: an older session holds it." };
  }
  return { tone: "good", says, fix: "" };
}

function quiet(says: string, fix: string): Arrival {
  return { tone: "quiet", says, fix };
}
