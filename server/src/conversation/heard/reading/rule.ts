/** How something that is not a word is said. */
export interface Rule {
  /** Global. Nothing but single characters may repeat in it, or a model's endless line takes for ever. */
  pattern: RegExp;
  /** Undefined where it is no such thing after all. */
  say(match: RegExpExecArray): string | undefined;
}
