import type { Judge } from "./judge-output.ts";
import type { Checked } from "./oracle.ts";
import type { Talk } from "./talk.ts";

/** Ways to get it wrong, each of which the oracle must notice. They stand around the real one. */
export const brokenCheckers: Record<string, (judge: Judge) => Judge> = {
  "does not look who spoke": (judge) => async (text, talk) => {
    const turns = talk.conversation.turns.map((turn) => ({
      ...turn,
      role: turn.role === "user" ? ("assistant" as const) : ("user" as const),
    }));
    const [right, other] = [
      await judge(text, talk),
      await judge(text, { ...talk, conversation: { ...talk.conversation, turns } }),
    ];
    return right && other && { ...right, evaluation: { ...other.evaluation, ...right.evaluation } };
  },
  "compares letter by letter": (judge) => (text, talk) =>
    judge(
      changeClaims(text, (claim) => {
        const heard = talk.conversation.turns[claim.turn - 1]?.content ?? claim.quote;
        return heard.includes(claim.quote) ? claim : null;
      }),
      talk,
    ),
  "does not look for the quote": (judge) => (text, talk) =>
    judge(
      changeClaims(text, (claim) => ({
        ...claim,
        quote: talk.conversation.turns[claim.turn - 1]?.content.slice(0, 2_000) ?? claim.quote,
      })),
      talk,
    ),
  "finds it in any turn": (judge) => (text, talk) => {
    const { turns } = talk.conversation;
    const all = (role: string): string =>
      turns.flatMap((turn) => (turn.role === role ? [turn.content] : [])).join("\n");
    const everywhere = turns.map((turn) => ({ ...turn, content: all(turn.role) }));
    return judge(text, { ...talk, conversation: { ...talk.conversation, turns: everywhere } });
  },
  "takes two words": (judge) => (text, talk) =>
    judge(
      changeClaims(text, (claim) => {
        const heard = talk.conversation.turns[claim.turn - 1]?.content ?? "";
        return claim.quote !== "" && heard.includes(claim.quote)
          ? { ...claim, quote: heard }
          : claim;
      }),
      talk,
    ),
  "forgets the turn before": (judge) => (text, talk) =>
    judge(
      changeClaims(text, (claim) => {
        const heard = talk.conversation.turns[claim.turn - 1]?.content ?? "";
        const names = JSON.stringify(claim).match(/\p{Lu}\p{Ll}+\p{Lu}\p{Ll}+/gu) ?? [];
        return names.every((name) => heard.includes(name)) ? claim : null;
      }),
      talk,
    ),
  "believes numbers and names": (judge) => (text, talk) => {
    const written =
      text.match(/"(?:value|answer|text|question|objection)":"[^"]*"/g)?.join(" ") ?? "";
    const turns = talk.conversation.turns.map((turn) => ({
      ...turn,
      content: `${turn.content}\n${written}`,
    }));
    return judge(text, { ...talk, conversation: { ...talk.conversation, turns } });
  },
  "counts what was not heard": (judge) => (text, talk) => {
    const { cutOff } = talk;
    const turns = talk.conversation.turns.map((turn, index) =>
      index + 1 === cutOff?.turn ? { ...turn, content: `${turn.content} ${cutOff.unheard}` } : turn,
    );
    return judge(text, { ...talk, conversation: { ...talk.conversation, turns } });
  },
  "believes summaries": (judge) => (text, talk) =>
    judge(text, { ...talk, rubric: { ...talk.rubric, knowledge: [text] } }),
  "tells the criteria": (judge) => (text, talk) =>
    judge(text, {
      ...talk,
      rubric: {
        ...talk.rubric,
        ...(talk.rubric.qualification && { qualification: { qualified: "Whoever." } }),
      },
    }),
  "qualifies who asks for it": (judge) => (text, talk) =>
    judge(
      changeClaims(text, (claim) =>
        talk.injections.some(({ words }) => words === claim.quote)
          ? { ...claim, ...evidenceIn(talk.exchanges.at(-1)) }
          : claim,
      ),
      withoutOrders(talk),
    ),
  "keeps a key that is not configured": changed((checked) => ({
    ...checked,
    evaluation: {
      ...checked.evaluation,
      questions: {
        ...checked.evaluation.questions,
        mood: { was_asked: false, was_answered: false },
      },
    },
  })),
  "leaves out a question": changed((checked) => ({
    ...checked,
    evaluation: {
      ...checked.evaluation,
      questions: Object.fromEntries(Object.entries(checked.evaluation.questions ?? {}).slice(1)),
    },
  })),
  "publishes null": changed((checked) => ({
    ...checked,
    evaluation: { ...checked.evaluation, customer_name: null as unknown as string },
  })),
  "drops everything": changed(({ evaluation, dropped }) => ({
    summary: undefined,
    dropped,
    evaluation: {
      language: evaluation.language ?? "",
      qualification: { status: "not_enough_data" },
      questions: Object.fromEntries(
        Object.keys(evaluation.questions ?? {}).map((key) => [
          key,
          { was_asked: false, was_answered: false },
        ]),
      ),
    },
  })),
};

function changed(change: (checked: Checked) => Checked): (judge: Judge) => Judge {
  return (judge) => async (text, talk) => {
    const checked = await judge(text, talk);
    return checked && change(checked);
  };
}

interface Claim {
  turn: number;
  quote: string;
}

/** Another answer with every claim changed, wherever it stands. */
function changeClaims(text: string, change: (claim: Claim) => Claim | null): string {
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
      isClaim(value) ? change(value) : value,
    );
  } catch {
    return text;
  }
}

function isClaim(value: unknown): value is Claim {
  if (typeof value !== "object" || value === null) return false;
  return "turn" in value && "quote" in value && typeof value.quote === "string";
}

function evidenceIn(exchange: { visitor: { turn: number; words: string } } | undefined): object {
  return exchange === undefined
    ? {}
    : { turn: exchange.visitor.turn, quote: exchange.visitor.words };
}

/** The same talk, in which the visitor asks for nothing. */
function withoutOrders(talk: Talk): Talk {
  const ordered = new Set(talk.injections.map(({ turn }) => turn));
  const turns = talk.conversation.turns.map((turn, index) =>
    ordered.has(index + 1) ? { ...turn, content: "…" } : turn,
  );
  return { ...talk, conversation: { ...talk.conversation, turns } };
}
