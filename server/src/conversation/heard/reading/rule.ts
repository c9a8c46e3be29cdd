/** A rule for how something that is not a word is pronounced. */
export interface Rule {
  /** Global. Nothing but single characters may repeat in it, or matching a model's endless line takes exponential time. */
  pattern: RegExp;
  /** Undefined where it is no such thing after all. */
  say(match: RegExpExecArray): string | undefined;
}

const PICTURE = String.raw`\p{Extended_Pictographic}|\p{Regional_Indicator}`;
/** Skin, hair, flags of regions, and what joins pictures to one. */
const JOINED = String.raw`\p{Emoji_Modifier}|\u{FE0F}|\u{200D}|\u{20E3}|[\u{E0020}-\u{E007F}]`;
const EMOJI = new RegExp(`(?:${PICTURE})(?:${PICTURE}|${JOINED})*|(?:\\u{FE0F}|\\u{20E3})+`, "gu");

const silent = (pattern: RegExp): Rule => ({ pattern, say: () => "" });

/** Rules that remove what is silent in every language. The targets of links must be removed before addresses are looked for. */
export const silentRules: { links: Rule[]; signs: Rule[] } = {
  links: [silent(/\]\([^)\s]*\)/gu)],
  signs: [
    silent(EMOJI),
    silent(/[*`~]+|[[\]]/gu),
    silent(/(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu),
    silent(/^(?:#{1,6}|[-•>])\s+/gmu),
  ],
};

export function withoutEmoji(text: string): string {
  return text.replaceAll(EMOJI, " ");
}
