import { useQuery } from "@tanstack/react-query";
import type {
  ConsoleToken,
  ConsoleTokens,
  IssuedConsoleToken,
  TokenOrder,
} from "@svc/contract/types";
import { useState } from "react";
import type { ReactNode } from "react";
import { read } from "./api.ts";
import { useChange } from "./changes.ts";
import { Field, FormDialog, SecretDialog } from "./dialogs.tsx";
import { moment } from "./format.ts";
import { Looks, useMe } from "./shell.tsx";
import { Ago, Loading, Problem, Rows, useTitle } from "./ui.tsx";

/** Who is signed in, how the console looks to them, and their tokens for the command line. */
export function MePage(): ReactNode {
  useTitle("You");
  const me = useMe();
  const [isAsking, setAsking] = useState(false);
  const tokens = useQuery({
    queryKey: ["my-tokens"],
    queryFn: () => read<ConsoleTokens>("me/tokens"),
  });
  const issue = useChange<IssuedConsoleToken, TokenOrder>("me/tokens", ["my-tokens"]);
  const close = (): void => {
    setAsking(false);
    issue.reset();
  };
  const list = tokens.data?.tokens ?? [];
  return (
    <>
      <header>
        <h1>{me?.name ?? "You"}</h1>
        {me && (
          <span className="quiet">
            {me.role}, {me.accounts?.map(({ name }) => name).join(", ") ?? "all accounts"}
          </span>
        )}
        <div className="end">
          <span className="narrow">
            <Looks />
          </span>
          <form method="post" action="/console/sign-out">
            <button className="button">Sign out</button>
          </form>
        </div>
      </header>
      <section className="part">
        <header>
          <h2>Command line</h2>
          <span className="quiet">
            tokens with which <code>svc --server</code> does what you may do here
          </span>
          <span className="end">
            <button className="button" onClick={() => setAsking(true)}>
              Make a token
            </button>
          </span>
        </header>
        {tokens.isPending && <Loading />}
        {tokens.isError && <Problem error={tokens.error} retry={() => void tokens.refetch()} />}
        {tokens.isSuccess && list.length === 0 && (
          <p className="quiet">
            None. With one, <code>svc</code> asks this server and needs no login to its database.
          </p>
        )}
        {list.length > 0 && <TokenTable tokens={list} />}
      </section>
      {isAsking && issue.data === undefined && (
        <FormDialog
          title="Make a token for the command line"
          action="Make it"
          isBusy={issue.isPending}
          error={issue.error}
          onSubmit={(given) => issue.mutate({ label: given.get("label") ?? "" })}
          onClose={close}
        >
          <Field
            name="label"
            title="Where you will use it"
            hint="It works for 30 days, with your role and accounts at the time of each use."
          >
            <input name="label" required maxLength={100} placeholder="Laptop" autoFocus />
          </Field>
        </FormDialog>
      )}
      {issue.data && (
        <SecretDialog
          title={`Token “${issue.data.label}”`}
          secret={issue.data.token}
          onClose={close}
        >
          <pre className="snippet" tabIndex={0}>
            {`export SVC_SERVER=${location.origin}\nexport SVC_SERVER_TOKEN=operator_…\nsvc webhooks list`}
          </pre>
          <p className="quiet">It ends on {moment(issue.data.expires_at)}.</p>
        </SecretDialog>
      )}
    </>
  );
}

function TokenTable({ tokens }: { tokens: ConsoleToken[] }): ReactNode {
  return (
    <Rows
      head={
        <>
          <th>Where</th>
          <th>Made</th>
          <th>Last used</th>
          <th>Ends</th>
          <th>
            <span className="hidden">Actions</span>
          </th>
        </>
      }
    >
      {tokens.map((one) => (
        <tr key={one.id}>
          <td>
            <b>{one.label}</b>
          </td>
          <td className="quiet" data-title="Made">
            <Ago at={one.issued_at} />
          </td>
          <td data-title="Last used">{one.used_at ? <Ago at={one.used_at} /> : "never"}</td>
          <td data-title="Ends">
            <Ago at={one.expires_at} />
          </td>
          <td className="number">
            <Revoke token={one} />
          </td>
        </tr>
      ))}
    </Rows>
  );
}

function Revoke({ token }: { token: ConsoleToken }): ReactNode {
  const revoke = useChange<ConsoleToken>(`me/tokens/${token.id}/revoke`, ["my-tokens"]);
  return (
    <>
      <button className="button" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke
      </button>
      {revoke.error && (
        <p className="bad" role="alert">
          {revoke.error.message}
        </p>
      )}
    </>
  );
}
