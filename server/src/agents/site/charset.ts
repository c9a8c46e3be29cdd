/** The text of a page, by the charset that it names, or the one that its bytes fit. */
export function decodeText(bytes: Uint8Array, contentType = ""): string {
  const start = Buffer.from(bytes.subarray(0, 2_048)).toString("latin1");
  const named =
    /charset\s*=\s*["']?\s*([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(start)?.[1] ??
    /^<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(start)?.[1];
  // Many pages that name another charset are UTF-8 all the same, and nothing else looks like it by accident.
  for (const charset of ["utf-8", named, "windows-1252"]) {
    if (charset === undefined) continue;
    const text = decodedAs(charset, bytes);
    if (text !== undefined) return text;
  }
  return new TextDecoder("utf-8").decode(bytes);
}

function decodedAs(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
