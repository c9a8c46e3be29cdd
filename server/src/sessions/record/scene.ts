import type { Trx } from "#platform";
import type { AgentMode, LiveHello, LiveOpenCard } from "@svc/contract/types";
import { addTurn } from "./session.ts";
import type { StartedSession } from "./session.ts";

/** How a conversation stands beside its turns. */
export interface Scene {
  mode: AgentMode;
  /** The number of the visitor's last message that is stored, with all before it. */
  received?: number | undefined;
  /** What is on show: its id, of a tour with the step, `booking/2`. */
  content?: string | undefined;
  /** Of the place or step that is on show. */
  cue?: string | undefined;
  card?: LiveOpenCard | undefined;
  /** The agent's turn that is under way. */
  speech?: UnfinishedTurn | undefined;
}

/** A turn of the agent's of which more may be heard. */
export interface UnfinishedTurn {
  id: string;
  /** When it began, as an ISO date. */
  at: string;
  /** All that was made of it so far. */
  text: string;
  /** How much of the text the visitor has heard or read, as far as is known. */
  heard: number;
  /** True when nothing follows the text. */
  isWhole: boolean;
  /** By voice: the browser's segment, and how much of its text was heard at which position, in order. */
  segment?: number | undefined;
  marks?: [atMs: number, length: number][] | undefined;
}

/** Stores the turn that a process was in the middle of when it lost the conversation, as far as it was heard. */
export async function storeCut(
  trx: Trx,
  session: StartedSession,
  speech: UnfinishedTurn | undefined,
  playing?: LiveHello["playing"],
): Promise<void> {
  const cut = speech && cutTurn(speech, playing);
  if (cut === undefined) return;
  await addTurn(trx, session, { ...cut, role: "assistant" });
}

/**
 * Returns the turn as it was heard; undefined where nothing was.
 *
 * @param playing where the visitor's browser says that its sound stopped
 */
function cutTurn(
  { id, at, text, heard, isWhole, segment, marks = [] }: UnfinishedTurn,
  playing?: LiveHello["playing"],
): { itemId: string; content: string; interrupted: boolean; at: Date } | undefined {
  const isPlayed = playing !== undefined && playing.segment === segment;
  const played = isPlayed && marks.findLast(([atMs]) => atMs <= playing.position_ms);
  const length = Math.max(heard, played ? played[1] : 0);
  const content = text.slice(0, length).trimEnd();
  if (content === "") return undefined;
  const interrupted = !isWhole || length < text.length;
  return { itemId: id, content, interrupted, at: new Date(at) };
}
