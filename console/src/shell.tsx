import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import type { ConsoleMe, FoundSession, FoundSessions } from "@svc/contract/types";
import { useEffect, useId, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { read } from "./api.ts";
import { ago, count } from "./format.ts";
import { useEndpoints } from "./lists.ts";
import brand from "./icon.svg";
import { ARRIVALS, STATUSES, VERDICTS } from "./states.ts";
import type { Named } from "./states.ts";
import { Icon, State, useModal } from "./ui.tsx";
import type { IconName } from "./ui.tsx";

const PAGES: { to: string; name: string; icon: IconName; key: string }[] = [
  { to: "/", name: "Overview", icon: "overview", key: "o" },
  { to: "/sessions", name: "Sessions", icon: "sessions", key: "s" },
  { to: "/deliveries", name: "Deliveries", icon: "deliveries", key: "d" },
  { to: "/agents", name: "Agents", icon: "agents", key: "a" },
  { to: "/accounts", name: "Accounts", icon: "accounts", key: "c" },
];

/** In the palette, and at the foot of the rail by the person's name. */
const YOU = { to: "/me", name: "You and your tokens", icon: "agents", key: "y" } as const;

/** The person who is signed in; what they may not do is not offered. */
export function useMe(): ConsoleMe | undefined {
  return useQuery({ queryKey: ["me"], queryFn: () => read<ConsoleMe>("me") }).data;
}

/** Operators and admins change things; viewers read. */
export function useMayChange(): boolean {
  const me = useMe();
  return me !== undefined && me.role !== "viewer";
}

export function Shell(): ReactNode {
  const [isFinding, setFinding] = useState(false);
  useShortcuts(() => setFinding(true));
  return (
    <div className="frame">
      <nav className="rail" aria-label="Console">
        <div className="brand">
          <img src={brand} alt="" />
          Svc <span className="quiet">Console</span>
        </div>
        <button className="find" onClick={() => setFinding(true)}>
          <Icon name="search" />
          <span className="wide">Find a lead</span>
          <span className="narrow">Find</span>
          <kbd>⌘K</kbd>
        </button>
        {PAGES.map(({ to, name, icon }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === "/", includeSearch: false }}
            activeProps={{ className: "active" }}
          >
            <Icon name={icon} />
            {name}
            {to === "/deliveries" && <NotArrived />}
          </Link>
        ))}
        <Person />
      </nav>
      <main className="page" tabIndex={-1}>
        <Outlet />
      </main>
      {isFinding && <Palette onClose={() => setFinding(false)} />}
    </div>
  );
}

/** How many leads have failed to arrive, on every page. */
function NotArrived(): ReactNode {
  const endpoints = useEndpoints().data?.endpoints ?? [];
  const failed = endpoints.reduce((sum, { health }) => sum + health.failed, 0);
  if (failed === 0) return null;
  return (
    <span className="badge">
      {count(failed)} <span className="hidden">not arrived</span>
    </span>
  );
}

/** Light, dark, or as the system has it. */
export function Looks(): ReactNode {
  const [look, setLook] = useLook();
  return (
    <div className="tabs looks" role="group" aria-label="Look">
      {(["auto", "light", "dark"] as const).map((one) => (
        <button key={one} aria-pressed={look === one} onClick={() => setLook(one)}>
          {one}
        </button>
      ))}
    </div>
  );
}

function Person(): ReactNode {
  const me = useMe();
  return (
    <div className="person">
      <Looks />
      {me && (
        <>
          <Link to={YOU.to}>{me.name}</Link>
          <div className="quiet">
            {me.role}, {me.accounts?.map(({ name }) => name).join(", ") ?? "all accounts"}
          </div>
          <form method="post" action="/console/sign-out">
            <button>Sign out</button>
          </form>
        </>
      )}
    </div>
  );
}

type Look = "auto" | "light" | "dark";
const LOOK = "svc-console-look";

/** Kept in this browser. Without a choice, the system's. */
function useLook(): [Look, (look: Look) => void] {
  const [look, setLook] = useState(() => (localStorage.getItem(LOOK) ?? "auto") as Look);
  useEffect(() => {
    document.documentElement.dataset["look"] = look;
    localStorage.setItem(LOOK, look);
  }, [look]);
  return [look, setLook];
}

/** ⌘K or Ctrl+K finds, / goes to the page's search, j and k move through rows, g and a letter open a page. */
function useShortcuts(find: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goes = false;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key === "k") {
        event.preventDefault();
        return find();
      }
      const { target } = event;
      const types = target instanceof HTMLElement && target.matches("input, select, textarea");
      if (types || event.metaKey || event.ctrlKey || event.altKey) return undefined;
      if (document.querySelector("dialog[open]")) return undefined;
      const page = goes ? [...PAGES, YOU].find(({ key }) => key === event.key) : undefined;
      goes = event.key === "g";
      if (page !== undefined) void navigate({ to: page.to });
      else if (event.key === "/") focusSearch(event);
      else if (event.key === "j" || event.key === "k") moveRow(event.key === "j" ? 1 : -1);
      return undefined;
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [find, navigate]);
}

function focusSearch(event: globalThis.KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>("input[type=search]");
  if (field === null) return;
  event.preventDefault();
  field.select();
  field.focus();
}

/** To the next or previous row, from wherever the focus is. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".row")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Command {
  key: string;
  name: string;
  /** Beside the name, quieter. */
  more?: string | undefined;
  state?: Named;
  icon: IconName;
  keys?: string;
  run: () => void;
}

const TYPING_MS = 250;
const MOST_LEADS = 6;

/** The newest sessions with this in them, once nobody types any more: each look is written down. */
function useLeads(typed: string): FoundSession[] | undefined {
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useQuery({
    queryKey: ["leads", text],
    queryFn: async () => {
      const { sessions } = await read<FoundSessions>("sessions", { text });
      // Who misses a lead does not know that it was a test.
      if (sessions.length > 0) return sessions;
      return (await read<FoundSessions>("sessions", { text, test: "true" })).sessions;
    },
    enabled: text.length >= 2,
  }).data;
  return text === typed ? found?.slice(0, MOST_LEADS) : undefined;
}

/** Whether it arrived; before it was sent, the verdict; before that, where it stands. */
function stateOfLead({ delivery, qualification, status }: FoundSession): Named {
  if (delivery !== undefined) return ARRIVALS[delivery];
  return qualification === undefined ? STATUSES[status] : VERDICTS[qualification];
}

/** Opens a lead, a page, a session by its id, or the search for what was typed. */
function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const dialog = useModal();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();

  const typed = text.trim();
  const leads = useLeads(typed);
  const pages = [...PAGES, YOU]
    .filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()))
    .map(({ name, icon, key, to }) => ({
      key: to,
      name,
      icon,
      keys: `g ${key}`,
      run: () => void navigate({ to }),
    }));
  const open = (session: string): void =>
    void navigate({ to: "/sessions/$id", params: { id: session } });
  // A page first: who types its name and Enter must not open a lead that was found meanwhile.
  const commands: Command[] = [
    ...pages,
    ...(SESSION_ID.test(typed)
      ? [
          {
            key: "id",
            name: `Open session ${typed}`,
            icon: "sessions" as const,
            run: () => open(typed.toLowerCase()),
          },
        ]
      : []),
    ...(leads ?? []).map((one) => ({
      key: one.id,
      name: one.customer_name ?? one.email ?? "No name given",
      more: `${one.account_name}, ${ago(one.created_at, Date.now())} ago`,
      icon: "sessions" as const,
      state: stateOfLead(one),
      run: () => open(one.id),
    })),
    // Before they are finished, sessions are found by nothing that was said or given.
    ...(leads?.length === 0
      ? [
          {
            key: "unfinished",
            name: "No finished session fits: show those that are not finished",
            icon: "warn" as const,
            run: () => void navigate({ to: "/sessions", search: { status: "active" } }),
          },
        ]
      : []),
    ...(typed.length >= 2
      ? [
          {
            key: "search",
            name: `Search sessions for “${typed}”`,
            icon: "search" as const,
            run: () => void navigate({ to: "/sessions", search: { text: typed } }),
          },
        ]
      : []),
  ];
  const chosen = Math.min(at, commands.length - 1);
  const choose = (command: Command | undefined): void => {
    dialog.current?.close();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((chosen + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(commands[chosen]);
    }
  };
  return (
    <dialog ref={dialog} className="palette" aria-label="Find" onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-label="Find a lead or a page"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={commands.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="A name, an address, words that were said, an id"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label="Found">
        {commands.map((command, index) => (
          <li
            key={command.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => choose(command)}
          >
            <Icon name={command.icon} />
            <span>
              {command.more ? <b>{command.name}</b> : command.name}
              {command.more && <span className="two">{command.more}</span>}
            </span>
            {command.state && <State tone={command.state.tone}>{command.state.name}</State>}
            {command.keys && <kbd>{command.keys}</kbd>}
          </li>
        ))}
      </ul>
      <footer>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move <kbd>↵</kbd> open
        </span>
        <span>Searches are written down with your name</span>
      </footer>
    </dialog>
  );
}
