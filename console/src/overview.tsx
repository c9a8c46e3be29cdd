import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type {
  AgentFigures,
  ConsoleAgents,
  ConsoleFigures,
  ConsoleFunnel,
  StatusProcess,
} from "@svc/contract/types";
import type { ReactNode } from "react";
import { AgentCells } from "./agents.tsx";
import { read } from "./api.ts";
import { readOverviewSearch } from "./searches.ts";
import type { OverviewSearch } from "./searches.ts";
import { Cards, perLead } from "./figures.tsx";
import { count, firstDay, titleOf, waited } from "./format.ts";
import { Funnel } from "./funnel.tsx";
import { useAccounts, useAgents, useEndpoints, useStatus } from "./lists.ts";
import { Troubles } from "./troubles.tsx";
import {
  Ago,
  failureOf,
  Filter,
  Loading,
  Outdated,
  Part,
  Problem,
  Rows,
  State,
  useTitle,
} from "./ui.tsx";
import type { Tone } from "./ui.tsx";

const SPANS = [
  ["1", "Today"],
  ["7", "7 days"],
  ["28", "28 days"],
] as const;
const DIMENSIONS = ["day", "agent", "version", "page", "language", "entry", "device"];

export function OverviewPage(): ReactNode {
  useTitle("Overview");
  const search = useSearch({ strict: false }) as OverviewSearch;
  const { days = "7", by, account } = search;
  const navigate = useNavigate();
  const choose = (part: Record<string, string | undefined>): void =>
    void navigate({ to: "/", search: readOverviewSearch({ ...search, ...part }) });
  const accounts = useAccounts().data?.accounts;
  const since = firstDay(days);
  const funnel = useQuery({
    queryKey: ["funnel", { since, by, account }],
    queryFn: () => read<ConsoleFunnel>("funnel", { since: `${since}T00:00:00Z`, by, account }),
  });
  const figures = useQuery({
    queryKey: ["figures", { since, account }],
    queryFn: () => read<ConsoleFigures>("figures", { since: `${since}T00:00:00Z`, account }),
  });
  const status = useStatus();
  const agents = useAgents();
  const endpoints = useEndpoints();
  const all = [funnel, figures, status, agents, endpoints];
  const failure = failureOf(all);
  // Shown when all of it is there: what comes later would push the rest down under the reader's eyes.
  const isThere = all.every(({ data }) => data !== undefined);
  return (
    <>
      <header>
        <h1>Overview</h1>
        <div className="end">
          {accounts !== undefined && accounts.length > 1 && (
            <Filter
              title="Account"
              all="all"
              value={account}
              choices={accounts.map((one) => ({ value: one.client_id, name: one.name }))}
              onChange={(value) => choose({ account: value })}
            />
          )}
          <div className="tabs" role="group" aria-label="Time">
            {SPANS.map(([value, name]) => (
              <button
                key={value}
                aria-pressed={days === value}
                onClick={() => choose({ days: value })}
              >
                {name}
              </button>
            ))}
          </div>
        </div>
      </header>
      {failure ? (
        <Problem error={failure} retry={() => void Promise.all(all.map((one) => one.refetch()))} />
      ) : !isThere ? (
        <Loading />
      ) : (
        <>
          <Outdated queries={all} />
          <Troubles status={status.data!} endpoints={endpoints.data!} agents={agents.data!} />
          <Part
            title="From button to lead"
            beside={
              <>
                <span className="quiet">
                  {funnel.data!.declined > 0 &&
                    `${count(funnel.data!.declined)} closed the notice without starting`}
                </span>
                <span className="end">
                  <Filter
                    title="By"
                    all="nothing"
                    value={by}
                    choices={DIMENSIONS.map((one) => ({ value: one, name: titleOf(one) }))}
                    onChange={(value) => choose({ by: value })}
                  />
                </span>
              </>
            }
          >
            <Funnel funnel={funnel.data!} by={by} />
          </Part>
          <Cards figures={figures.data!} status={status.data!} />
          <Agents all={agents.data!} figures={figures.data!} account={account} days={days} />
          {status.data!.processes.length > 0 && <Processes processes={status.data!.processes} />}
        </>
      )}
    </>
  );
}

/** More rows than these belong on a page of their own. */
const MOST_AGENTS = 8;

/** Those with most sessions. */
function Agents(props: {
  all: ConsoleAgents;
  figures: ConsoleFigures;
  account: string | undefined;
  days: string;
}): ReactNode {
  const { all, figures, account, days } = props;
  const counted = new Map(figures.agents.map((one) => [one.agent_id, one]));
  const agents = all.agents
    .filter((one) => account === undefined || one.client_id === account)
    .toSorted(
      (one, other) => (counted.get(other.id)?.started ?? 0) - (counted.get(one.id)?.started ?? 0),
    );
  if (agents.length === 0) return null;
  return (
    <Part
      title="Agents"
      beside={
        agents.length > MOST_AGENTS && (
          <span className="end">
            <Link className="link" to="/agents">
              All {count(agents.length)} agents
            </Link>
          </span>
        )
      }
    >
      <Rows
        head={
          <>
            <th>Agent</th>
            <th>Account</th>
            <th>State</th>
            <th className="number">Version</th>
            <th className="number">Sessions</th>
            <th className="number">Qualified</th>
            <th className="number">Delivered</th>
            <th className="number">Not evaluated</th>
            <th className="number">Not known</th>
            <th className="number">Answer p95</th>
            <th className="number">Per lead</th>
          </>
        }
      >
        {agents.slice(0, MOST_AGENTS).map((one) => (
          <tr key={one.id}>
            <AgentCells agent={one} />
            <AgentFigureCells figures={counted.get(one.id)} days={days} />
          </tr>
        ))}
      </Rows>
    </Part>
  );
}

/** Empty where nothing was counted. */
function AgentFigureCells(props: { figures: AgentFigures | undefined; days: string }): ReactNode {
  const { figures, days } = props;
  const failed = figures?.failed ?? 0;
  const { answers } = figures ?? {};
  return (
    <>
      <td className="number" data-title="Sessions">
        {figures && count(figures.started)}
      </td>
      <td className="number" data-title="Qualified">
        {figures && count(figures.qualified)}
      </td>
      <td className="number" data-title="Delivered">
        {figures && count(figures.delivered)}
      </td>
      <td className={failed > 0 ? "number bad" : "number"} data-title="Not evaluated">
        {figures && count(failed)}
      </td>
      <td className="number" data-title="Not known">
        {figures && figures.unanswered > 0 ? (
          <Link
            className="link"
            to="/agents/$id/gaps"
            params={{ id: figures.agent_id }}
            search={{ days }}
          >
            {count(figures.unanswered)}
          </Link>
        ) : (
          figures && "0"
        )}
      </td>
      <td className="number" data-title="Answer p95">
        {answers && waited(answers.p95_ms)}
      </td>
      <td className="number" data-title="Per lead">
        {figures && perLead(figures)}
      </td>
    </>
  );
}

const PROCESS_TONES: Record<StatusProcess["state"], Tone> = {
  running: "good",
  busy: "warn",
  draining: "warn",
  gone: "bad",
};

function Processes({ processes }: { processes: StatusProcess[] }): ReactNode {
  return (
    <Part title="Processes">
      <Rows
        head={
          <>
            <th>Process</th>
            <th>Role</th>
            <th>State</th>
            <th className="number">Calls</th>
            <th className="number">Jobs</th>
            <th className="number">Requests/s</th>
            <th className="number">Memory</th>
            <th className="number">Seen</th>
            <th>Release</th>
          </>
        }
      >
        {processes.map((one) => (
          <tr key={one.instance}>
            <td>
              <b>{one.instance}</b>
            </td>
            <td>{one.role}</td>
            <td>
              <State tone={PROCESS_TONES[one.state]}>{titleOf(one.state)}</State>
            </td>
            <td className="number" data-title="Calls">
              {one.capacity === undefined ? "" : `${one.sessions ?? 0} of ${one.capacity}`}
            </td>
            <td className="number" data-title="Jobs">
              {one.jobs}
            </td>
            <td className="number" data-title="Requests/s">
              {one.requests_per_sec}
            </td>
            <td className="number" data-title="Memory">
              {one.memory_percent === undefined ? "" : `${one.memory_percent} %`}
            </td>
            <td className="number quiet">
              <Ago at={one.seen_at} />
            </td>
            <td className="quiet">{one.version}</td>
          </tr>
        ))}
      </Rows>
    </Part>
  );
}
