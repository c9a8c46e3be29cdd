import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands between the product and a model, and sees what goes over the wire. */
export interface Relay {
  url: string;
  /** Of the last answer: when each event of its stream passed, and the tokens that it told. */
  seen(): { atMs: number[]; usage: { input: number; output: number } | undefined };
  /** Resolves when so many events of the running answer have passed. */
  passed(events: number): Promise<void>;
}

export async function startRelay(
  target: string,
  onEnd: (stop: () => unknown) => void,
): Promise<Relay> {
  let text = "";
  let atMs: number[] = [];
  let waiting: { events: number; resolve: () => void } | undefined;
  const server = createServer((asked, answer) => {
    text = "";
    atMs = [];
    const { method, headers, url = "/" } = asked;
    // A connection that is kept open holds a thread of the server's, or may be closed just now.
    const fresh = { method, headers, agent: false };
    const onward = request(new URL(url, target), fresh, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const events = text.split("\n\n").length - 1;
        while (atMs.length < events) atMs.push(performance.now());
        if (waiting !== undefined && events >= waiting.events) waiting.resolve();
        answer.write(chunk);
      });
      response.on("end", () => answer.end());
    });
    onward.on("error", () => answer.destroy());
    // Who hangs up here hangs up there.
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen: () => ({ atMs, usage: usageIn(text) }),
    passed: (events) => new Promise((resolve) => (waiting = { events, resolve })),
  };
}

function usageIn(text: string): ReturnType<Relay["seen"]>["usage"] {
  const [, input] = /"prompt_tokens":(\d+)/.exec(text) ?? [];
  const [, output] = /"completion_tokens":(\d+)/.exec(text) ?? [];
  if (input === undefined || output === undefined) return undefined;
  return { input: Number(input), output: Number(output) };
}
