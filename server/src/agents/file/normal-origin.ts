/** An origin as browsers send it: `HTTPS://Bücher.example:443/` → `https://xn--bcher-kva.example`. */
export function normalOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, hostname } = new URL(text);
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && !hostname.includes("*") ? origin : undefined;
}
