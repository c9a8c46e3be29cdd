import { Link } from "@tanstack/react-router";
import type { DeliveryRows, Evaluation, Story } from "@svc/contract/types";
import type { ReactNode } from "react";
import { arrivalOf } from "./arrival.ts";
import { isFailed } from "./deliveries.tsx";
import { outcomeName, timeOfDay } from "./format.ts";
import { useEndpoints, useStatus } from "./lists.ts";
import { VERDICTS } from "./states.ts";
import { Notice } from "./ui.tsx";

/** Whether the lead has arrived; if not, why, and what to do. Its place is kept while that is read. */
export function Arrived(props: {
  story: Story;
  deliveries: DeliveryRows["deliveries"] | undefined;
}): ReactNode {
  const { story, deliveries } = props;
  const receivers = useEndpoints({ account: story.account.client_id }).data?.endpoints;
  const status = useStatus().data;
  if (receivers === undefined || deliveries === undefined) {
    return <div className="notice" role="status" aria-label="Loading" />;
  }
  const modelAway = status?.evaluations.model_away ?? 0;
  const { tone, says, fix, endpoint } = arrivalOf(story, deliveries, { receivers, modelAway });
  return (
    <Notice
      tone={tone}
      link={
        endpoint ? (
          <Link to="/endpoints/$id" params={{ id: endpoint }}>
            Open the receiver
          </Link>
        ) : (
          tone !== "quiet" && (
            <Link to="/accounts/$id" params={{ id: story.account.client_id }}>
              Open the account
            </Link>
          )
        )
      }
    >
      <b>{says}</b> {fix}
    </Notice>
  );
}

/** How far the visitor came, from the notice to the delivery. */
export function Steps(props: {
  story: Story;
  evaluation: Evaluation;
  deliveries: DeliveryRows["deliveries"];
}): ReactNode {
  const { story, evaluation } = props;
  // What a later one followed, and what was cancelled, no longer says whether the lead arrived.
  const deliveries = props.deliveries.filter((one) => !one.followed && one.state !== "cancelled");
  const words = story.conversation.find(({ role }) => role === "user");
  const failed = deliveries.filter((one) => isFailed(one.state));
  const arrived = deliveries.length > 0 && deliveries.every(({ state }) => state === "delivered");
  const { status } = evaluation.qualification ?? {};
  const steps: { name: string; note: string; done: boolean; failed?: boolean }[] = [
    { name: "Started", note: timeOfDay(story.created_at), done: true },
    {
      name: "Notice",
      note: story.notice ? timeOfDay(story.notice.accepted_at) : "not recorded",
      done: story.notice !== undefined,
    },
    {
      name: "First words",
      note: words?.at ? timeOfDay(words.at) : words ? "heard" : "none",
      done: words !== undefined,
    },
    { name: "Email", note: story.email ? "given" : "none", done: story.email !== undefined },
    {
      name: story.status === "error" ? "Not evaluated" : "Evaluated",
      note: story.error_reason ?? (story.settled_at ? timeOfDay(story.settled_at) : "waits"),
      done: story.evaluation !== undefined,
      failed: story.status === "error",
    },
    {
      name: "Verdict",
      note: status ? VERDICTS[status].name.toLowerCase() : "none",
      done: status === "qualified",
    },
    {
      name: failed.length > 0 ? "Not delivered" : arrived ? "Delivered" : "Delivery",
      note:
        deliveries.length === 0
          ? "nothing sent"
          : failed.length > 0
            ? lastAnswer(failed[0]!)
            : arrived
              ? "arrived"
              : "under way",
      done: arrived,
      failed: failed.length > 0,
    },
  ];
  return (
    <ol className="steps" aria-label="How far it came">
      {steps.map((step) => (
        <li key={step.name} className={step.failed ? "failed" : step.done ? "done" : ""}>
          <b>{step.name}</b>
          <span className={step.failed ? "" : "quiet"}>{step.note}</span>
        </li>
      ))}
    </ol>
  );
}

function lastAnswer(delivery: DeliveryRows["deliveries"][number]): string {
  const { last_status: status, last_outcome: outcome, attempts } = delivery;
  return `${status ?? outcomeName(outcome ?? "no answer")}, ${attempts} tries`;
}
