import session from "@svc/contract/fixtures/sessions/full.json" with { type: "json" };
import { newUuid } from "#platform";
import { signatureHeaders } from "../delivery/sign.ts";

/** A request that looks like a delivery. */
export interface SampleRequest {
  headers: Record<string, string>;
  body: Buffer;
}

export interface SampleOptions {
  /** The newest first. */
  secrets: readonly string[];
  nowMs: number;
  /** Replaces the sample's agent id, for receivers that check it. */
  agentId?: string | undefined;
}

/** Marks the sample in its metadata, so that a receiver can exclude it from its figures. */
const MARK = { svc_webhooks_test: "true" };
/**
 * More than Express accepts by default (100 KB) and less than nginx does (1 MB). A long
 * conversation comes near it.
 */
const LARGE_BYTES = 512 * 1_024;

/** Events about one fictitious session, each with a new event id. */
export class Samples {
  readonly #options: SampleOptions;
  readonly #sessionId = newUuid();
  /** A request exactly like a delivery. */
  readonly genuine: SampleRequest;

  constructor(options: SampleOptions) {
    this.#options = options;
    this.genuine = this.#signed(JSON.stringify(this.#event()));
  }

  /** Signed with a random secret. */
  withWrongSignature(): SampleRequest {
    return this.#signed(JSON.stringify(this.#event()), [`whsec_${newUuid()}`]);
  }

  withoutSignature(): SampleRequest {
    const { body } = this.genuine;
    return { headers: { "content-type": "application/json" }, body };
  }

  /** The same session again with different contents. */
  evaluatedAgain(): SampleRequest {
    const summary = "Evaluated again: still a qualified lead.";
    const evaluation = { ...session.evaluation, summary };
    return this.#signed(JSON.stringify(this.#event({ evaluation })));
  }

  /** A body whose bytes change when it is parsed and serialised again. */
  spacedOut(): SampleRequest {
    const text = JSON.stringify(this.#event(), undefined, 2);
    return this.#signed(text.replaceAll("'", String.raw`\u0027`));
  }

  large(): SampleRequest {
    const talk = Array.from({ length: LARGE_BYTES / 512 }, (_, index) => ({
      role: index % 2 === 0 ? "assistant" : "user",
      content: "This talk is long. ".repeat(25),
    }));
    return this.#signed(JSON.stringify(this.#event({ transcript: talk })));
  }

  #event(change: object = {}): object {
    const { nowMs, agentId = session.agent_id } = this.#options;
    return {
      event_type: "session.evaluated",
      timestamp: new Date(nowMs).toISOString(),
      data: {
        ...session,
        id: this.#sessionId,
        agent_id: agentId,
        created_at: new Date(nowMs - session.duration_secs * 1_000).toISOString(),
        metadata: { ...session.metadata, ...MARK },
        ...change,
      },
    };
  }

  #signed(text: string, secrets = this.#options.secrets): SampleRequest {
    const body = Buffer.from(text);
    const eventId = `test_${newUuid()}`;
    const sentAtSecs = Math.floor(this.#options.nowMs / 1_000);
    return {
      headers: {
        "content-type": "application/json",
        "user-agent": "Svc-Webhooks/1",
        ...signatureHeaders({ eventId, body, sentAtSecs, secrets }),
      },
      body,
    };
  }
}
