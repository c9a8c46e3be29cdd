/**
 * Whether this is one bare address and nothing that a mail program could read as several, as a
 * name or as the end of a header. Says nothing about whether it exists.
 */
export function isOneAddress(text: string): boolean {
  const at = text.indexOf("@");
  const domain = text.slice(at + 1);
  return (
    text.length <= 254 &&
    /^[^\s\p{C}"(),:;<>@[\\\]]+$/u.test(text.slice(0, Math.max(at, 0))) &&
    /^[a-z0-9.-]+$/i.test(domain) &&
    !/^[.-]|\.\.|[.-]$/.test(domain)
  );
}
