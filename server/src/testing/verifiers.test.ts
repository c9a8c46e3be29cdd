import { execFile, spawn, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import golden from "@svc/contract/fixtures/signed-webhooks.json" with { type: "json" };
import { createEgress, systemClock } from "#platform";
import { examineReceiver, signatureHeaders } from "#webhooks";
import { freePort } from "@svc/tools/free-port";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";

const FOLDER = fileURLToPath(new URL("../../../docs/guide/verifiers/", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "svc-verifiers-"));
cpSync(FOLDER, scratch, { recursive: true });
afterAll(() => rmSync(scratch, { recursive: true }));

/** One request, and whether it is genuine. */
interface Case {
  name: string;
  by: "signature" | "standard";
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
  genuine: boolean;
}

const [first, second] = [golden.signed[0]!, golden.signed[2]!];
const NOW = 1_767_225_600;

function plain(name: string, genuine: boolean, change: Partial<Case> = {}): Case {
  const headers = { "x-webhook-signature": first.signature };
  const { body, secret } = first;
  return { name, by: "signature", body, headers, secrets: [secret], now: NOW, genuine, ...change };
}

const signedHeaders = (body: string, ...secrets: string[]): Record<string, string> =>
  signatureHeaders({ eventId: "7", body: Buffer.from(body), sentAtSecs: NOW, secrets });

function standard(name: string, genuine: boolean, change: Partial<Case> = {}): Case {
  const headers = signedHeaders(first.body, first.secret);
  return { ...plain(name, genuine), by: "standard", headers, ...change };
}

const header = (value: string): { headers: Record<string, string> } => ({
  headers: { "x-webhook-signature": value },
});

const CASES: Case[] = [
  ...golden.signed.map(({ name, body, secret, signature }) =>
    plain(name, true, { body, secrets: [secret], ...header(signature) }),
  ),
  plain("either of two secrets", true, { secrets: [second.secret, first.secret] }),
  plain("another secret", false, { secrets: [second.secret] }),
  plain("no secret", false, { secrets: [] }),
  plain("a body with a space more", false, { body: `${first.body} ` }),
  plain("the signature of another body", false, header(golden.signed[1]!.signature)),
  plain("a signature that is cut", false, header(first.signature.slice(0, -1))),
  plain("an empty signature", false, header("")),
  plain("no signature", false, { headers: {} }),
  plain("a signature of no use", false, header("é".repeat(32))),
  ...golden.signed.map(({ name, body, secret }) =>
    standard(name, true, { body, secrets: [secret], headers: signedHeaders(body, secret) }),
  ),
  standard("the vector of Standard Webhooks", true, {
    body: '{"test": 2432232314}',
    secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    headers: {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
    now: 1_614_265_330,
  }),
  standard("the old secret while it is rotated", true, {
    headers: signedHeaders(first.body, second.secret, first.secret),
  }),
  standard("the new secret while it is rotated", true, {
    headers: signedHeaders(first.body, first.secret, second.secret),
  }),
  standard("four minutes later", true, { now: NOW + 240 }),
  standard("six minutes later", false, { now: NOW + 360 }),
  standard("six minutes ahead", false, { now: NOW - 360 }),
  standard("another body", false, { body: second.body }),
  standard("another secret", false, { secrets: [second.secret] }),
  standard("no headers", false, { headers: {} }),
  standard("a time that is none", false, {
    headers: { ...signedHeaders(first.body, first.secret), "webhook-timestamp": "soon" },
  }),
  standard("the id of another event", false, {
    headers: { ...signedHeaders(first.body, first.secret), "webhook-id": "evt_8" },
  }),
];

/** Each reads the cases as JSON from standard input and prints a list of its verdicts. */
const DRIVERS: Record<string, { command: string[]; file: string; text: string }> = {
  node: {
    command: [process.execPath],
    file: "driver.mjs",
    text: `import { verifySignature, verifyStandard } from "./verify.mjs";
import { readFileSync } from "node:fs";
console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(({ by, body, headers, secrets, now }) =>
  by === "signature" ? verifySignature(Buffer.from(body), headers, secrets) : verifyStandard(Buffer.from(body), headers, secrets, now))));`,
  },
  python: {
    command: ["python3"],
    file: "driver.py",
    text: `import json, sys
from email.message import Message
from verify import verify_signature, verify_standard
def verdict(case):
    headers = Message()
    for name, value in case["headers"].items():
        headers[name] = value
    body = case["body"].encode()
    if case["by"] == "signature":
        return verify_signature(body, headers, case["secrets"])
    return verify_standard(body, headers, case["secrets"], case["now"])
print(json.dumps([verdict(case) for case in json.load(sys.stdin)]))`,
  },
  go: {
    command: ["go", "run", "verify.go"],
    file: "driver.go",
    text: `package main
import ("encoding/json"; "os"; "strings"; "time")
type header map[string]string
func (all header) Get(name string) string { return all[strings.ToLower(name)] }
type request struct { By, Body string; Headers header; Secrets []string; Now int64 }
func main() {
	var cases []request
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil { panic(err) }
	verdicts := []bool{}
	for _, one := range cases {
		if one.By == "signature" {
			verdicts = append(verdicts, VerifySignature([]byte(one.Body), one.Headers, one.Secrets...))
		} else {
			verdicts = append(verdicts, VerifyStandard([]byte(one.Body), one.Headers, time.Unix(one.Now, 0), one.Secrets...))
		}
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}`,
  },
  php: {
    command: ["php"],
    file: "driver.php",
    text: `<?php
require 'verify.php';
function verdict(array $case): bool {
    $header = fn(string $name): string => $case['headers'][$name] ?? '';
    if ($case['by'] === 'signature') return verify_signature($case['body'], $header('x-webhook-signature'), $case['secrets']);
    return verify_standard($case['body'], $header('webhook-id'), $header('webhook-timestamp'), $header('webhook-signature'), $case['secrets'], $case['now']);
}
echo json_encode(array_map('verdict', json_decode(stream_get_contents(STDIN), true)));`,
  },
};

const isInstalled = (command: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;

// W14
describe.each(Object.entries(DRIVERS))("the verifier for %s", (_language, driver) => {
  const { command, file, text } = driver;
  it.skipIf(!isInstalled(command[0]!))(
    "takes what is genuine, and nothing else",
    async () => {
      writeFileSync(join(scratch, file), text);
      const [program, ...words] = command;
      const printed = await output(program!, [...words, file], JSON.stringify(CASES));
      const verdicts = JSON.parse(printed) as boolean[];
      const told = CASES.map(({ by, name }, index) => `${by}, ${name}: ${verdicts[index]}`);
      expect(told).toEqual(CASES.map(({ by, name, genuine }) => `${by}, ${name}: ${genuine}`));
    },
    // Go compiles it first.
    120_000,
  );
});

async function output(program: string, words: string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, { cwd: scratch }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin!.end(input);
  });
}

describe.each([
  ["Node", process.execPath, "receiver.mjs"],
  ["Python", "python3", "receiver.py"],
])("the receiver for %s", (_language, program, file) => {
  it.skipIf(!isInstalled(program))("passes every test of `svc webhooks test`", async () => {
    const port = await freePort();
    const child = spawn(program, [file], {
      cwd: scratch,
      stdio: "ignore",
      env: {
        PATH: process.env["PATH"],
        PORT: String(port),
        SVC_WEBHOOK_SECRET: `${second.secret} ${first.secret}`,
        SVC_COPY: `${file}.db`,
      },
    });
    onTestFinished(() => void child.kill());
    const egress = createEgress({ allowPlainHttp: true, allowPrivate: true });
    const url = `http://127.0.0.1:${port}/`;
    const request = { url, headers: {}, body: Buffer.from("{}") };
    while ((await egress.post(request)).kind === "failed") await delay(50);
    const findings = await examineReceiver(
      { url, secrets: [first.secret] },
      { egress, clock: systemClock },
    );
    const failing = findings.filter(({ state }) => state !== "ok").map(({ name }) => name);
    expect(failing).toEqual(["address", "certificate"]);
  });
});

it("the guide shows the files as they are", async () => {
  const guide = await readFile(join(FOLDER, "../webhooks.md"), "utf8");
  const shown = [...guide.matchAll(/^```\w+ verifiers\/(\S+)\n([^]*?)^```$/gm)];
  expect(shown.map(([, file]) => file)).toContain("verify.mjs");
  for (const [, file, text] of shown)
    expect(text).toBe(await readFile(join(FOLDER, file!), "utf8"));
});
