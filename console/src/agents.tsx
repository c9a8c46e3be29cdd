import { Link } from "@tanstack/react-router";
import type { AgentChange, ConsoleAgent } from "@svc/contract/types";
import { useState } from "react";
import type { ReactNode } from "react";
import { useChange } from "./changes.ts";
import { useAgents } from "./lists.ts";
import { useMayChange } from "./shell.tsx";
import { Ago, Button, Confirm, Empty, Failure, Rows, State, useTitle, Waiting } from "./ui.tsx";

export function AgentsPage(): ReactNode {
  useTitle("Agents");
  const agents = useAgents();
  const paused = agents.data?.agents.filter(({ state }) => state === "paused").length ?? 0;
  return (
    <>
      <header>
        <h1>Agents</h1>
        {paused > 0 && <span className="quiet">{paused} paused</span>}
      </header>
      <Waiting query={agents} />
      {agents.data?.agents.length === 0 && (
        <Empty icon="agents" title="No agent yet">
          An agent is a folder of text: what it shows, knows and asks. Whoever looks after it begins
          with <code>svc agents init</code> and brings it here with <code>svc agents apply</code>.
        </Empty>
      )}
      {agents.data && agents.data.agents.length > 0 && <AgentTable agents={agents.data.agents} />}
    </>
  );
}

export function AgentTable({ agents }: { agents: ConsoleAgent[] }): ReactNode {
  return (
    <Rows
      head={
        <>
          <th>Agent</th>
          <th>Account</th>
          <th>State</th>
          <th className="number">Version</th>
          <th>Languages</th>
          <th>
            <span className="hidden">Actions</span>
          </th>
        </>
      }
    >
      {agents.map((one) => (
        <tr key={one.id}>
          <AgentCells agent={one} />
          <td className="quiet">{one.languages.join(", ")}</td>
          <td className="number">
            <Link className="button" to="/agents/$id/gaps" params={{ id: one.id }}>
              What nobody knew
            </Link>{" "}
            <PauseAgent agent={one} />
          </td>
        </tr>
      ))}
    </Rows>
  );
}

/** The first cells of an agent's row: name, account, state and version. */
export function AgentCells({ agent }: { agent: ConsoleAgent }): ReactNode {
  const isLive = agent.state === "live";
  return (
    <>
      <td>
        <Link className="row" to="/sessions" search={{ agent: agent.id }}>
          {agent.name}
          <span className="two">{agent.slug}</span>
        </Link>
      </td>
      <td>{agent.account_name}</td>
      <td>
        <State tone={isLive ? "good" : "warn"}>{isLive ? "Live" : "Paused"}</State>
      </td>
      <td className="number">
        v{agent.version}
        <span className="two">
          <Ago at={agent.version_at} /> ago
        </span>
      </td>
    </>
  );
}

function PauseAgent({ agent }: { agent: ConsoleAgent }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const verb = agent.state === "live" ? "pause" : "resume";
  const set = useChange<AgentChange>(`agents/${agent.id}/${verb}`, ["agents"]);
  if (!useMayChange()) return null;
  return (
    <>
      <Button
        isBusy={set.isPending}
        onClick={() => (verb === "pause" ? setAsking(true) : set.mutate())}
      >
        {verb === "pause" ? "Pause" : "Resume"}
      </Button>
      {isAsking && (
        <Confirm
          title={`Pause ${agent.name}?`}
          action="Pause it"
          onClose={() => setAsking(false)}
          onConfirm={() => set.mutate()}
        >
          Its button disappears from pages and nobody can start a demo, at once. Conversations that
          are going on end as usual, and what they led to is still delivered.
        </Confirm>
      )}
      <Failure error={set.error} />
    </>
  );
}
