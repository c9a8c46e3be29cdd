import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";

/** A request as a customer's program sees it, and the secret it was told. */
export interface SignedRequest {
  secret: string;
  /** The four headers that are about the signature. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Programs and libraries that customers check signatures with. True for each request that is signed rightly. */
export interface SignatureChecker {
  name: string;
  check(requests: SignedRequest[]): Promise<boolean[]>;
}

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

export const signatureCheckers: SignatureChecker[] = [
  {
    name: "openssl",
    // One by one: starting processes holds up whatever else this one does.
    check: async (requests) => {
      const verdicts: boolean[] = [];
      for (const request of requests) verdicts.push(await byOpenssl(request));
      return verdicts;
    },
  },
  {
    name: "Python",
    check: (requests) => byProgram("python3", [beside("check_signatures.py")], requests),
  },
  {
    name: "Go",
    check: (requests) => byProgram("go", ["run", beside("check_signatures.go")], requests),
  },
  { name: "standardwebhooks", check: async (requests) => requests.map(byStandardWebhooks) },
];

/** Both signatures, by the command line: the key as the text that it is, and as what its base64 stands for. */
async function byOpenssl({ secret, headers, body }: SignedRequest): Promise<boolean> {
  const hmac = async (key: string, input: Buffer): Promise<Buffer> => {
    const child = run("openssl", [
      "dgst",
      "-sha256",
      "-mac",
      "HMAC",
      "-macopt",
      `hexkey:${key}`,
      "-r",
    ]);
    child.child.stdin!.end(input);
    return Buffer.from((await child).stdout.split(" ", 1)[0]!, "hex");
  };
  const decoded = Buffer.from(secret.slice("whsec_".length), "base64").toString("hex");
  const signed = Buffer.concat([
    Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`),
    body,
  ]);
  const svc = await hmac(Buffer.from(secret).toString("hex"), body);
  const standard = await hmac(decoded, signed);
  return (
    svc.toString("hex") === headers["x-webhook-signature"] &&
    headers["webhook-signature"]!.split(" ").includes(`v1,${standard.toString("base64")}`)
  );
}

/** A program that reads one request per line and says for each whether both signatures are right. */
async function byProgram(
  command: string,
  args: string[],
  requests: SignedRequest[],
): Promise<boolean[]> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines = requests.map(({ secret, headers, body }) =>
    JSON.stringify({ secret, headers, body: body.toString("base64") }),
  );
  child.stdin.end(`${lines.join("\n")}\n`);
  const said = (await text(child.stdout)).trim().split("\n");
  const [exitCode] = (await ended) as [number];
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}`);
  return said.map((word) => word === "true");
}

function byStandardWebhooks({ secret, headers, body }: SignedRequest): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
