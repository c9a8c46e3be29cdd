import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type {
  AgentFigures,
  ConsoleFigures,
  ConsoleFunnel,
  ConsoleStatus,
  StatusProcess,
} from "@svc/contract/types";
import type { ReactNode } from "react";
import { AgentCells } from "./agents.tsx";
import { read } from "./api.ts";
import { readOverviewSearch } from "./searches.ts";
import type { OverviewSearch } from "./searches.ts";
import { Cards, perLead } from "./figures.tsx";
import { count, titleOf, waited } from "./format.ts";
import { useAccounts, useAgents, useEndpoints } from "./lists.ts";
import {
  Ago,
  Empty,
  Filter,
  Loading,
  Notice,
  Part,
  Problem,
  Rows,
  State,
  useTitle,
} from "./ui.tsx";
import type { Tone } from "./ui.tsx";

const DAY_MS = 86_400_000;
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
  // The day of its beginning counts as a whole.
  const since = new Date(Date.now() - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10);
  const funnel = useQuery({
    queryKey: ["funnel", { since, by, account }],
    queryFn: () => read<ConsoleFunnel>("funnel", { since: `${since}T00:00:00Z`, by, account }),
  });
  const figures = useQuery({
    queryKey: ["figures", { since, account }],
    queryFn: () => read<ConsoleFigures>("figures", { since: `${since}T00:00:00Z`, account }),
  });
  const status = useQuery({
    queryKey: ["status"],
    queryFn: () => read<ConsoleStatus>("status"),
    refetchInterval: 10_000,
  });
  const failure = funnel.error ?? figures.error ?? status.error;
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
        <Problem
          error={failure}
          retry={() => void Promise.all([funnel, figures, status].map((one) => one.refetch()))}
        />
      ) : (
        <>
          <Troubles status={status.data} />
          {funnel.isPending && <Loading />}
          {funnel.data && (
            <Part
              title="From button to lead"
              beside={
                <>
                  <span className="quiet">
                    {funnel.data.declined > 0 &&
                      `${count(funnel.data.declined)} closed the notice without starting`}
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
              <Funnel funnel={funnel.data} by={by} />
            </Part>
          )}
          {figures.data && status.data && <Cards figures={figures.data} status={status.data} />}
          <Agents figures={figures.data} account={account} />
          {status.data && status.data.processes.length > 0 && (
            <Processes processes={status.data.processes} />
          )}
        </>
      )}
    </>
  );
}

const WITHOUT = {
  api: "customers and pages get no answer",
  live: "no demo can start",
  pipeline: "nothing is evaluated, delivered or mailed",
} as const;

/** What needs somebody, each with the page that says more. */
function Troubles({ status }: { status: ConsoleStatus | undefined }): ReactNode {
  const { data } = useEndpoints();
  return (
    <>
      {status?.missing_roles.map((role) => (
        <Notice key={role} tone="bad">
          <b>No process with the role {role} takes new work,</b> so {WITHOUT[role]}.
        </Notice>
      ))}
      {data?.endpoints
        .filter(({ health }) => health.failed > 0)
        .map((one) => (
          <Notice key={one.id} tone="bad">
            <b>
              {count(one.health.failed)} {one.health.failed === 1 ? "lead has" : "leads have"} not
              arrived
            </b>{" "}
            at {new URL(one.url).host} of {one.account_name}.{" "}
            <Link
              className="link"
              to="/deliveries"
              search={{ endpoint: one.id, state: "exhausted" }}
            >
              Look at the attempts
            </Link>
          </Notice>
        ))}
      {data?.edges
        .filter(({ held, overdue }) => held > 0 || overdue)
        .map((edge) => (
          <Notice key={edge.client_id} tone="warn">
            <b>The export of {edge.account_name} is held,</b> {count(edge.held)} finished sessions
            wait.{" "}
            <Link className="link" to="/sessions/$id" params={{ id: edge.session_id }}>
              See what holds it
            </Link>
          </Notice>
        ))}
    </>
  );
}

const STEPS: Record<string, string> = {
  button_viewed: "Button seen",
  opened: "Opened",
  form: "Form",
  started: "Notice accepted",
  microphone: "Microphone",
  talked: "First words",
  email_given: "Email",
  evaluated: "Evaluated",
  qualified: "Qualified",
  delivered: "Delivered",
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Bars that begin at zero and share one scale, each with its number and its share of the step before. */
function Funnel(props: { funnel: ConsoleFunnel; by: string | undefined }): ReactNode {
  const { by } = props;
  // Where no page asks for anything first, nobody can fill in a form.
  const steps = props.funnel.steps.filter(({ step, count: made }) => step !== "form" || made > 0);
  const funnel = { ...props.funnel, steps };
  // Many more see a button than open it: its bar is cut, so that the others can be compared.
  const [buttons, ...others] = funnel.steps.map((step) => step.count);
  const highest = Math.max(1, ...others);
  const isCut = (buttons ?? 0) > highest;
  if (funnel.steps.every((step) => step.count === 0)) {
    return (
      <Empty icon="overview" title="Nobody has come by yet">
        Visitors are counted from the moment a page shows the demo&apos;s button. Sessions appear
        when they accept the notice.
      </Empty>
    );
  }
  return (
    <>
      <div className="table" tabIndex={0} role="group" aria-label="Steps of the funnel">
        <ol className="funnel">
          {funnel.steps.map((step, index) => {
            const height = Math.min(1, step.count / highest) * 120;
            return (
              <li key={step.step} className="step">
                <span className="name">{STEPS[step.step]}</span>
                <b>{count(step.count)}</b>
                <svg viewBox="0 0 100 120" preserveAspectRatio="none" aria-hidden="true">
                  <rect y={120 - height} width="72" height={height} fill="var(--accent)" />
                  <rect y="119" width="100" height="1" fill="var(--line)" />
                  {isCut && index === 0 && <path d="M0 34 72 22v8L0 42z" fill="var(--paper)" />}
                </svg>
                <span className="quiet">
                  {step.share === undefined
                    ? isCut && index === 0 && "bar cut"
                    : `${percent(step.share)} of ${STEPS[step.of ?? ""]?.toLowerCase()}`}
                </span>
              </li>
            );
          })}
        </ol>
      </div>
      {funnel.rows !== undefined && funnel.rows.length > 0 && (
        <Rows
          head={
            <>
              <th>{titleOf(by ?? "")}</th>
              {funnel.steps.map(({ step }) => (
                <th key={step} className="number">
                  {STEPS[step]}
                </th>
              ))}
            </>
          }
        >
          {funnel.rows.map((row) => (
            <tr key={row.value ?? ""}>
              <td>
                <b>{row.name ?? row.value ?? "Not known"}</b>
              </td>
              {funnel.steps.map(({ step }) => (
                <td key={step} className="number" data-title={STEPS[step]}>
                  {row.counts[step] === undefined ? "" : count(row.counts[step])}
                </td>
              ))}
            </tr>
          ))}
        </Rows>
      )}
    </>
  );
}

function Agents(props: {
  figures: ConsoleFigures | undefined;
  account: string | undefined;
}): ReactNode {
  const { figures, account } = props;
  const agents = useAgents().data?.agents.filter(
    (one) => account === undefined || one.client_id === account,
  );
  if (agents === undefined || agents.length === 0) return null;
  const counted = new Map(figures?.agents.map((one) => [one.agent_id, one]));
  return (
    <Part title="Agents">
      <Rows
        head={
          <>
            <th>Agent</th>
            <th>Account</th>
            <th>State</th>
            <th>Version</th>
            <th className="number">Sessions</th>
            <th className="number">Qualified</th>
            <th className="number">Delivered</th>
            <th className="number">Not evaluated</th>
            <th className="number">Answer p95</th>
            <th className="number">Per lead</th>
          </>
        }
      >
        {agents.map((one) => (
          <tr key={one.id}>
            <AgentCells agent={one} />
            <AgentFigureCells figures={counted.get(one.id)} />
          </tr>
        ))}
      </Rows>
    </Part>
  );
}

/** Empty where nothing was counted. */
function AgentFigureCells({ figures }: { figures: AgentFigures | undefined }): ReactNode {
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
