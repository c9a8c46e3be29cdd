import { useQuery } from "@tanstack/react-query";
import type {
  ConsoleToken,
  ConsoleTokens,
  IssuedConsoleToken,
  TokenOrder,
} from "@svc/contract/types";
import type { ReactNode } from "react";
import { read } from "./api.ts";
import { useChange } from "./changes.ts";
import { Field, IssueSecret } from "./dialogs.tsx";
import { moment } from "./format.ts";
import { Looks, useMe } from "./shell.tsx";
import { Ago, Button, Failure, Part, Rows, useTitle, Waiting } from "./ui.tsx";

/** Who is signed in, how the console looks to them, and their tokens for the command line. */
export function MePage(): ReactNode {
  useTitle("You");
  const me = useMe();
  const tokens = useQuery({
    queryKey: ["my-tokens"],
    queryFn: () => read<ConsoleTokens>("me/tokens"),
  });
  const issue = useChange<IssuedConsoleToken, TokenOrder>("me/tokens", ["my-tokens"]);
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
      <Part
        title="Command line"
        beside={
          <>
            <span className="quiet">
              tokens with which <code>svc --server</code> does what you may do here
            </span>
            <IssueSecret
              button="Make a token"
              title="Make a token for the command line"
              action="Make it"
              change={issue}
              order={(given) => ({ label: given.get("label") ?? "" })}
              shown={({ label, token, expires_at: end }) => ({
                title: `Token “${label}”`,
                secret: token,
                about: <TokenUse end={end} />,
              })}
            >
              <Field
                title="Where you will use it"
                hint="It works for 30 days, with your role and accounts at the time of each use."
              >
                <input name="label" required maxLength={100} placeholder="Laptop" autoFocus />
              </Field>
            </IssueSecret>
          </>
        }
      >
        <Waiting query={tokens} />
        {tokens.isSuccess && list.length === 0 && (
          <p className="quiet">
            None. With one, <code>svc</code> asks this server and needs no login to its database.
          </p>
        )}
        {list.length > 0 && <TokenTable tokens={list} />}
      </Part>
      <Part title="Colleagues">
        <p className="quiet">
          Whoever runs the server lets them in, for all accounts or for one, and sends them a link:
        </p>
        <pre className="snippet" tabIndex={0}>
          svc console login --name &quot;Ada Okafor&quot; --role viewer --account acme
        </pre>
        <p className="quiet">
          A viewer reads. An operator also replays, pauses, and issues tokens. An admin also erases.
        </p>
      </Part>
    </>
  );
}

function TokenUse({ end }: { end: string }): ReactNode {
  return (
    <>
      <pre className="snippet" tabIndex={0}>
        {`export SVC_SERVER=${location.origin}\nexport SVC_SERVER_TOKEN=operator_…\nsvc webhooks list`}
      </pre>
      <p className="quiet">It ends on {moment(end)}.</p>
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
      <Button isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke
      </Button>
      <Failure error={revoke.error} />
    </>
  );
}
