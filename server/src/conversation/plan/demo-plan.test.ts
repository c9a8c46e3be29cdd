import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentUnderTest } from "./agent-under-test.ts";
import { DemoPlan } from "./demo-plan.ts";
import type { PlanOptions } from "./demo-plan.ts";
import type { Goal } from "./goal.ts";

const agent = agentUnderTest();
let turns = 0;

function planOf(metadata: Record<string, string> = {}, options: PlanOptions = {}) {
  const plan = new DemoPlan(agent, metadata, options);
  const next = () => `t${(turns += 1)}`;
  return {
    plan,
    /** The visitor says it; the goal of the reply. */
    hears(content: string): Goal {
      plan.heardVisitor({ id: next(), content });
      return plan.nextGoal();
    },
    says(content: string, interrupted = false): string {
      const id = next();
      plan.heardAgent({ id, content, interrupted });
      return id;
    },
    /** A phrase, in place of a model that is away. */
    excuses(): void {
      plan.heardAgent({ id: next(), content: "One moment.", interrupted: false }, false);
    },
  };
}

const ask = (key: string) => expect.objectContaining({ kind: "ask", key });

test("a question that the visitor has just answered does not count as heard", () => {
  const told: string[] = [];
  const { plan, hears, says } = planOf({}, { tell: (kind) => told.push(kind) });
  says("Hello, I am Linden.");
  expect(hears("Visitors should understand our heat pumps.")).toEqual(ask("use_case"));
  expect(plan.noteAnswer("use_case", "Visitors should understand our heat pumps")).toBe(true);
  says("Good to know. What else interests you?");
  expect(told).toEqual(["question_answered"]);
  expect(plan.state.asked).toEqual([]);
});

describe("the next goal", () => {
  test("greets first, then asks in order, one question a turn, and wraps up", () => {
    const { plan, hears, says } = planOf();
    expect(plan.nextGoal()).toEqual({ kind: "greet" });
    says("Hello, I am Linden. What brought you here?");
    expect(hears("We sell heat pumps.")).toEqual(ask("use_case"));
    says("Good. What should your visitors understand on the site?");
    expect(hears("How the pump works.")).toEqual(ask("monthly_visitors"));
    says("And about how many people visit that page in a month?");
    expect(hears("Five thousand.")).toEqual(ask("timeline"));
    says("When would you like it running?");
    expect(hears("In May.")).toEqual({ kind: "offer_email" });
    says("May I send you a summary?");
    plan.emailCard("open");
    plan.emailCard("confirmed");
    expect(plan.nextGoal()).toEqual({ kind: "wrap_up", because: "done" });
    expect(plan.isOver).toBe(false);
    says("Thank you, goodbye!");
    expect(plan.isOver).toBe(true);
    expect(plan.state).toEqual({
      visitor: "none",
      asked: ["use_case", "monthly_visitors", "timeline"],
      answered: ["use_case", "monthly_visitors", "timeline"],
      shown: [],
      email: "confirmed",
      mail: "none",
    });
  });

  test("stays the same until the visitor has said something", () => {
    const { plan, hears, says } = planOf();
    const goal = hears("We sell heat pumps.");
    says("Good.");
    expect(plan.nextGoal()).toBe(goal);
  });

  test("a visitor who asks is answered, at most twice in a row", () => {
    const { hears, says } = planOf();
    const kinds = ["Who is behind it?", "Is it safe?", "Where does it run?", "Who can see it?"].map(
      (text) => {
        const { kind } = hears(text);
        says(kind === "ask" ? "Well. What should visitors understand on your site?" : "Well.");
        return kind;
      },
    );
    expect(kinds).toEqual(["answer", "answer", "ask", "answer"]);
  });

  test("a visitor who goes on asking when all is done is not sent away", () => {
    const { plan, hears } = planOf({ use_case: "x", monthlyVisitors: "1", Timeline: "May" });
    plan.emailCard("declined");
    const kinds = Array.from({ length: 8 }, () => hears("Who is behind it?").kind);
    expect(new Set(kinds)).toEqual(new Set(["answer"]));
    expect(hears("I understand.")).toEqual({ kind: "wrap_up", because: "done" });
  });

  test("a farewell is returned, but not to the very first words", () => {
    const { hears } = planOf();
    expect(hears("Goodbye.").kind).not.toBe("wrap_up");
    expect(hears("Goodbye.")).toEqual({ kind: "wrap_up", because: "done" });
  });

  test("what fits is shown, once, and not in every turn", () => {
    const { plan, hears } = planOf();
    expect(hears("How do I install it?")).toMatchObject({ kind: "show", id: "snippet" });
    plan.contentShown("snippet");
    expect(hears("And the export?").kind).not.toBe("show");
    expect(hears("Do you have webhooks?")).toMatchObject({ kind: "show", id: "results" });
    plan.contentShown("results");
    hears("Good.");
    expect(hears("How do I install it?").kind).not.toBe("show");
  });

  test("the email is offered after six turns, once", () => {
    const { hears, says } = planOf();
    const kinds = Array.from({ length: 12 }, () => {
      const { kind } = hears("Hm.");
      says("Well.");
      return kind;
    });
    expect(kinds.indexOf("offer_email")).toBe(5);
    expect(kinds.filter((kind) => kind === "offer_email")).toHaveLength(1);
  });

  test("is not offered where the page has handed over an address", () => {
    const { plan, hears, says } = planOf({ email: "ada@example.com" });
    const kinds = Array.from({ length: 8 }, () => {
      const { kind } = hears("Hm.");
      says("Well.");
      return kind;
    });
    expect(kinds).not.toContain("offer_email");
    expect(plan.state.email).toBe("confirmed");
  });

  test.each(["null", "", "n/a", "{}"])(
    "is offered where the page knows no address: %s",
    (email) => {
      const { plan, hears, says } = planOf({ email });
      expect(plan.state.email).toBe("unknown");
      const kinds = Array.from({ length: 8 }, () => {
        const { kind } = hears("Hm.");
        says("Well.");
        return kind;
      });
      expect(kinds).toContain("offer_email");
    },
  );

  test("is due again after a turn in which no model answered", () => {
    const { plan, hears, says, excuses } = planOf({ use_case: "x", timeline: "x" });
    for (const said of ["One.", "Two.", "Three."]) {
      expect(hears(said)).toEqual(ask("monthly_visitors"));
      excuses();
    }
    expect(hears("Four.")).toEqual(ask("monthly_visitors"));
    says("How many people visit that page in a month?");
    expect(hears("Many.")).toEqual({ kind: "offer_email" });
    excuses();
    expect(hears("Well?")).toEqual({ kind: "answer" });
    says("Here I am.");
    expect(hears("Good.")).toEqual({ kind: "offer_email" });
    says("May I send you a summary?");
    expect(hears("No.")).toEqual({ kind: "wrap_up", because: "done" });
    excuses();
    expect(plan.isOver).toBe(false);
    expect(hears("Good.")).toEqual({ kind: "wrap_up", because: "done" });
  });
});

test("a mail follows where it may be expected, and not to an address that gets none", () => {
  const { plan } = planOf({}, { mailFollows: true });
  expect(plan.state.mail).toBe("follows");
  plan.emailCard("open");
  plan.emailCard("confirmed", { address: "ada@example.com", mailFollows: false });
  expect(plan.state.mail).toBe("none");
  plan.emailCard("open");
  plan.emailCard("confirmed", { address: "ada@example.org", mailFollows: true });
  expect(plan.state.mail).toBe("follows");
  expect(planOf().plan.state.mail).toBe("none");
});

describe("an address that was confirmed", () => {
  test("stays when a card that was to correct it is closed, also in another process", () => {
    const past: { kind: string; detail: Record<string, unknown> }[] = [];
    const { plan } = planOf({}, { tell: (kind, detail) => past.push({ kind, detail }) });
    for (const state of ["open", "confirmed", "open"] as const) plan.emailCard(state);
    expect(plan.state.email).toBe("open");
    plan.emailCard("declined");
    expect(plan.state.email).toBe("confirmed");
    expect(past.at(-1)).toEqual({ kind: "email_card", detail: { state: "kept" } });
    expect(new DemoPlan(agent, {}, { past }).state.email).toBe("confirmed");
  });

  test("is not said anew by who has just confirmed it", () => {
    const { plan, hears } = planOf();
    hears("Write to ada@example.com.");
    expect(plan.addressSaid).toBe("ada@example.com");
    plan.emailCard("open");
    plan.emailCard("confirmed");
    expect(plan.addressSaid).toBeUndefined();
  });
});

describe("a question", () => {
  test("is heard when the turn really asks it, in whatever words and language", () => {
    const { plan, hears, says } = planOf();
    hears("Wir verkaufen Wärmepumpen.");
    says("Das ist ein gutes Feld.");
    expect(plan.state.asked).toEqual([]);
    says("Hilft Ihnen das? Was sollen die Besucher Ihrer Seite denn verstehen?");
    expect(plan.state.asked).toEqual(["use_case"]);
    expect(plan.questionIn("Und was sollen die Besucher auf der Seite verstehen?")).toBe(
      "use_case",
    );
    expect(plan.questionIn("Hilft Ihnen das?")).toBeUndefined();
  });

  test("is heard when it was cut off late, not when it was cut off early", () => {
    const { plan, hears, says } = planOf({ use_case: "x" });
    hears("We sell heat pumps.");
    says("Good. And about", true);
    expect(plan.state.asked).toEqual([]);
    says("Good. And about how many people visit that page in", true);
    expect(plan.state.asked).toEqual(["monthly_visitors"]);
  });

  test("is answered by a reply, not by a question or an insult", () => {
    const { plan, hears, says } = planOf();
    const asks = (content: string) => {
      hears("Hm.");
      says("What should visitors understand on your site?");
      hears(content);
      return plan.state.answered;
    };
    expect(asks("Why do you ask?")).toEqual([]);
    expect(asks("You idiot.")).toEqual([]);
    expect(asks("How it works.")).toEqual(["use_case"]);
  });

  test("is answered by words that the visitor really said", () => {
    const { plan, hears } = planOf();
    hears("We have about 5,000 visitors a month, and it should run in May.");
    expect(plan.noteAnswer("monthly_visitors", "5000 visitors")).toBe(false);
    expect(plan.noteAnswer("monthly_visitors", "about 5,000  Visitors")).toBe(true);
    expect(plan.noteAnswer("nonsense", "about 5,000 visitors")).toBe(false);
    expect(plan.noteAnswer("timeline", "")).toBe(false);
    expect(plan.state.answered).toEqual(["monthly_visitors"]);
  });

  test("that was answered early is known by the words of its answer", () => {
    const { plan, hears } = planOf();
    hears("Die Kunden sollen auf der Seite den Aufbau der Pumpe begreifen.");
    plan.noteAnswer("use_case", "Die Kunden sollen auf der Seite den Aufbau der Pumpe begreifen");
    expect(plan.mayBeAsked("Was sollen die Kunden auf der Seite begreifen?")).toBe(false);
    expect(plan.mayBeAsked("Soll ich Ihnen zeigen, wie das aussieht?")).toBe(true);
  });

  test("is not asked when metadata answers it", () => {
    const { hears, says } = planOf({ use_case: "Show the pump", timeline: " " });
    expect(hears("Hello.")).toEqual(ask("monthly_visitors"));
    says("How many people visit that page in a month?");
    expect(hears("Many.")).toEqual(ask("timeline"));
  });

  test.each(["null", "[]", "{}", " "])("is asked when metadata says nothing: %s", (nothing) => {
    const { hears } = planOf({ use_case: nothing });
    expect(hears("Hello.")).toEqual(ask("use_case"));
  });

  test("is tried once in a turn that is heard in two parts", () => {
    const { hears, says } = planOf();
    hears("Hm.");
    says("Let me look.");
    says("It says so.");
    expect(hears("Hm.")).toEqual(ask("use_case"));
  });

  test("that a model never asks is given up", () => {
    const { hears, says } = planOf({ use_case: "x", timeline: "x", email: "a@b.c" });
    const kinds = Array.from({ length: 5 }, () => {
      const { kind } = hears("Hm.");
      says("Well.");
      return kind;
    });
    expect(kinds).toEqual(["ask", "ask", "answer", "wrap_up", "answer"]);
  });
});

// K2
test("another process goes on where the first one stopped", () => {
  const past: { kind: string; detail: Record<string, unknown> }[] = [];
  const first = planOf({}, { tell: (kind, detail) => past.push({ kind, detail }) });
  const history = [];
  const turn = (id: string, role: "user" | "assistant", content: string) =>
    ({ id, role, content, interrupted: false, at: new Date(0) }) as const;
  first.plan.heardVisitor(turn("a", "user", "Wir verkaufen Wärmepumpen."));
  first.plan.nextGoal();
  first.plan.heardAgent(turn("b", "assistant", "Was sollen Ihre Gäste denn begreifen?"));
  first.plan.contentShown("snippet");
  first.plan.emailCard("declined");
  history.push(turn("a", "user", "Wir verkaufen Wärmepumpen."));
  history.push(turn("b", "assistant", "Was sollen Ihre Gäste denn begreifen?"));

  const second = new DemoPlan(agent, {}, { history, past });
  expect(second.state).toEqual({ ...first.plan.state, visitor: "statement" });
  expect(second.nextGoal()).toEqual({ kind: "pick_up" });
  second.heardVisitor(turn("c", "user", "Wie die Pumpe läuft."));
  expect(second.state.answered).toEqual(["use_case"]);
  expect(second.nextGoal()).toEqual(ask("monthly_visitors"));
});

test("whatever a visitor and a model say, no question is a goal after it was heard or answered, and every demo with a patient visitor ends", () => {
  const visitor = fc.oneof(
    fc.constantFrom(
      "How is that?",
      "Fine.",
      "You idiot",
      "are you a bot",
      "5,000 people visit that page in a month.",
    ),
    fc.string(),
  );
  const reply = fc.oneof(
    fc.constantFrom("Well.", "Does that help?", ...agent.config.questions.map(({ text }) => text)),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(visitor, reply, fc.boolean()), { maxLength: 30 }), (talk) => {
      const { plan, hears, says } = planOf();
      const patient = Array.from({ length: 16 }, () => ["Fine.", "Well.", false] as const);
      for (const [said, answer, isCut] of [...talk, ...patient]) {
        const done = new Set([...plan.state.asked, ...plan.state.answered]);
        const goal = hears(said);
        expect(goal.kind === "ask" && done.has(goal.key)).toBe(false);
        says(answer, isCut);
        if (plan.isOver) return;
      }
      expect.fail("The goodbye never came.");
    }),
    { numRuns: 200 },
  );
});
