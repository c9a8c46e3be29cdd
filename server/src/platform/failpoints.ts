/**
 * Named places where a test can make this process fail. Off unless the process was started with a
 * list of them, which the configuration refuses outside of tests.
 */
export type Failpoint =
  | "domain:answered"
  | "evaluate:claimed"
  | "evaluate:answered"
  | "evaluate:writing"
  | "evaluate:written"
  | "sweep:settling"
  | "deliver:claimed"
  | "deliver:answered"
  | "deliver:recording"
  | "deliver:recorded"
  | "follow-up:claimed"
  | "follow-up:sending"
  | "follow-up:sent"
  | "follow-up:recording"
  | "follow-up:recorded";

type Action = { kind: "kill" | "err" | "delay"; ms: number; share: number };

let armed: ReadonlyMap<string, Action> = new Map();

/** `evaluate:answered=kill@0.1,sweep:settling=delay(500)`: the share of passes that fail, 1 by default. */
export function armFailpoints(list: string): void {
  armed = new Map(list.split(",").filter(Boolean).map(parseFailpoint));
}

export async function failpoint(name: Failpoint): Promise<void> {
  const action = armed.get(name);
  if (action === undefined || Math.random() >= action.share) return;
  if (action.kind === "kill") process.kill(process.pid, "SIGKILL");
  if (action.kind === "err") throw new Error(`failpoint ${name}`);
  await new Promise((resolve) => setTimeout(resolve, action.ms));
}

function parseFailpoint(text: string): [string, Action] {
  const match = FAILPOINT.exec(text.trim());
  if (match === null) throw new Error(`not a failpoint: ${text}`);
  const { name, kind, ms = "0", share = "1" } = match.groups!;
  return [name!, { kind: kind as Action["kind"], ms: Number(ms), share: Number(share) }];
}

const FAILPOINT =
  /^(?<name>[a-z:-]+)=(?<kind>kill|err|delay)(?:\((?<ms>\d+)\))?(?:@(?<share>[\d.]+))?$/;
