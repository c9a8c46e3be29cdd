import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type {
  ConsoleEndpoint,
  ConsoleEndpoints,
  DeliveryDetail,
  DeliveryRow,
  DeliveryRows,
  ReplayOrder,
  ReplayReceipt,
} from "@svc/contract/types";
import { useState } from "react";
import type { ReactNode } from "react";
import { read } from "./api.ts";
import { useChange } from "./changes.ts";
import { WAITS_FOR } from "./arrival.ts";
import { Field, FormDialog } from "./dialogs.tsx";
import { readDeliveriesSearch } from "./searches.ts";
import type { DeliveriesSearch } from "./searches.ts";
import { count, duration, fieldTime, moment, timeOfDay, outcomeName } from "./format.ts";
import { HealthCells, HealthState, isHeld } from "./health.tsx";
import { useEndpoints } from "./lists.ts";
import { useMayChange } from "./shell.tsx";
import {
  Ago,
  Button,
  Empty,
  Failure,
  failureOf,
  Filter,
  Icon,
  Loading,
  Notice,
  Outdated,
  Part,
  Problem,
  Rows,
  State,
  useTitle,
} from "./ui.tsx";
import type { Tone } from "./ui.tsx";

export const DELIVERY_STATES: Record<DeliveryRow["state"], { name: string; tone: Tone }> = {
  waiting: { name: "Waiting", tone: "warn" },
  running: { name: "Being sent", tone: "warn" },
  delivered: { name: "Delivered", tone: "good" },
  exhausted: { name: "Failed", tone: "bad" },
  orphaned: { name: "Given up", tone: "bad" },
  cancelled: { name: "Cancelled", tone: "quiet" },
};

/** It is not tried again by itself. */
export function isFailed(state: DeliveryRow["state"]): boolean {
  return state === "exhausted" || state === "orphaned";
}

export function DeliveriesPage(): ReactNode {
  useTitle("Deliveries");
  const { endpoint, state, id } = useSearch({ strict: false }) as DeliveriesSearch;
  const endpoints = useEndpoints();
  const deliveries = useQuery({
    queryKey: ["deliveries", { endpoint, state }],
    queryFn: () => read<DeliveryRows>("deliveries", { endpoint, state }),
    refetchInterval: 15_000,
  });
  const failure = failureOf([endpoints, deliveries]);
  if (failure) {
    const retry = (): void => {
      void endpoints.refetch();
      void deliveries.refetch();
    };
    return (
      <>
        <header>
          <h1>Deliveries</h1>
        </header>
        <Problem error={failure} retry={retry} />
      </>
    );
  }
  const edges = (endpoints.data?.edges ?? []).filter(isHeld);
  const failed = endpoints.data?.endpoints.reduce((sum, one) => sum + one.health.failed, 0) ?? 0;
  const waiting = endpoints.data?.endpoints.reduce((sum, one) => sum + one.health.waiting, 0) ?? 0;
  return (
    <>
      <header>
        <h1>Deliveries</h1>
        <span className="quiet">
          {count(failed)} failed, {count(waiting)} waiting
        </span>
      </header>
      {endpoints.isPending && <Loading />}
      <Outdated queries={[endpoints, deliveries]} />
      {edges.length > 0 && (
        <div className="notices">
          {edges.map((edge) => (
            <Edge key={edge.client_id} edge={edge} />
          ))}
        </div>
      )}
      {endpoints.data?.endpoints.length === 0 && <NoEndpoints />}
      {endpoints.data !== undefined && endpoints.data.endpoints.length > 0 && (
        <>
          <EndpointTable
            endpoints={endpoints.data.endpoints.filter(
              (one) => endpoint === undefined || one.id === endpoint,
            )}
          />
          <div className={id ? "split" : ""}>
            <Part
              title="Events"
              beside={
                <Filters endpoints={endpoints.data.endpoints} endpoint={endpoint} state={state} />
              }
            >
              {deliveries.data && <DeliveryTable rows={deliveries.data} chosen={id} />}
            </Part>
            {id && <Detail key={id} id={id} />}
          </div>
        </>
      )}
    </>
  );
}

/** How far readers of the export have got, and what keeps them from what is finished. */
function Edge({ edge }: { edge: ConsoleEndpoints["edges"][number] }): ReactNode {
  return (
    <Notice
      tone={edge.overdue ? "bad" : "warn"}
      link={
        <Link to="/sessions/$id" params={{ id: edge.session_id }}>
          See what holds it
        </Link>
      }
    >
      <b>
        The export of {edge.account_name} is complete through {moment(edge.created_at)}.
      </b>{" "}
      One session waits for {WAITS_FOR[edge.waits_for]}
      {edge.until && (
        <>
          , {edge.overdue ? "overdue for" : "at the latest"} <Ago at={edge.until} />
        </>
      )}
      . {count(edge.held)} finished {edge.held === 1 ? "session waits" : "sessions wait"} behind it.
    </Notice>
  );
}

function NoEndpoints(): ReactNode {
  return (
    <Empty
      icon="deliveries"
      title="No receiver yet"
      action={
        <Link className="button" to="/accounts">
          Choose an account
        </Link>
      }
    >
      Evaluated sessions are sent to the receivers of their account. An operator registers one on
      the account&apos;s page.
    </Empty>
  );
}

function EndpointTable(props: { endpoints: ConsoleEndpoint[] }): ReactNode {
  return (
    <Part title="Receivers">
      <Rows
        head={
          <>
            <th>Receiver</th>
            <th>Account</th>
            <th>Health</th>
            <th className="number">Taken</th>
            <th className="number">Waiting</th>
            <th className="number">Failed</th>
            <th>
              <span className="hidden">Secret</span>
            </th>
            <th>
              <span className="hidden">Actions</span>
            </th>
          </>
        }
      >
        {inNeedFirst(props.endpoints).map((one) => (
          <tr key={one.id}>
            <td>
              <Link className="row" to="/endpoints/$id" params={{ id: one.id }}>
                {one.url.replace("https://", "")}
              </Link>
            </td>
            <td>{one.account_name}</td>
            <td>
              <HealthState endpoint={one} />
            </td>
            <td className="number" data-title="Taken">
              {one.health.last_finished > 0 &&
                `${one.health.last_delivered} of ${one.health.last_finished}`}
            </td>
            <HealthCells endpoint={one} />
            <td className="quiet">{one.secret_staged_at && "a new one is staged"}</td>
            <td className="number">
              <ReplayFailed endpoint={one} />
            </td>
          </tr>
        ))}
      </Rows>
    </Part>
  );
}

function inNeedFirst(endpoints: ConsoleEndpoint[]): ConsoleEndpoint[] {
  return endpoints.toSorted((one, other) => other.health.failed - one.health.failed);
}

/** As long as events are kept by default. */
const REPLAY_DAYS = 30;

function ReplayFailed({ endpoint }: { endpoint: ConsoleEndpoint }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const mayChange = useMayChange();
  const replay = useReplay();
  const { failed } = endpoint.health;
  if (!mayChange) return null;
  const close = (): void => setAsking(false);
  return (
    <>
      {replay.data && <span className="quiet">{count(replay.data.replayed)} sent again </span>}
      {failed > 0 && <Button onClick={() => setAsking(true)}>Replay {count(failed)}</Button>}
      {isAsking && (
        <FormDialog
          title="Send again what failed?"
          action="Send again"
          isBusy={replay.isPending}
          error={replay.error}
          onClose={close}
          onSubmit={(given) =>
            replay.mutate(
              {
                endpoint_id: endpoint.id,
                failed_since: new Date(given.get("since")!).toISOString(),
              },
              { onSuccess: close },
            )
          }
        >
          <p className="quiet">
            {count(failed)} {failed === 1 ? "lead has" : "leads have"} not arrived at {endpoint.url}
            . What is sent is what was sent before, under the same ids, so a receiver that keeps ids
            takes each only once.
          </p>
          <Field title="Failed since" hint="In your time zone. What failed before stays as it is.">
            <input
              name="since"
              type="datetime-local"
              required
              defaultValue={fieldTime(Date.now() - REPLAY_DAYS * 86_400_000)}
            />
          </Field>
        </FormDialog>
      )}
    </>
  );
}

export function useReplay(): ReturnType<typeof useChange<ReplayReceipt, ReplayOrder>> {
  return useChange("deliveries/replay", ["endpoints", "deliveries", "delivery"]);
}

function Filters(props: {
  endpoints: ConsoleEndpoint[];
  endpoint: string | undefined;
  state: string | undefined;
}): ReactNode {
  const navigate = useNavigate();
  const choose = (part: DeliveriesSearch | Record<string, undefined>): void =>
    void navigate({
      to: "/deliveries",
      search: readDeliveriesSearch({ endpoint: props.endpoint, state: props.state, ...part }),
    });
  return (
    <>
      <Filter
        title="Receiver"
        all="all"
        value={props.endpoint}
        choices={props.endpoints.map((one) => ({ value: one.id, name: new URL(one.url).host }))}
        onChange={(endpoint) => choose({ endpoint: endpoint ?? "" })}
      />
      <Filter
        title="State"
        all="any"
        value={props.state}
        choices={Object.entries(DELIVERY_STATES).map(([value, { name }]) => ({ value, name }))}
        onChange={(state) => choose({ state: state ?? "" })}
      />
    </>
  );
}

export function DeliveryTable(props: {
  rows: DeliveryRows;
  chosen?: string | undefined;
}): ReactNode {
  const { deliveries, more } = props.rows;
  const search = useSearch({ strict: false }) as DeliveriesSearch;
  if (deliveries.length === 0) {
    return (
      <Empty icon="deliveries" title="Nothing here">
        No delivery fits. An event is written when a session has been evaluated.
      </Empty>
    );
  }
  return (
    <>
      <Rows
        head={
          <>
            <th className="number">Written</th>
            <th>Lead</th>
            <th>State</th>
            <th>Last answer</th>
            <th className="number">Tries</th>
            <th className="number">Next</th>
          </>
        }
      >
        {deliveries.map((one) => (
          <tr key={one.id} className={String(one.id) === props.chosen ? "chosen" : ""}>
            <td className="number quiet">
              <Ago at={one.created_at} />
            </td>
            <td className="who">
              <Link
                className="row"
                to="/deliveries"
                search={{ ...search, id: String(one.id) }}
                resetScroll={false}
              >
                {one.email ?? "No address given"}
                <span className="two">
                  delivery {one.id} to {new URL(one.url).host}
                  {one.replay_of && `, replay of ${one.replay_of}`}
                </span>
              </Link>
            </td>
            <td>
              <State tone={DELIVERY_STATES[one.state].tone}>
                {DELIVERY_STATES[one.state].name}
              </State>
            </td>
            <td>{one.last_status ?? (one.last_outcome && outcomeName(one.last_outcome))}</td>
            <td className="number" data-title="Tries">
              {one.attempts} of 3
            </td>
            <td className="number" data-title="Next">
              {one.due_at &&
                (Date.parse(one.due_at) > Date.now() ? <Ago at={one.due_at} /> : "due")}
            </td>
          </tr>
        ))}
      </Rows>
      <div className="foot">
        <span className="keys">
          <kbd>J</kbd> <kbd>K</kbd> move <kbd>↵</kbd> open
        </span>
        <span className="end">
          {deliveries.length} shown{more && ", there are older ones: choose a receiver or a state"}
        </span>
      </div>
    </>
  );
}

/** One delivery beside the list. */
function Detail({ id }: { id: string }): ReactNode {
  const mayChange = useMayChange();
  const replay = useReplay();
  const delivery = useQuery({
    queryKey: ["delivery", Number(id)],
    queryFn: () => read<DeliveryDetail>(`deliveries/${encodeURIComponent(id)}`),
  });
  if (delivery.isError) return <Problem error={delivery.error} />;
  if (delivery.isPending) return <Loading />;
  const { data } = delivery;
  const { name, tone } = DELIVERY_STATES[data.state];
  const isFinished = data.finished_at !== undefined;
  return (
    <aside className="part" aria-label={`Delivery ${id}`}>
      <header>
        <h2>Delivery {id}</h2>
        <State tone={tone}>{name}</State>
        <span className="end">
          <Link className="button" to="/sessions/$id" params={{ id: data.session_id }}>
            Open the session
          </Link>
          {mayChange && isFinished && (
            <Button
              isBusy={replay.isPending || replay.isSuccess}
              onClick={() => replay.mutate({ ids: [data.id] })}
            >
              {replay.isSuccess ? "Sent again" : "Replay this one"}
            </Button>
          )}
        </span>
      </header>
      <Failure error={replay.error} />
      <p className="quiet mono">{data.event.id}</p>
      <p className="quiet">
        Evaluation {data.event.evaluation}, {count(data.event.bytes)} bytes, written{" "}
        {moment(data.event.at)}
        {data.endpoint_state !== "live" && `. The receiver is ${data.endpoint_state}.`}
      </p>
      {data.held_because && <p className="warn">Held back: {data.held_because}</p>}
      {data.behind && <p className="warn">It waits for delivery {data.behind}.</p>}
      {data.log.map((attempt) => (
        <div className="box" key={attempt.attempt}>
          <header>
            <b>
              {attempt.attempt}: {attempt.status ?? outcomeName(attempt.outcome)}
            </b>
            <span>
              {timeOfDay(attempt.started_at)}, {count(attempt.took_ms)} ms
            </span>
          </header>
          <pre tabIndex={0}>{attempt.answer ?? attempt.detail ?? "No body."}</pre>
        </div>
      ))}
      {data.log.length === 0 && <p>No attempt yet.</p>}
    </aside>
  );
}

/** Every attempt in a line. */
export function Attempts({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  return (
    <>
      {delivery.log.map(({ attempt, started_at: at, status, outcome, took_ms: tookMs }) => {
        const taken = status !== undefined && status >= 200 && status < 300;
        return (
          <div className="attempt" key={attempt}>
            <span className={taken ? "good" : "bad"}>
              <Icon name={taken ? "good" : "bad"} />
            </span>
            <span className="quiet">{timeOfDay(at)}</span>
            <span>{status ?? outcomeName(outcome)}</span>
            <span className="number quiet">
              {tookMs < 10_000 ? `${count(tookMs)} ms` : `${duration(tookMs / 1_000)} min`}
            </span>
          </div>
        );
      })}
      {delivery.due_at && (
        <p className="quiet">
          Next try <Ago at={delivery.due_at} />.
        </p>
      )}
    </>
  );
}
