/**
 * Which of the agent's languages a visitor gets who wants this one: the same code, then the same
 * language with less said about it, then the same language of another region, then the default.
 */
export function matchLanguage(
  wanted: string,
  { languages, defaultLanguage }: { languages: { code: string }[]; defaultLanguage: string },
): string {
  const codes = languages.map(({ code }) => code);
  const parts = wanted.split("-");
  for (let length = parts.length; length > 0; length--) {
    const code = parts.slice(0, length).join("-");
    if (codes.includes(code)) return code;
  }
  return codes.find((code) => code.split("-", 1)[0] === parts[0]) ?? defaultLanguage;
}
