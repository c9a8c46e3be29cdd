import type { Session } from "@svc/contract/types";

/** Words of the machinery. None of them is ever said or written to a visitor. */
const MACHINERY = [
  "show_content",
  "ask_email",
  "search_knowledge",
  "talk_to_a_person",
  "end_session",
  "note_answer",
  "most_words",
  "Goal of this turn",
  "# Knowledge",
  "card_result",
  "quick_reply",
  '{"',
];

/** What is in a transcript and must not be. */
export function findLeaks(transcript: Session["transcript"] = [], email: string): string[] {
  return transcript.flatMap(({ role, content }) => {
    const words = MACHINERY.filter((word) => content.includes(word));
    // A card's address is no turn: the visitor never said it.
    const card = role === "user" && content.trim() === email ? ["the card's address"] : [];
    return [...words, ...card];
  });
}
