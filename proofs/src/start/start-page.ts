/** What a reader finds on the start page. */
export interface StartPage {
  /** The command lines, as the Copy buttons give them. */
  commands: string[];
  csvLink: string;
  clientId: string;
  token: string;
}

export async function readStartPage(url: string): Promise<StartPage> {
  const response = await fetch(url);
  const page = await response.text();
  const codes = [...page.matchAll(/<code>([^<]*)<\/code>/g)].map(([, code]) => unescape(code!));
  const found = (pattern: RegExp): string => {
    const text = codes.find((code) => pattern.test(code));
    if (text === undefined)
      throw new Error(`The start page shows nothing like ${pattern}:\n${page}`);
    return text;
  };
  return {
    commands: codes.filter((code) => /^(curl|npx svc) /.test(code)),
    csvLink: unescape(/href="([^"]+\.csv)"/.exec(page)?.[1] ?? ""),
    clientId: found(/^client_\w+$/),
    token: found(/^svc_\w+$/),
  };
}

function unescape(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
