import { addCustomer, playSession, start } from "@svc/server/testing";
import type { Scenario } from "./scenario.ts";

interface List {
  sessions: { id: string; status: string }[];
  more: boolean;
}

interface Story {
  status: string;
  conversation: { role: string; content: string; interrupted?: true }[];
  export: { state: string };
  edge?: { session_id: string };
}

export const sessions: Scenario = async ({ stage, judge }) => {
  const { db, pool } = stage.database;
  const customer = await addCustomer(db, { name: "Wonka" });
  const turns = [
    { role: "assistant" as const, content: "Hello, I am an AI guide. What", interrupted: true },
    { role: "user" as const, content: "What does it cost?" },
  ];
  const processed = await playSession(db, customer, { turns, metadata: { email: "a@b.example" } });
  const abandoned = await playSession(db, customer, { turns: [] });
  const failed = await playSession(db, customer, {
    settlement: { status: "error", reason: "model_output" },
  });
  const active = await start(db, customer);
  const held = await playSession(db, customer);
  const test = await playSession(db, customer, { test: true });
  await pool.query(
    `INSERT INTO session_events (session_at, session_id, at, kind, detail) VALUES ($1, $2, now(), 'tool.show_content', '{}')`,
    [processed.createdAt, processed.id],
  );
  await pool.query(
    `INSERT INTO evaluations (session_id, version, state, requested_at, finished_at, model, evaluation) VALUES ($1, 1, 'written', now(), now(), 'rehearsal', '{}')`,
    [processed.id],
  );

  const list = ["sessions", "list"];
  const ofWonka = [...list, "--account", "wonka"];
  async function lists(argv: string[], ids: string[], more = false): Promise<void> {
    const told = await judge.answers<List>(argv);
    judge.same(
      told.sessions.map(({ id }) => id),
      ids,
      `svc ${argv.join(" ")}`,
    );
    judge.check(told.more === more, `svc ${argv.join(" ")} tells more: ${told.more}`);
  }
  const all = [held.id, active.id, failed.id, abandoned.id, processed.id];
  const { agentId } = customer.agent;
  await Promise.all([
    judge.tells(list, ["ID", "STATUS"]),
    judge.tells([...ofWonka, "--limit", "2"], [held.id, active.id, "raise --limit"]),
    lists([...ofWonka, "--since", "1h"], all),
    lists([...ofWonka, "--limit", "2"], all.slice(0, 2), true),
    lists([...list, "--agent", agentId, "--since", held.createdAt.toISOString()], [held.id]),
    lists([...ofWonka, "--agent", "guide", "--status", "active"], [active.id]),
    lists([...ofWonka, "--status", "abandoned"], [abandoned.id]),
    lists([...ofWonka, "--status", "processed"], [held.id, processed.id]),
    lists([...ofWonka, "--status", "error"], [failed.id]),
    lists([...ofWonka, "--test"], [test.id]),
    judge.tells([...ofWonka, "--since", "2026-01-01", "--status", "error"], [failed.id]),
  ]);

  const states: [id: string, state: string, words: string][] = [
    [processed.id, "exported", "In the export."],
    [active.id, "not_settled", "it waits for the visitor to connect"],
    [held.id, "held", `Held at session ${active.id}`],
    [test.id, "test", "it is a test session"],
  ];
  await Promise.all(
    states.flatMap(([id, state, words]) => [
      judge.tells(["sessions", "show", id], [words]),
      judge.answers<Story>(["sessions", "show", id]).then((story) => {
        judge.check(story.export.state === state, `${id} is told as ${story.export.state}`);
      }),
    ]),
  );
  const story = await judge.answers<Story>(["sessions", "show", processed.id]);
  judge.same(
    story.conversation.map(({ role, content, interrupted = false }) => ({
      role,
      content,
      interrupted,
    })),
    turns
      .map((turn) => ({ interrupted: false, ...turn }))
      .map(({ role, content, interrupted }) => ({ role, content, interrupted })),
    "the conversation of sessions show",
  );
  await judge.tells(
    ["sessions", "show", processed.id],
    ["What — (interrupted)", "visitor  What does it cost?", "tool.show_content", "rehearsal"],
  );

  const nobody = "00000000-0000-7000-8000-000000000000";
  await Promise.all([
    judge.refuses(["sessions", "show", nobody], 1, `There is no session ${nobody}.`),
    judge.refuses(["sessions", "show", "wonka"], 1, "There is no session wonka."),
    judge.refuses([...list, "--since", "yesterday"], 2, '"yesterday" is no time.'),
    judge.refuses([...list, "--limit", "5000"], 2, '"5000" is no number of rows.'),
    judge.refuses([...list, "--agent", "nobody"], 1, 'There is no agent "nobody".'),
  ]);
};
