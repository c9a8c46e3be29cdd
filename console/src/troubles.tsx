import { Link } from "@tanstack/react-router";
import type { ConsoleAgents, ConsoleEndpoints, ConsoleStatus } from "@svc/contract/types";
import { useState } from "react";
import type { ReactNode } from "react";
import { count } from "./format.ts";
import { isHeld } from "./health.tsx";
import { Notice } from "./ui.tsx";

const WITHOUT = {
  api: "customers and pages get no answer",
  live: "no demo can start",
  pipeline: "nothing is evaluated, delivered or mailed",
} as const;

/** The rest is behind a button: what is worst must not push the figures off the page. */
const FIRST = 5;

/** What needs somebody, the worst first, each with the page that says more. */
export function Troubles(props: {
  status: ConsoleStatus;
  endpoints: ConsoleEndpoints;
  agents: ConsoleAgents;
}): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const all = troublesOf(props);
  if (all.length === 0) return null;
  const more = all.length - FIRST;
  return (
    <div className="notices" role="group" aria-label="What needs you">
      {showsAll || more <= 1 ? all : all.slice(0, FIRST)}
      {!showsAll && more > 1 && (
        <button className="rest" onClick={() => setShowsAll(true)}>
          {count(more)} more
        </button>
      )}
    </div>
  );
}

function troublesOf(props: {
  status: ConsoleStatus;
  endpoints: ConsoleEndpoints;
  agents: ConsoleAgents;
}): ReactNode[] {
  const { missing_roles: missing, evaluations } = props.status;
  const { endpoints, edges } = props.endpoints;
  const hostOf = (url: string): string => new URL(url).host;
  return [
    ...missing.map((role) => (
      <Notice key={role} tone="bad">
        <b>No process with the role {role} takes new work,</b> so {WITHOUT[role]}. Whoever runs the
        server starts one.
      </Notice>
    )),
    ...(evaluations.model_away > 0
      ? [
          <Notice
            key="model"
            tone="bad"
            link={
              <Link to="/sessions" search={{ status: "active" }}>
                See which wait
              </Link>
            }
          >
            <b>No language model answers,</b> so {leads(evaluations.model_away, "waits", "wait")}{" "}
            for an evaluation.
          </Notice>,
        ]
      : []),
    ...endpoints
      .filter(({ health }) => health.failed > 0)
      .toSorted((one, other) => other.health.failed - one.health.failed)
      .map((one) => (
        <Notice
          key={one.id}
          tone="bad"
          link={
            <Link to="/deliveries" search={{ endpoint: one.id, state: "exhausted" }}>
              Look at the attempts
            </Link>
          }
        >
          <b>{leads(one.health.failed, "has", "have")} not arrived</b> at {hostOf(one.url)} of{" "}
          {one.account_name}.
        </Notice>
      )),
    ...endpoints
      .filter(({ state, health }) => state === "paused" || health.oldest_due_at !== undefined)
      .filter(({ health }) => health.failed === 0 && health.waiting > 0)
      .map((one) => (
        <Notice
          key={one.id}
          tone="warn"
          link={
            <Link to="/endpoints/$id" params={{ id: one.id }}>
              Open the receiver
            </Link>
          }
        >
          <b>{leads(one.health.waiting, "waits", "wait")}</b> for {hostOf(one.url)} of{" "}
          {one.account_name}
          {one.state === "paused" ? ", which is paused." : ", which takes nothing right now."}
        </Notice>
      )),
    ...edges.filter(isHeld).map((edge) => (
      <Notice
        key={edge.client_id}
        tone={edge.overdue ? "bad" : "warn"}
        link={
          <Link to="/sessions/$id" params={{ id: edge.session_id }}>
            See what holds it
          </Link>
        }
      >
        <b>The export of {edge.account_name} is held:</b> {count(edge.held)} finished{" "}
        {edge.held === 1 ? "session waits" : "sessions wait"} behind one that is not.
      </Notice>
    )),
    ...props.agents.agents
      .filter(({ state }) => state === "paused")
      .map((one) => (
        <Notice key={one.id} tone="warn" link={<Link to="/agents">Resume it</Link>}>
          <b>
            {one.name} of {one.account_name} is paused,
          </b>{" "}
          so nobody can start a demo with it.
        </Notice>
      )),
  ];
}

function leads(number: number, one: string, many: string): string {
  return number === 1 ? `1 lead ${one}` : `${count(number)} leads ${many}`;
}
