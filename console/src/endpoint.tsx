import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type {
  EndpointChange,
  EndpointDetail,
  EndpointRemoval,
  ReceiverCheck,
  ReceiverTest,
  ReceiverTestOrder,
  RemovalOrder,
  Rotation,
  RotationOrder,
} from "@svc/contract/types";
import { useState } from "react";
import type { ReactNode } from "react";
import { read } from "./api.ts";
import { useChange } from "./changes.ts";
import { DeliveryTable } from "./deliveries.tsx";
import { SecretDialog } from "./dialogs.tsx";
import { count, moment } from "./format.ts";
import { HealthState } from "./health.tsx";
import { useMayChange } from "./shell.tsx";
import {
  Ago,
  Button,
  Confirm,
  Failure,
  failureOf,
  Icon,
  Loading,
  Notice,
  Outdated,
  Part,
  Problem,
  useTitle,
} from "./ui.tsx";

/** One receiver: how it does, what to do about it, and its secret. */
export function EndpointPage(): ReactNode {
  const { id } = useParams({ strict: false }) as { id: string };
  const endpoint = useQuery({
    queryKey: ["endpoints", "one", id],
    queryFn: () => read<EndpointDetail>(`endpoints/${encodeURIComponent(id)}`),
    refetchInterval: 15_000,
  });
  useTitle(endpoint.data ? hostOf(endpoint.data.url) : "Receiver");
  const failure = failureOf([endpoint]);
  if (failure) return <Problem alone error={failure} retry={() => void endpoint.refetch()} />;
  if (endpoint.data === undefined) return <Loading />;
  return (
    <>
      <Outdated queries={[endpoint]} />
      <Receiver endpoint={endpoint.data} />
    </>
  );
}

function hostOf(url: string): string {
  return new URL(url).host;
}

function Receiver({ endpoint }: { endpoint: EndpointDetail }): ReactNode {
  const mayChange = useMayChange() && endpoint.state !== "removed";
  const test = useChange<ReceiverTest, ReceiverTestOrder>(`endpoints/${endpoint.id}/test`, []);
  return (
    <>
      <header>
        <Link className="crumb" to="/deliveries">
          Deliveries /
        </Link>
        <h1>{hostOf(endpoint.url)}</h1>
        <HealthState endpoint={endpoint} />
        {mayChange && (
          <div className="end">
            <PauseReceiver endpoint={endpoint} />
            <RemoveReceiver endpoint={endpoint} />
            <Button look="strong" isBusy={test.isPending} onClick={() => test.mutate({})}>
              {test.isPending ? "Sending made-up sessions …" : "Check this receiver"}
            </Button>
          </div>
        )}
      </header>
      <Advice endpoint={endpoint} />
      <div className="book">
        <div>
          {test.error && (
            <p className="notice bad" role="alert">
              {test.error.message}
            </p>
          )}
          {test.data && <Findings test={test.data} />}
          <Part
            title="Newest deliveries"
            beside={
              <span className="end">
                <Link className="link" to="/deliveries" search={{ endpoint: endpoint.id }}>
                  All of this receiver
                </Link>
              </span>
            }
          >
            {endpoint.deliveries.length === 0 ? (
              <p className="quiet">
                Nothing yet. An event is written when a session has been evaluated.
              </p>
            ) : (
              <DeliveryTable rows={{ deliveries: endpoint.deliveries, more: false }} />
            )}
          </Part>
        </div>
        <div className="facts">
          <Facts endpoint={endpoint} />
          <Secret
            endpoint={endpoint}
            mayChange={mayChange}
            isTesting={test.isPending}
            onTest={() => test.mutate({ staged: true })}
          />
        </div>
      </div>
    </>
  );
}

/** What keeps leads from arriving here, and what to do about it. */
function Advice({ endpoint }: { endpoint: EndpointDetail }): ReactNode {
  const { state, health, deliveries, url } = endpoint;
  const held = deliveries.find(({ held_because: why }) => why !== undefined)?.held_because;
  return (
    <>
      {state === "removed" && (
        <Notice tone="warn">
          <b>It was removed.</b> Nothing is sent to it any more. What was sent before stays below.
        </Notice>
      )}
      {state === "paused" && (
        <Notice tone="warn">
          <b>It is paused.</b> {count(health.waiting)} wait, and go out when you resume it.
        </Notice>
      )}
      {held !== undefined && (
        <Notice tone="bad">
          <b>Nothing can be sent:</b> {held}
        </Notice>
      )}
      {health.failed > 0 && (
        <Notice tone="bad">
          <b>
            {count(health.failed)} {health.failed === 1 ? "lead has" : "leads have"} not arrived.
          </b>{" "}
          Check the receiver to learn why. Once it answers, replay what failed from Deliveries.
        </Notice>
      )}
      {url.startsWith("http:") && (
        <Notice tone="warn">
          <b>It is plain HTTP.</b> Whoever is on the way can read it: register an https address.
        </Notice>
      )}
    </>
  );
}

const CHECK_ICONS = { ok: "good", warn: "warn", fail: "bad", skip: "quiet" } as const;

function Findings({ test }: { test: ReceiverTest }): ReactNode {
  const failed = test.checks.filter(({ state }) => state === "fail").length;
  const warned = test.checks.filter(({ state }) => state === "warn").length;
  return (
    <section className="part" aria-live="polite">
      <header>
        <h2>
          {failed + warned === 0
            ? "All is well"
            : `${failed} failed, ${warned} to look at, of ${test.checks.length} checks`}
        </h2>
      </header>
      <ul className="checks">
        {test.checks.map((one) => (
          <Check key={one.name} check={one} />
        ))}
      </ul>
      {test.cures.map(({ checks, node, python }) => (
        <details key={checks.join()}>
          <summary>Code that fixes {checks.join(", ")}</summary>
          <pre tabIndex={0}>{`// Node\n${node}\n\n# Python\n${python}`}</pre>
        </details>
      ))}
    </section>
  );
}

function Check({ check }: { check: ReceiverCheck }): ReactNode {
  const tone = CHECK_ICONS[check.state];
  return (
    <li>
      <span className={tone}>
        <Icon name={tone} />
        <span className="hidden">{check.state}</span>
      </span>
      <b>{check.name}</b>
      <span>
        {check.says}
        {check.fix && <span className="two">{check.fix}</span>}
      </span>
      <span className="number quiet">
        {check.took_ms !== undefined && check.state !== "skip" && `${count(check.took_ms)} ms`}
      </span>
    </li>
  );
}

function PauseReceiver({ endpoint }: { endpoint: EndpointDetail }): ReactNode {
  const verb = endpoint.state === "live" ? "pause" : "resume";
  const set = useChange<EndpointChange>(`endpoints/${endpoint.id}/${verb}`, ["endpoints"]);
  return (
    <>
      <Failure error={set.error} />
      <Button isBusy={set.isPending} onClick={() => set.mutate()}>
        {verb === "pause" ? "Pause" : "Resume"}
      </Button>
    </>
  );
}

function RemoveReceiver({ endpoint }: { endpoint: EndpointDetail }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useChange<EndpointRemoval, RemovalOrder>(`endpoints/${endpoint.id}/remove`, [
    "endpoints",
    "deliveries",
  ]);
  const { waiting, running } = endpoint.health;
  return (
    <>
      <Failure error={remove.error} />
      <Button isBusy={remove.isPending} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && (
        <Confirm
          title={`Remove ${hostOf(endpoint.url)}?`}
          action="Remove it"
          danger
          onClose={() => setAsking(false)}
          onConfirm={() =>
            remove.mutate(
              { cancel_waiting: true },
              { onSuccess: () => void navigate({ to: "/deliveries" }) },
            )
          }
        >
          Nothing is sent to it any more
          {waiting + running > 0 &&
            `, and ${count(waiting + running)} ${waiting + running === 1 ? "lead that waits is" : "leads that wait are"} cancelled, which cannot be undone`}
          . The list of what was sent stays. To hold leads back for a while, pause it instead.
        </Confirm>
      )}
    </>
  );
}

function Facts({ endpoint }: { endpoint: EndpointDetail }): ReactNode {
  const { health } = endpoint;
  return (
    <section>
      <h2>Receiver</h2>
      <dl>
        <dt>Address</dt>
        <dd>{endpoint.url}</dd>
        <dt>Account</dt>
        <dd>
          <Link className="link" to="/accounts/$id" params={{ id: endpoint.client_id }}>
            {endpoint.account_name}
          </Link>
        </dd>
        <dt>Agents</dt>
        <dd>{endpoint.agents?.map(({ slug }) => slug).join(", ") ?? "all"}</dd>
        <dt>Taken</dt>
        <dd>
          {health.last_finished === 0
            ? "nothing sent yet"
            : `${health.last_delivered} of the last ${health.last_finished}`}
        </dd>
        <dt>Under way</dt>
        <dd>
          {count(health.waiting)} waiting, {count(health.running)} being sent
        </dd>
        <dt>After an outage</dt>
        <dd>{endpoint.replay_exhausted ? "replays by itself" : "waits for you to replay"}</dd>
        <dt>Added</dt>
        <dd>{moment(endpoint.added_at)}</dd>
        <dt>Id</dt>
        <dd>
          <code>{endpoint.id}</code>
        </dd>
      </dl>
    </section>
  );
}

/** The receiver learns a new secret before anything is signed with it, so that nothing is refused meanwhile. */
function Secret(props: {
  endpoint: EndpointDetail;
  mayChange: boolean;
  isTesting: boolean;
  onTest: () => void;
}): ReactNode {
  const { endpoint, mayChange } = props;
  const [isLeaked, setLeaked] = useState(false);
  const rotate = useChange<Rotation, RotationOrder>(`endpoints/${endpoint.id}/rotate`, [
    "endpoints",
  ]);
  const { secret_staged_at: stagedAt, previous_secret_until: until } = endpoint;
  const overlaps = until !== undefined && Date.parse(until) > Date.now();
  return (
    <section>
      <h2>Secret</h2>
      {stagedAt === undefined ? (
        <p>
          {overlaps
            ? `A new one signs. The old one signs beside it until ${moment(until)}: the receiver must know the new one by then.`
            : "Every request is signed with it. It was shown when it was made, and is stored sealed."}
        </p>
      ) : (
        <ol className="stages">
          <li>
            <b>A new secret was staged</b> <Ago at={stagedAt} /> ago and shown then. Let the
            receiver take both, the old one and the new.
          </li>
          <li>
            <b>Check it</b> with the new secret: nothing is signed with it yet.
          </li>
          <li>
            <b>Sign with it.</b> The old one signs beside it for a day.
          </li>
        </ol>
      )}
      <Failure error={rotate.error} />
      {mayChange && (
        <div className="actions">
          {stagedAt === undefined ? (
            <Button isBusy={rotate.isPending} onClick={() => rotate.mutate({ step: "stage" })}>
              Stage a new secret
            </Button>
          ) : (
            <>
              <Button isBusy={props.isTesting} onClick={props.onTest}>
                Check with the new one
              </Button>
              <Button isBusy={rotate.isPending} onClick={() => rotate.mutate({ step: "activate" })}>
                Sign with it
              </Button>
              <Button isBusy={rotate.isPending} onClick={() => rotate.mutate({ step: "cancel" })}>
                Forget it
              </Button>
            </>
          )}
          <Button isBusy={rotate.isPending} onClick={() => setLeaked(true)}>
            It has leaked
          </Button>
        </div>
      )}
      {isLeaked && (
        <Confirm
          title="Replace the secret at once?"
          action="Replace it now"
          danger
          onClose={() => setLeaked(false)}
          onConfirm={() => rotate.mutate({ step: "now" })}
        >
          Requests are signed with a new secret from now on, so a receiver that checks signatures
          refuses them until it knows it. Pause the receiver first if it cannot learn it within a
          minute.
        </Confirm>
      )}
      {rotate.data?.secret && (
        <SecretDialog
          title={rotate.data.change === "staged" ? "The staged secret" : "The new secret"}
          secret={rotate.data.secret}
          onClose={() => rotate.reset()}
        >
          <p className="quiet">
            {rotate.data.change === "staged"
              ? "Let the receiver take both, this one and the old one, and then check it here."
              : "It signs from now on. Give it to the receiver at once."}
          </p>
        </SecretDialog>
      )}
    </section>
  );
}
