import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { ApiProblem } from "./api.ts";
import { ago, moment, timeOfDay } from "./format.ts";

const PATHS = {
  overview: "M2 14h12M4 11V7m4 4V3m4 8V5",
  sessions: "M2.5 3h11v8H7l-3 3v-3H2.5z",
  deliveries: "M2 8h8m0 0L7 5m3 3-3 3m6-8v10",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.5-1.5L14 14",
  agents: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-5 6c0-3 2-4.5 5-4.5s5 1.5 5 4.5",
  accounts: "M3 14V3h6v11m0-7h4v7M2 14h12M5 6h2M5 9h2",
  good: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.5 8l2 2 3.2-4",
  bad: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6 6l4 4m0-4-4 4",
  warn: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3l2 1.5",
  quiet: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.5 8h5",
} as const;
export type IconName = keyof typeof PATHS;

/** Decoration: the word beside it says the same. */
export function Icon({ name }: { name: IconName }): ReactNode {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** It keeps the focus while it cannot be pressed, which one that is disabled would lose. */
export function Button(props: {
  look?: "strong" | "danger";
  isBusy?: boolean;
  onClick: () => void;
  children: ReactNode;
}): ReactNode {
  const { look = "", isBusy = false, onClick, children } = props;
  return (
    <button
      className={`button ${look}`}
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) onClick();
      }}
    >
      {children}
    </button>
  );
}

/** Opens a dialog over the page. Whoever comes out of it is where they were, or at the page's beginning. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      keepFocus();
    };
  }, []);
  return dialog;
}

/** Where what had the focus is gone, the next Tab would begin at the top of the window. */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector("main")?.focus();
  });
}

export type Tone = "good" | "warn" | "bad" | "quiet";

/** A state in a word, with a sign and a colour. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return (
    <span className={`state ${tone}`}>
      <Icon name={tone} />
      {children}
    </span>
  );
}

/** What needs somebody, with a sign, what to do about it, and the page for it. */
export function Notice(props: { tone: Tone; link?: ReactNode; children: ReactNode }): ReactNode {
  const { tone, link, children } = props;
  return (
    <div className="notice">
      <span className={tone}>
        <Icon name={tone} />
      </span>
      <span>{children}</span>
      {link && <span className="more">{link}</span>}
    </div>
  );
}

const TICK_MS = 10_000;

/** The time, every ten seconds: what is shown as "9 min ago" must not stand still. */
export function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string }): ReactNode {
  const nowMs = useNow();
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at, nowMs)}
    </time>
  );
}

/** A part of a page, under a heading of its own. */
export function Part(props: {
  title: string;
  /** In the line of the heading. */
  beside?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="part">
      <header>
        <h2>{props.title}</h2>
        {props.beside}
      </header>
      {props.children}
    </section>
  );
}

/** A table, which scrolls sideways by itself where the screen is narrow. */
export function Rows({ head, children }: { head: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className="table">
      <table className="rows">
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export interface Choice {
  value: string;
  name: string;
}

/** A filter that reads as a sentence: "Agent all". */
export function Filter(props: {
  title: string;
  all: string;
  value: string | undefined;
  choices: Choice[];
  onChange: (value: string | undefined) => void;
}): ReactNode {
  const { title, all, value = "", choices, onChange } = props;
  return (
    <label className={value === "" ? "chip" : "chip set"}>
      {title}
      <select value={value} onChange={(event) => onChange(event.target.value || undefined)}>
        <option value="">{all}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Lines where a table will be. */
export function Loading(): ReactNode {
  return (
    <div className="bars" role="status" aria-label="Loading">
      {Array.from({ length: 8 }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

/** A page without rows says what would fill it. */
export function Empty(props: {
  icon: IconName;
  title: string;
  /** It is the whole page, so its title is the page's. */
  alone?: boolean;
  children: ReactNode;
  action?: ReactNode;
}): ReactNode {
  const Heading = props.alone ? "h1" : "h2";
  return (
    <div className="empty">
      <Icon name={props.icon} />
      <Heading>{props.title}</Heading>
      <p>{props.children}</p>
      {props.action}
    </div>
  );
}

/** What was read, or why it was not. */
type Answered = Pick<UseQueryResult, "error" | "data" | "dataUpdatedAt">;

/** What keeps a page from being shown. What was shown stays while the server is away, but not for who is signed out. */
export function failureOf(queries: Answered[]): Error | undefined {
  const failed = queries.find(
    ({ error, data }) => error && (data === undefined || statusOf(error) === 401),
  );
  return failed?.error ?? undefined;
}

/** Says that what is shown may have changed, where it could not be read again. */
export function Outdated({ queries }: { queries: Answered[] }): ReactNode {
  const failed = queries.find(({ error }) => error);
  if (failed === undefined) return null;
  const at = timeOfDay(new Date(failed.dataUpdatedAt).toISOString());
  return (
    <Notice tone="warn">
      <b>What you see is of {at}.</b> {failed.error!.message}
    </Notice>
  );
}

function statusOf(error: Error): number {
  return error instanceof ApiProblem ? error.status : 0;
}

/** What went wrong, and a way on. */
export function Problem(props: {
  error: Error;
  retry?: () => void;
  /** As of an empty page. */
  alone?: boolean;
}): ReactNode {
  const { error, retry } = props;
  const status = statusOf(error);
  const Heading = props.alone ? "h1" : "h2";
  return (
    <div className="empty" role="alert">
      <Icon name="bad" />
      <Heading>{TITLES[status] ?? "This could not be shown"}</Heading>
      <p>{error.message}</p>
      {status === 401 && (
        <a className="button" href="/console">
          Sign in
        </a>
      )}
      {status === 404 && (
        <a className="button" href="/console">
          Open the overview
        </a>
      )}
      {/* What does not exist will not exist when it is asked for again. */}
      {retry && ![401, 404].includes(status) && (
        <button className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

const TITLES: Record<number, string> = {
  401: "You are signed out",
  404: "This is not here",
};

/** What stands in the place of rows that are not read yet, or could not be. */
export function Waiting({ query }: { query: UseQueryResult | UseInfiniteQueryResult }): ReactNode {
  if (query.isPending) return <Loading />;
  if (query.isError) return <Problem error={query.error} retry={() => void query.refetch()} />;
  return null;
}

/** Why a change was not made. */
export function Failure({ error }: { error: Error | null }): ReactNode {
  if (error === null) return null;
  return (
    <p className="bad" role="alert">
      {error.message}
    </p>
  );
}

/** Asks before something that cannot be undone, or that goes to somebody else. */
export function Confirm(props: {
  title: string;
  children: ReactNode;
  action: string;
  danger?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}): ReactNode {
  const dialog = useModal();
  const id = useId();
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={props.onClose}>
      <div>
        <h2 id={id}>{props.title}</h2>
        <p className="quiet">{props.children}</p>
        <div className="end">
          <button className="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            className={props.danger ? "button danger" : "button strong"}
            onClick={() => {
              props.onConfirm();
              dialog.current?.close();
            }}
          >
            {props.action}
          </button>
        </div>
      </div>
    </dialog>
  );
}

/** Tells the browser's tab where it is. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Svc`;
  }, [title]);
}
