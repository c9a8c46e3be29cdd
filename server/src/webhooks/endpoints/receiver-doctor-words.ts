import type { EgressOutcome } from "#platform";
import type { CureName } from "./receiver-doctor-code.ts";

/** An outcome explained for the people who run the receiver. */
export interface OutcomeWords {
  /** A sentence without its full stop. */
  says: string;
  fix: string;
  cure?: CureName;
}

/** Explains why a request that should have been accepted was not. */
export function explainOutcome(outcome: EgressOutcome): OutcomeWords {
  return outcome.kind === "answered" ? explainStatus(outcome) : explainFailure(outcome);
}

type Answered = Extract<EgressOutcome, { kind: "answered" }>;
type Failed = Extract<EgressOutcome, { kind: "failed" }>;

function explainStatus(answer: Answered): OutcomeWords {
  const { status } = answer;
  const says = answerWords(answer);
  if (status >= 300 && status < 400) {
    const location = String(answer.headers["location"] ?? "another address");
    return {
      says: `it redirects to ${location} (${status}), and redirects are not followed`,
      fix: "Register the address it redirects to, or answer at this one.",
    };
  }
  if (status === 401 || status === 403) {
    return {
      says: `${says}, though the signature is genuine`,
      fix: "Compute the HMAC over the raw body, keyed with the whole secret, whsec_ included.",
      cure: "verify",
    };
  }
  const known = STATUS_FIXES[status];
  if (known !== undefined) return { says, ...known };
  return { says, fix: "Look into the receiver's own log; answer 2xx once the event is stored." };
}

const STATUS_FIXES: Record<number, Omit<OutcomeWords, "says">> = {
  404: { fix: "Check the path of the address." },
  405: { fix: "Let the address take POST." },
  410: { fix: "Check the address: it says that it is gone for good." },
  413: { fix: "Let the receiver take bodies of 5 MB.", cure: "larger_body" },
  415: { fix: "Take the content type application/json." },
  429: { fix: "Take at least 8 requests at once; Svc sends no more than that to one address." },
};

/** The answer in one line, with the beginning of its body: `500 "Internal Server Error"`. */
export function answerWords({ status, body }: Pick<Answered, "status" | "body">): string {
  const text = body.toString("utf8").replaceAll(/\s+/g, " ").trim();
  const start = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return start === "" ? `it answers ${status}` : `it answers ${status} "${start}"`;
}

function explainFailure({ why, detail }: Failed): OutcomeWords {
  if (why === "tls_failed") return TLS[detail] ?? otherTls(detail);
  switch (why) {
    case "bad_address":
      return { says: detail, fix: "Correct the address." };
    case "forbidden_address":
      return {
        says: `${detail}, which is not on the internet`,
        fix: "Let the name lead to public addresses only, or allow private ones with SVC_WEBHOOK_PRIVATE_ADDRESSES=on.",
      };
    case "name_not_found":
      return { says: "its host name does not exist", fix: "Check the name, or its DNS records." };
    case "dns_failed":
      return {
        says: `its host name cannot be looked up (${detail})`,
        fix: "Check its name servers.",
      };
    case "connect_failed":
      return {
        says: `no connection could be made (${detail})`,
        fix: "Check that it runs, its port, and the firewall before it.",
      };
    case "connection_lost":
      return {
        says: `it closed the connection before it answered (${detail})`,
        fix: "Look into its log for a crash, and let it read the whole body before it answers.",
      };
    case "bad_answer":
      return {
        says: `what it answers is no HTTP (${detail})`,
        fix: "Check the port and any proxy.",
      };
    case "timed_out":
      return {
        says: `it did not answer within 10 s (${detail})`,
        fix: "Store the event, answer 2xx, and do the work afterwards.",
        cure: "answer_first",
      };
    case "aborted":
    case "local_fault":
      return { says: `this machine could not send it (${detail})`, fix: "Run the test again." };
  }
}

/** Keyed by the error codes of Node and OpenSSL. */
const TLS: Record<string, OutcomeWords> = {
  CERT_HAS_EXPIRED: { says: "its certificate has expired", fix: "Renew it, and automate that." },
  CERT_NOT_YET_VALID: {
    says: "its certificate is not valid yet",
    fix: "Check the clock of the machine that issued it.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    says: "its certificate is for another host name",
    fix: "Use a certificate for the name in the address, or the address that the certificate is for.",
  },
  ...sameWords(["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"], {
    says: "its certificate is signed by nobody that is publicly trusted",
    fix: "Use a certificate of a public authority, for example Let's Encrypt.",
  }),
  ...sameWords(["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"], {
    says: "its certificate's chain does not lead to a public authority",
    fix: "Send the intermediate certificates too: with most servers, the file called fullchain.pem.",
  }),
  ERR_SSL_WRONG_VERSION_NUMBER: {
    says: "it speaks plain HTTP at this port",
    fix: "Serve https there, or correct the port.",
  },
};

function sameWords(codes: string[], words: OutcomeWords): Record<string, OutcomeWords> {
  return Object.fromEntries(codes.map((code) => [code, words]));
}

function otherTls(code: string): OutcomeWords {
  return {
    says: `no agreement on encryption was reached (${code})`,
    fix: "Let it speak TLS 1.2 or newer, with a valid certificate.",
  };
}
