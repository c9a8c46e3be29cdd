import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type {
  DeliveryDetail,
  DeliveryRows,
  Erased,
  EraseOrder,
  Evaluation,
  EvaluationReceipt,
  Story,
} from "@svc/contract/types";
import { useState } from "react";
import type { ReactNode } from "react";
import { change, read } from "./api.ts";
import { WAITS_FOR } from "./arrival.ts";
import { Attempts, DELIVERY_STATES, isFailed, useReplay } from "./deliveries.tsx";
import { FormDialog } from "./dialogs.tsx";
import { placeOf } from "./evidence.ts";
import type { Place } from "./evidence.ts";
import { ago, count, duration, moment, money, timeOfDay, titleOf } from "./format.ts";
import { Arrived, Steps } from "./progress.tsx";
import { STATUSES, VERDICTS } from "./states.ts";
import { useMayChange, useMe } from "./shell.tsx";
import { Turns } from "./turns.tsx";
import {
  Button,
  Failure,
  failureOf,
  Loading,
  Outdated,
  Problem,
  State,
  useNow,
  useTitle,
} from "./ui.tsx";

/** One session to read like a page of a book: what was heard on the left, what is known on the right. */
export function SessionPage(): ReactNode {
  const { id } = useParams({ strict: false }) as { id: string };
  const session = useQuery({
    queryKey: ["session", id],
    queryFn: () => read<Story>(`sessions/${encodeURIComponent(id)}`),
    // Its state changes until it is settled.
    refetchInterval: ({ state: { data } }) => (data && !data.settled_at ? 10_000 : false),
  });
  const failure = failureOf([session]);
  if (failure) return <Problem alone error={failure} retry={() => void session.refetch()} />;
  if (session.data === undefined) return <Loading />;
  return (
    <>
      <Outdated queries={[session]} />
      <Told key={id} story={session.data} />
    </>
  );
}

function Told({ story }: { story: Story }): ReactNode {
  const versions = story.evaluations.filter((run) => run.state === "written");
  const [version, setVersion] = useState(versions.at(-1)?.version);
  const chosen = versions.find((run) => run.version === version);
  const evaluation = (chosen?.evaluation ?? story.evaluation ?? {}) as Evaluation;
  const [lit, setLit] = useState<Place>();
  const [part, setPart] = useState<"heard" | "facts">("heard");
  const name = evaluation.customer_name ?? story.email ?? "No name given";
  const deliveries = useQuery({
    queryKey: ["deliveries", { session: story.id }],
    queryFn: () => read<DeliveryRows>("deliveries", { session: story.id }),
  }).data?.deliveries;
  useTitle(name);
  const show = (place: Place | undefined): void => {
    setLit(place);
    setPart("heard");
    // After the part is shown, on a phone.
    requestAnimationFrame(() => {
      document.getElementById(`turn-${place?.turn}`)?.scrollIntoView({ block: "center" });
    });
  };
  const { status } = evaluation.qualification ?? {};
  const verdict = status ? VERDICTS[status] : STATUSES[story.status];
  return (
    <>
      <header>
        <Link className="crumb" to="/sessions">
          Sessions /
        </Link>
        <h1>{name}</h1>
        <State tone={verdict.tone}>{verdict.name}</State>
        {evaluation.customer_name !== undefined && <span className="quiet">{story.email}</span>}
        {story.test && <span className="quiet">test session</span>}
        <Actions story={story} deliveries={deliveries ?? []} />
      </header>
      <Steps story={story} evaluation={evaluation} deliveries={deliveries ?? []} />
      <Arrived story={story} deliveries={deliveries} />
      <div className="tabs parts" role="group" aria-label="Part">
        <button aria-pressed={part === "heard"} onClick={() => setPart("heard")}>
          Heard
        </button>
        <button aria-pressed={part === "facts"} onClick={() => setPart("facts")}>
          Verdict and facts
        </button>
      </div>
      <div className="book" data-part={part}>
        <Turns story={story} quotes={quotesOf(story, evaluation)} lit={lit} />
        <div className="facts">
          <Judgement story={story} evaluation={evaluation} version={version} onShow={show}>
            {versions.length > 1 && (
              <select
                aria-label="Version of the evaluation"
                value={version}
                onChange={(event) => setVersion(Number(event.target.value))}
              >
                {versions.map((run) => (
                  <option key={run.version} value={run.version}>
                    version {run.version}
                  </option>
                ))}
              </select>
            )}
          </Judgement>
          <LeftOut story={story} version={version} />
          <Delivery story={story} deliveries={deliveries} />
          <Consent story={story} />
          <Cost story={story} />
          <Facts story={story} />
          <OtherEvents story={story} />
        </div>
      </div>
    </>
  );
}

function Actions(props: { story: Story; deliveries: DeliveryRows["deliveries"] }): ReactNode {
  const { story, deliveries } = props;
  const me = useMe();
  const replay = useReplay();
  const failed = deliveries.filter((one) => isFailed(one.state) && !one.followed);
  const mayChange = useMayChange();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isErasing, setErasing] = useState(false);
  const evaluate = useMutation({
    mutationFn: () => change<EvaluationReceipt>(`sessions/${story.id}/evaluate`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["session", story.id] }),
  });
  const erase = useMutation({
    mutationFn: (order: EraseOrder) => change<Erased>("erasures", order),
    onSuccess: async () => {
      queries.removeQueries({ queryKey: ["session", story.id] });
      await queries.invalidateQueries({ queryKey: ["sessions"] });
      await navigate({ to: "/sessions" });
    },
  });
  return (
    <div className="end">
      {mayChange && story.conversation.length > 0 && (
        <Button isBusy={evaluate.isPending || evaluate.isSuccess} onClick={() => evaluate.mutate()}>
          {evaluate.isSuccess ? "New evaluation ordered" : "Evaluate again"}
        </Button>
      )}
      {me?.role === "admin" && <Button onClick={() => setErasing(true)}>Erase</Button>}
      {mayChange && (failed.length > 0 || replay.isSuccess) && (
        <Button
          look="strong"
          isBusy={replay.isPending || replay.isSuccess}
          onClick={() => replay.mutate({ ids: failed.map(({ id }) => id) })}
        >
          {replay.isSuccess ? "Sent again" : "Replay delivery"}
        </Button>
      )}
      <Failure error={evaluate.error ?? replay.error} />
      {isErasing && (
        <FormDialog
          title="Erase this session?"
          action="Erase for good"
          danger
          isBusy={erase.isPending}
          error={erase.error}
          onSubmit={(given) => erase.mutate(eraseOrder(story, given.get("what") === "person"))}
          onClose={() => setErasing(false)}
        >
          <p className="quiet">
            What was said, the evaluation, the address and what was sent are removed and cannot be
            brought back. What receivers already have stays with them. A receipt remains.
          </p>
          {story.email !== undefined && (
            <fieldset className="field">
              <legend>What to erase</legend>
              <label className="check">
                <input type="radio" name="what" value="session" defaultChecked autoFocus /> Only
                this session
              </label>
              <label className="check">
                <input type="radio" name="what" value="person" /> Every session of {story.email}{" "}
                with {story.account.name}
              </label>
            </fieldset>
          )}
        </FormDialog>
      )}
    </div>
  );
}

/** The session, or all that the account has of its visitor. */
function eraseOrder({ id, email, account }: Story, isOfPerson: boolean): EraseOrder {
  return isOfPerson && email !== undefined
    ? { email, account: account.client_id }
    : { session_id: id };
}

/** What the evaluation proves by a quote, to underline in the conversation. */
function quotesOf(
  { conversation }: Story,
  { insights = {}, objections = [] }: Evaluation,
): Place[] {
  const quotes = [
    ...Object.values(insights).map(({ evidence }) => evidence),
    ...objections.map(({ objection }) => objection),
  ];
  return quotes.flatMap((quote) => placeOf(conversation, quote) ?? []);
}

function Judgement(props: {
  story: Story;
  evaluation: Evaluation;
  version: number | undefined;
  onShow: (place: Place | undefined) => void;
  children: ReactNode;
}): ReactNode {
  const { story, evaluation, version, onShow } = props;
  const run = story.evaluations.find((one) => one.version === version);
  const pending = story.evaluations.some(({ state }) => state === "pending");
  const { questions = {}, insights = {}, objections = [], qualification } = evaluation;
  const asked = evaluation.prospect_questions ?? [];
  return (
    <>
      <section>
        <h2>
          Verdict
          <span>
            {props.children}
            {run?.model && ` ${run.model}`}
          </span>
        </h2>
        {pending && <p className="warn">A new evaluation is under way.</p>}
        <p>{qualification?.reasoning ?? evaluation.summary ?? story.summary ?? "No evaluation."}</p>
        {Object.keys(questions).length > 0 && (
          <dl>
            {Object.entries(questions).map(([key, { answer, was_asked: wasAsked }]) => (
              <Pair key={key} name={titleOf(key)}>
                {answer ?? (
                  <span className="quiet">{wasAsked ? "asked, no answer" : "not asked"}</span>
                )}
              </Pair>
            ))}
          </dl>
        )}
      </section>
      {Object.keys(insights).length > 0 && (
        <section>
          <h2>Insights</h2>
          <dl>
            {Object.entries(insights).map(([key, { value, evidence }]) => (
              <Pair key={key} name={titleOf(key)}>
                <Quoted story={story} text={value} quote={evidence} onShow={onShow} />
              </Pair>
            ))}
            {objections.map(({ objection, response }) => (
              <Pair key={objection} name="Objection">
                <Quoted
                  story={story}
                  text={response ?? "Not answered"}
                  quote={objection}
                  onShow={onShow}
                />
              </Pair>
            ))}
          </dl>
        </section>
      )}
      {asked.length > 0 && (
        <section>
          <h2>They asked</h2>
          <dl>
            {asked.map(({ question, answer }) => (
              <Pair key={question} name={question}>
                {answer ?? <span className="quiet">no answer was heard</span>}
              </Pair>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

/** A finding that leads to the words that prove it. */
function Quoted(props: {
  story: Story;
  text: string;
  quote: string;
  onShow: (place: Place | undefined) => void;
}): ReactNode {
  const place = placeOf(props.story.conversation, props.quote);
  const body = (
    <>
      <span>{props.text}</span>
      {place && <span className="link">turn {place.turn + 1}</span>}
      <q>{props.quote}</q>
    </>
  );
  if (place === undefined) return <div className="evidence">{body}</div>;
  return (
    <button className="evidence" onClick={() => props.onShow(place)}>
      {body}
    </button>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function LeftOut({ story, version }: { story: Story; version: number | undefined }): ReactNode {
  const run = story.evaluations.find((one) => one.version === version);
  const failed = story.evaluations.filter(({ state }) => state === "failed");
  if (!run?.dropped?.length && failed.length === 0) return null;
  return (
    <section>
      <h2>
        Left out <span>no proof, so not published</span>
      </h2>
      <dl>
        {run?.dropped?.map(({ where, why }) => (
          <Pair key={where} name={titleOf(why)}>
            {placeName(where)}
          </Pair>
        ))}
        {failed.map((one) => (
          <Pair key={one.version} name={`Version ${one.version}`}>
            <span className="bad">{one.failure}</span>
          </Pair>
        ))}
      </dl>
    </section>
  );
}

/** `prospect_questions[0].answer` as "their question 1, answer" */
function placeName(where: string): string {
  return where
    .replace(/^prospect_questions/, "their_question")
    .replace(/^(objection|insight|question)s\b/, "$1")
    .replaceAll(/\[(\d+)\]/g, (_, index: string) => ` ${Number(index) + 1}`)
    .replaceAll(".", ", ")
    .replaceAll("_", " ");
}

function Delivery(props: {
  story: Story;
  deliveries: DeliveryRows["deliveries"] | undefined;
}): ReactNode {
  const { story, deliveries } = props;
  return (
    <section>
      <h2>Delivery</h2>
      {deliveries?.map((one) => (
        <OneDelivery key={one.id} id={one.id} />
      ))}
      {deliveries?.length === 0 && <p className="quiet">Nothing was sent.</p>}
      <p>
        <ExportWords story={story} /> <MailWords story={story} />
      </p>
    </section>
  );
}

function OneDelivery({ id }: { id: number }): ReactNode {
  const detail = useQuery({
    queryKey: ["delivery", id],
    queryFn: () => read<DeliveryDetail>(`deliveries/${id}`),
  }).data;
  if (detail === undefined) return null;
  const { name, tone } = DELIVERY_STATES[detail.state];
  return (
    <div className="part">
      <p className="line">
        <Link
          className="link"
          to="/deliveries"
          search={{ endpoint: detail.endpoint_id, id: String(id) }}
        >
          {new URL(detail.url).host}
        </Link>
        <State tone={tone}>{name}</State>
      </p>
      <Attempts delivery={detail} />
    </div>
  );
}

function ExportWords({ story }: { story: Story }): ReactNode {
  const nowMs = useNow();
  const { edge, waiting } = story;
  switch (story.export.state) {
    case "exported":
      return "In the export.";
    case "held":
      return (
        <>
          Not in the export yet: held by{" "}
          <Link className="link" to="/sessions/$id" params={{ id: edge?.session_id ?? story.id }}>
            an older session
          </Link>
          , which waits for {WAITS_FOR[edge?.waits_for ?? "conversation"]}
          {edge?.until && `, ${edge.overdue ? "overdue for" : "due"} ${ago(edge.until, nowMs)}`}.
        </>
      );
    case "not_settled":
      return `Not in the export yet: it waits for ${WAITS_FOR[waiting?.waits_for ?? "conversation"]}.`;
    case "test":
      return "Never in the export: it is a test session.";
    case "missing":
      return "Missing in the export, though it is settled. That is a defect: please report it.";
  }
}

function MailWords({ story: { mail } }: { story: Story }): ReactNode {
  if (mail === undefined) return "No mail to the prospect was ordered.";
  const at = mail.finished_at ?? mail.due_at;
  return `Mail to the prospect: ${mail.state}${at ? ` ${moment(at)}` : ""}${mail.reason ? `, ${mail.reason}` : ""}.`;
}

function Consent({ story: { notice, language } }: { story: Story }): ReactNode {
  if (notice === undefined) return null;
  return (
    <section>
      <h2>Consent receipt</h2>
      <dl>
        <Pair name="Accepted">
          {moment(notice.accepted_at)}
          {language && `, conversation in ${language}`}
        </Pair>
        <Pair name="Notice">
          <code title={notice.sha256}>sha256 {notice.sha256.slice(0, 12)}…</code>
        </Pair>
      </dl>
    </section>
  );
}

function Cost({ story }: { story: Story }): ReactNode {
  const judged = story.evaluations.reduce((sum, run) => sum + (run.cost_micros ?? 0), 0);
  const all = story.cost_micros ?? 0;
  if (all === 0) return null;
  const tokens = story.evaluations.reduce(
    (sum, run) => sum + (run.input_tokens ?? 0) + (run.output_tokens ?? 0),
    0,
  );
  return (
    <section>
      <h2>
        Cost <span>{money(all)}</span>
      </h2>
      <dl>
        <Pair name="Talking">{money(all - judged)}</Pair>
        <Pair name="Evaluating">
          {money(judged)} <span className="quiet">{count(tokens)} tokens</span>
        </Pair>
      </dl>
    </section>
  );
}

function Facts({ story }: { story: Story }): ReactNode {
  const { agent, account, duration_secs: secs, metadata } = story;
  return (
    <section>
      <h2>Facts</h2>
      <dl>
        <Pair name="Agent">
          {agent.slug} v{agent.version}, {account.name}
        </Pair>
        <Pair name="Started">{moment(story.created_at)}</Pair>
        {secs !== undefined && (
          <Pair name="Length">
            {duration(secs)}
            {story.mode && ` by ${story.mode}`}
            {story.end_reason && `, ${titleOf(story.end_reason).toLowerCase()}`}
          </Pair>
        )}
        {story.email && (
          <Pair name="Email">
            {story.email}
            {story.email_verified === false && (
              <span className="warn"> its domain accepts no mail</span>
            )}
          </Pair>
        )}
        {story.page && <Pair name="Page">{story.page}</Pair>}
        {Object.entries(metadata)
          .filter(([, value]) => value !== story.email)
          .map(([key, value]) => (
            <Pair key={key} name={titleOf(key)}>
              {value}
            </Pair>
          ))}
        <Pair name="Id">
          <code>{story.id}</code>
        </Pair>
      </dl>
    </section>
  );
}

function OtherEvents({ story }: { story: Story }): ReactNode {
  return (
    <section>
      <details>
        <summary>Every event, as it was recorded ({story.events.length})</summary>
        <pre tabIndex={0}>
          {story.events
            .map(({ at, kind, detail }) => `${timeOfDay(at)} ${kind} ${JSON.stringify(detail)}`)
            .join("\n")}
        </pre>
      </details>
    </section>
  );
}
