import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { FoundSession, FoundSessions } from "@svc/contract/types";
import { useState } from "react";
import type { ReactNode } from "react";
import { addressOf, read } from "./api.ts";
import type { Query } from "./api.ts";
import { readSessionsSearch } from "./searches.ts";
import type { SessionsSearch } from "./searches.ts";
import { duration, titleOf } from "./format.ts";
import { useAccounts, useAgents } from "./lists.ts";
import { ARRIVALS, STATUSES, VERDICTS } from "./states.ts";
import { Ago, Button, Empty, Filter, Icon, Rows, State, useTitle, Waiting } from "./ui.tsx";
import type { Choice } from "./ui.tsx";

const ENTRIES = {
  modal: { name: "a button" },
  widget: { name: "the widget" },
  hero: { name: "the hero" },
};
const DEVICES = {
  desktop: { name: "desktop" },
  phone: { name: "phone" },
  tablet: { name: "tablet" },
};

const choicesOf = (names: Record<string, { name: string }>): Choice[] =>
  Object.entries(names).map(([value, { name }]) => ({ value, name }));

const DAYS = [
  { value: "1", name: "last 24 hours" },
  { value: "7", name: "last 7 days" },
  { value: "30", name: "last 30 days" },
];
const DAY_MS = 86_400_000;

function queryOf({ days, ...search }: SessionsSearch): Query {
  // Whole minutes, so that a page that is shown again is the same question.
  const sinceMs = Math.floor((Date.now() - Number(days) * DAY_MS) / 60_000) * 60_000;
  return { ...search, ...(days && { since: new Date(sinceMs).toISOString() }) };
}

export function SessionsPage(): ReactNode {
  useTitle("Sessions");
  const search = useSearch({ strict: false }) as SessionsSearch;
  const found = useInfiniteQuery({
    queryKey: ["sessions", search],
    queryFn: ({ pageParam: before }) =>
      read<FoundSessions>("sessions", { ...queryOf(search), ...(before && { before }) }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
  const sessions = found.data?.pages.flatMap((page) => page.sessions) ?? [];
  const last = found.data?.pages.at(-1);
  return (
    <>
      <header>
        <h1>Sessions</h1>
        <div className="end">
          <a className="button" href={addressOf("sessions.csv", queryOf(search))} download>
            Download spreadsheet
          </a>
        </div>
      </header>
      <SearchField key={search.text} text={search.text ?? ""} />
      <Filters search={search} />
      <Waiting query={found} />
      {found.isSuccess && sessions.length === 0 && !last?.next && <NoSessions search={search} />}
      {sessions.length > 0 && <SessionTable sessions={sessions} text={search.text} />}
      {found.isSuccess && (sessions.length > 0 || last?.next) && (
        <div className="foot">
          <span className="keys">
            <kbd>J</kbd> <kbd>K</kbd> move <kbd>↵</kbd> open <kbd>/</kbd> search
          </span>
          <span className="end">{sessions.length} shown</span>
          {last?.next && (
            <Button isBusy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              {found.isFetchingNextPage ? "Reading …" : "Show older ones"}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** Changes one part of what is looked for; the rest stays. */
function useChange(): (part: Partial<Record<keyof SessionsSearch, string | undefined>>) => void {
  const navigate = useNavigate();
  return (part) =>
    void navigate({
      to: "/sessions",
      search: (before: object) => readSessionsSearch({ ...before, ...part }),
    });
}

function SearchField({ text }: { text: string }): ReactNode {
  const change = useChange();
  const [typed, setTyped] = useState(text);
  const submit = (): void => change({ text: typed.trim().length < 2 ? undefined : typed.trim() });
  return (
    <search>
      <form
        className="search"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search sessions"
          placeholder="Words that were said, a name, an address"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => typed.trim() !== text && submit()}
        />
        <span className="hint quiet">
          in what was heard, names and emails <kbd>/</kbd>
        </span>
      </form>
    </search>
  );
}

function Filters({ search }: { search: SessionsSearch }): ReactNode {
  const change = useChange();
  const accounts = useAccounts().data?.accounts;
  const agents = useAgents().data?.agents;
  const ofAccount = agents?.filter((one) => !search.account || one.client_id === search.account);
  const asked = ofAccount?.filter((one) => !search.agent || one.id === search.agent) ?? [];
  const keysOf = (part: "languages" | "questions" | "insights"): string[] =>
    [...new Set(asked.flatMap((one) => one[part]))].toSorted();
  // A link may name what only an earlier version asked.
  const namesOf = (part: "questions" | "insights", chosen: string | undefined): Choice[] =>
    [...new Set([...keysOf(part), ...(chosen === undefined ? [] : [chosen])])].map((key) => ({
      value: key,
      name: titleOf(key),
    }));
  return (
    <div className="filters" role="group" aria-label="Filters">
      {accounts !== undefined && accounts.length > 1 && (
        <Filter
          title="Account"
          all="all"
          value={search.account}
          choices={accounts.map((one) => ({ value: one.client_id, name: one.name }))}
          onChange={(account) => change({ account, agent: undefined })}
        />
      )}
      <Filter
        title="Agent"
        all="all"
        value={search.agent}
        choices={(ofAccount ?? []).map((one) => ({
          value: one.id,
          name: `${one.name}, ${one.account_name}`,
        }))}
        onChange={(agent) => change({ agent })}
      />
      <Filter
        title="Verdict"
        all="any"
        value={search.qualification}
        choices={choicesOf(VERDICTS)}
        onChange={(qualification) => change({ qualification })}
      />
      <Filter
        title="Answered"
        all="any question"
        value={search.answered}
        choices={namesOf("questions", search.answered)}
        onChange={(answered) => change({ answered })}
      />
      <Filter
        title="Insight"
        all="any"
        value={search.insight}
        choices={namesOf("insights", search.insight)}
        onChange={(insight) => change({ insight })}
      />
      <Filter
        title="Webhook"
        all="any"
        value={search.delivery}
        choices={choicesOf(ARRIVALS)}
        onChange={(delivery) => change({ delivery })}
      />
      <Filter
        title="Started"
        all="any time"
        value={search.days}
        choices={DAYS}
        onChange={(days) => change({ days })}
      />
      <Filter
        title="Language"
        all="any"
        value={search.language}
        choices={keysOf("languages").map((code) => ({ value: code, name: code }))}
        onChange={(language) => change({ language })}
      />
      <Filter
        title="Opened by"
        all="anything"
        value={search.entry}
        choices={choicesOf(ENTRIES)}
        onChange={(entry) => change({ entry })}
      />
      <Filter
        title="Device"
        all="any"
        value={search.device}
        choices={choicesOf(DEVICES)}
        onChange={(device) => change({ device })}
      />
      <Filter
        title="Status"
        all="any"
        value={search.status}
        choices={choicesOf(STATUSES)}
        onChange={(status) => change({ status })}
      />
      <Filter
        title="Test sessions"
        all="left out"
        value={search.test}
        choices={[{ value: "true", name: "only these" }]}
        onChange={(test) => change({ test })}
      />
    </div>
  );
}

/** The questions that most of these sessions answer: more columns do not fit a laptop's screen. */
function questionsOf(sessions: FoundSession[], atMost: number): string[] {
  const counts = new Map<string, number>();
  for (const key of sessions.flatMap((one) => Object.keys(one.answers))) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const byCount = [...counts].toSorted(([, one], [, other]) => other - one);
  return byCount.slice(0, atMost).map(([key]) => key);
}

function SessionTable(props: { sessions: FoundSession[]; text: string | undefined }): ReactNode {
  const { sessions, text } = props;
  const showsHeard = sessions.some((one) => one.heard);
  const questions = questionsOf(sessions, showsHeard ? 2 : 3);
  return (
    <Rows
      head={
        <>
          <th className="number">When</th>
          <th>Who</th>
          {showsHeard && <th className="heard">Heard</th>}
          {!showsHeard && <th>Agent</th>}
          <th className="number">Length</th>
          <th>Verdict</th>
          {questions.map((key) => (
            <th key={key} className="cut">
              {titleOf(key)}
            </th>
          ))}
          <th>Webhook</th>
        </>
      }
    >
      {sessions.map((one) => (
        <tr key={one.id}>
          <td className="quiet number">
            <Ago at={one.created_at} />
          </td>
          <td className="who">
            <Who session={one} />
          </td>
          {showsHeard && (
            <td className="heard">
              {one.heard && (
                <q>
                  <Marked content={one.heard.content} text={text ?? ""} />
                </q>
              )}
            </td>
          )}
          {!showsHeard && (
            <td>
              <span className="agent">{one.account_name}</span>
              <span className="two agent">
                {one.agent_slug} v{one.agent_version}
              </span>
            </td>
          )}
          <td className="number" data-title="Length">
            {one.duration_secs === undefined ? "" : duration(one.duration_secs)}
          </td>
          <td>
            <Verdict session={one} />
          </td>
          {questions.map((key) => (
            <td key={key} className="cut" data-title={titleOf(key)} title={one.answers[key]}>
              {one.answers[key]}
            </td>
          ))}
          <td>
            {one.delivery && (
              <State tone={ARRIVALS[one.delivery].tone}>{ARRIVALS[one.delivery].name}</State>
            )}
          </td>
        </tr>
      ))}
    </Rows>
  );
}

function Who({ session }: { session: FoundSession }): ReactNode {
  const { id, customer_name: name, email } = session;
  return (
    <Link className="row" to="/sessions/$id" params={{ id }}>
      {name ?? email ?? <span className="quiet">No name given</span>}
      {name !== undefined && email !== undefined && <span className="two">{email}</span>}
    </Link>
  );
}

/** What the evaluation says; before there is one, where the session stands. */
function Verdict({ session: { qualification, status } }: { session: FoundSession }): ReactNode {
  const { name, tone } = qualification ? VERDICTS[qualification] : STATUSES[status];
  return <State tone={tone}>{name}</State>;
}

/** The text with the words that were looked for marked. */
function Marked({ content, text }: { content: string; text: string }): ReactNode {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu);
  if (words === null) return content;
  const parts = content.split(new RegExp(`(${words.join("|")})`, "giu"));
  return parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

function NoSessions({ search }: { search: SessionsSearch }): ReactNode {
  const isFiltered = Object.keys(search).length > 0;
  return isFiltered ? (
    <Empty
      icon="search"
      title="No session fits"
      action={
        <Link className="button" to="/sessions" search={{}}>
          Show all sessions
        </Link>
      }
    >
      Take a filter away, or look for fewer words. Words are found in finished sessions only, and
      test sessions are left out unless you choose them.
    </Empty>
  ) : (
    <Empty icon="sessions" title="No session yet">
      A session appears here when a visitor accepts the notice and begins to talk. For that the
      agent must be on a page: whoever runs the server prints what to paste there with{" "}
      <code>svc agents snippet</code>.
    </Empty>
  );
}
