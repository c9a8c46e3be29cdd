import { AppError } from "#platform";
import { describe, expect, it } from "vitest";
import { EXIT, explain, renderExplanation } from "./explain-error.ts";

const words = { what: "It was refused.", why: "It is closed.", fix: "Open it." };

/** What `pg` throws: the message of the server, and its code. */
function databaseError(code: string, message = "the server says so"): Error {
  return Object.assign(new Error(message), { code });
}

describe("an error of ours", () => {
  it.each([
    ["invalid_input", EXIT.usage],
    ["not_found", EXIT.refused],
    ["conflict", EXIT.refused],
    ["unavailable", EXIT.unavailable],
  ] as const)("with %s keeps its words and exits with %d", (code, exitCode) => {
    expect(explain(new AppError(code, words))).toEqual({ ...words, exitCode });
  });

  it("repeats no secret that was typed in the place of an id", () => {
    const token = `svc_aa${"x".repeat(49)}`;
    const secret = `whsec_${"y+/9".repeat(8)}`;
    const why = `There is no ${token}, and no ${secret}.`;
    expect(explain(new AppError("not_found", { ...words, why })).why).toBe(
      "There is no svc_…, and no whsec_….",
    );
  });

  it("that the database is away tells why it is", () => {
    const error = new AppError("unavailable", words, { cause: databaseError("ECONNREFUSED") });
    expect(explain(error)).toMatchObject({
      what: "The database cannot be reached.",
      why: "Connection refused.",
      exitCode: EXIT.unavailable,
    });
  });
});

describe("an error of the database", () => {
  it.each([
    ["28P01", "The database refused the login.", "SVC_DATABASE_URL"],
    ["28000", "The database refused the login.", "SVC_DATABASE_URL"],
    ["3D000", "The database does not exist.", "SVC_DATABASE_URL"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "The certificate of PostgreSQL is not trusted.", "sslrootcert"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "The certificate of PostgreSQL is not trusted.", "issued"],
    ["CERT_HAS_EXPIRED", "The certificate of PostgreSQL is not valid now.", "Renew"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "The certificate of PostgreSQL is for another host.", "host"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "The TLS connection to PostgreSQL failed.", "sslmode"],
    ["42P01", "The database's schema does not fit this version of svc.", "svc db migrate"],
    ["42703", "The database's schema does not fit this version of svc.", "svc db migrate"],
    ["42501", "The database did not allow it.", "owner"],
    ["25006", "The database only reads.", "primary"],
    ["57014", "The answer took too long, so the database stopped looking.", "--since"],
    ["57P01", "The database cannot be reached.", "svc doctor"],
  ])("%s is told in words, with what to do", (code, what, fix) => {
    const explanation = explain(databaseError(code));
    expect(explanation).toMatchObject({ what, exitCode: EXIT.unavailable });
    expect(explanation.fix).toContain(fix);
    expect(explanation.why).toBe("The server says so.");
  });

  it("that has no words at all still has a reason", () => {
    const refused = { address: "::1", port: 5432 };
    const refusedTwice = Object.assign(new AggregateError([refused, refused], ""), {
      code: "ECONNREFUSED",
    });
    expect(explain(refusedTwice)).toMatchObject({
      what: "The database cannot be reached.",
      why: "Connection refused (::1:5432).",
    });
    expect(explain(Object.assign(new Error(""), { code: "EPIPE" })).why).toBe("EPIPE.");
  });
});

it("a defect says so, and never looks like the operator's fault", () => {
  expect(explain(new TypeError("x is not a function"))).toMatchObject({
    what: "Something in svc itself went wrong.",
    why: "X is not a function.",
    exitCode: EXIT.defect,
  });
  expect(explain("thrown text")).toMatchObject({ exitCode: EXIT.defect });
});

it("every explanation is three lines, whatever its words hold", () => {
  const terminal = { width: 80, color: false, nowMs: 0 };
  expect(renderExplanation(terminal, words)).toBe(
    "Error: It was refused.\nWhy:   It is closed.\nDo:    Open it.",
  );
  const hostile = { what: "a\nb", why: "c\u001b[2J", fix: "d\r\ne" };
  expect(renderExplanation(terminal, hostile).split("\n")).toHaveLength(3);
});
