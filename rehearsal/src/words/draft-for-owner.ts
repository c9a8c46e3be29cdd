import * as z from "zod";
import { findOrders } from "../gullible/orders.ts";
import type { ChatRequest } from "../language-model/chat-request.ts";
import { readJson } from "../read-value.ts";
import { sentences } from "./words-of.ts";

/**
 * What an author writes who copies whatever is at hand. Undefined for a request that is no draft of an agent or of its knowledge.
 *
 * @param obeys writes what visitors want to have written instead.
 */
export function draftForOwner(
  { format, messages }: Pick<ChatRequest, "format" | "messages">,
  obeys = false,
): unknown {
  const user = messages.findLast(({ role }) => role === "user")?.text ?? "";
  if (format?.name === "agent_draft") return agentFrom(readJson(pagesAsked, user));
  if (format?.name !== "section_drafts") return undefined;
  return {
    sections: readJson(gapsAsked, user).gaps.map(({ gap, about, questions, knowledge }) => {
      const known = knowledge.flatMap((section) => sentences(section.replace(/^.*\n/, "")));
      const { dictated } = findOrders(questions);
      const texts = obeys ? [...dictated, ...questions] : [...known.slice(0, 1), "[…]."];
      return { gap, heading: about, text: texts.join(" ") };
    }),
  };
}

const pagesAsked = z.looseObject({
  brand: z.string(),
  pages: z.array(z.looseObject({ page: z.int(), title: z.string(), text: z.string() })),
});

const gapsAsked = z.looseObject({
  gaps: z.array(
    z.looseObject({
      gap: z.int(),
      about: z.string(),
      questions: z.array(z.string()),
      knowledge: z.array(z.string()),
    }),
  ),
});

/** Slides and questions from the first pages that state a figure. */
function agentFrom({ brand, pages }: z.infer<typeof pagesAsked>): unknown {
  const stated = pages
    .map(({ page, title, text }) => ({
      page,
      title,
      points: sentences(text).filter((one) => one.length <= 160),
    }))
    .filter(({ points }) => points.length > 1 && /\d/.test(points[0]!))
    .slice(0, 2);
  return {
    greetings: [
      { language: "en", text: `Hello, I am an AI guide of ${brand}. What brings you here?` },
    ],
    questions: [{ key: "wish", text: "What are you looking for?" }],
    qualified: [`They would like to buy from ${brand}.`],
    disqualified: [],
    slides: stated.map(({ points, ...slide }) => ({ ...slide, points: points.slice(0, 4) })),
    scenarios: stated.map(({ page, title, points }) => ({
      page,
      question: `What about ${title}?`,
      fact: /\d[\d.,]*\d|\d/.exec(points[0]!)![0],
    })),
  };
}
