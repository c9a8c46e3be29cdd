/**
 * The address to dial. Operators give it with http or ws, and with or without a vendor's `/v1`.
 */
export function apiUrl(url: string, protocol: "http" | "ws", version = ""): string {
  const dialled = url.replace(/^(?:http|ws)/, protocol).replace(/\/+$/, "");
  return new URL(dialled).pathname === "/" ? `${dialled}${version}` : dialled;
}
