import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type {
  AccountTokens,
  AddedEndpoint,
  ConsoleAgent,
  ConsoleEndpoint,
  EndpointOrder,
  IssuedToken,
  ListedToken,
  RevokedToken,
  TokenOrder,
} from "@svc/contract/types";
import { useState } from "react";
import type { ReactNode } from "react";
import { AgentTable } from "./agents.tsx";
import { read } from "./api.ts";
import { useChange } from "./changes.ts";
import { Field, IssueSecret } from "./dialogs.tsx";
import { count } from "./format.ts";
import { HealthCells, HealthState } from "./health.tsx";
import { useAccounts, useAgents, useEndpoints } from "./lists.ts";
import { useMayChange } from "./shell.tsx";
import {
  Ago,
  Button,
  Confirm,
  Empty,
  Failure,
  Loading,
  Part,
  Problem,
  Rows,
  State,
  useTitle,
  Waiting,
} from "./ui.tsx";

export function AccountsPage(): ReactNode {
  useTitle("Accounts");
  const accounts = useAccounts();
  const agents = useAgents().data?.agents;
  const endpoints = useEndpoints().data?.endpoints;
  const list = accounts.data?.accounts ?? [];
  return (
    <>
      <header>
        <h1>Accounts</h1>
        {accounts.data && <span className="quiet">{count(list.length)}</span>}
      </header>
      <Waiting query={accounts} />
      {accounts.data && list.length === 0 && (
        <Empty icon="accounts" title="No account yet">
          An account is a customer: their agents, sessions, credentials and receivers. Whoever runs
          the server adds one with <code>svc accounts add</code>.
        </Empty>
      )}
      {list.length > 0 && (
        <Rows
          head={
            <>
              <th>Account</th>
              <th>Client id</th>
              <th className="number">Agents</th>
              <th className="number">Receivers</th>
              <th className="number">Not arrived</th>
            </>
          }
        >
          {list.map((one) => {
            const own = endpoints?.filter(({ client_id: id }) => id === one.client_id);
            const failed = own?.reduce((sum, { health }) => sum + health.failed, 0) ?? 0;
            return (
              <tr key={one.client_id}>
                <td>
                  <Link className="row" to="/accounts/$id" params={{ id: one.client_id }}>
                    {one.name}
                  </Link>
                </td>
                <td>
                  <code className="quiet">{one.client_id}</code>
                </td>
                <td className="number" data-title="Agents">
                  {agents &&
                    count(agents.filter(({ client_id: id }) => id === one.client_id).length)}
                </td>
                <td className="number" data-title="Receivers">
                  {own && count(own.length)}
                </td>
                <td className={failed > 0 ? "number bad" : "number"} data-title="Not arrived">
                  {own && count(failed)}
                </td>
              </tr>
            );
          })}
        </Rows>
      )}
    </>
  );
}

/** One customer: what they prove themselves with, where their leads go, and their agents. */
export function AccountPage(): ReactNode {
  const { id } = useParams({ strict: false }) as { id: string };
  const accounts = useAccounts();
  const account = accounts.data?.accounts.find(({ client_id: one }) => one === id);
  const of = { account: id, enabled: account !== undefined };
  const agents = useAgents(of);
  const endpoints = useEndpoints(of);
  useTitle(account?.name ?? "Account");
  const mayChange = useMayChange();
  const failure = accounts.error ?? agents.error ?? endpoints.error;
  if (failure) return <Problem alone error={failure} retry={() => void accounts.refetch()} />;
  if (accounts.isPending) return <Loading />;
  if (account === undefined) {
    const action = (
      <Link className="button" to="/accounts">
        Show all accounts
      </Link>
    );
    return (
      <Empty icon="accounts" title="There is no such account" alone action={action}>
        It never existed, it has been removed, or you do not see it.
      </Empty>
    );
  }
  return (
    <>
      <header>
        <Link className="crumb" to="/accounts">
          Accounts /
        </Link>
        <h1>{account.name}</h1>
        <code className="quiet">{id}</code>
        <div className="end">
          <Link className="button" to="/sessions" search={{ account: id }}>
            Sessions
          </Link>
        </div>
      </header>
      {mayChange && <Credentials id={id} />}
      <Receivers id={id} endpoints={endpoints.data?.endpoints} agents={agents.data?.agents ?? []} />
      <Part title="Agents">
        {agents.data?.agents.length === 0 && (
          <p className="quiet">
            No agent yet. Whoever looks after it brings it here with <code>svc agents apply</code>.
          </p>
        )}
        {agents.data && agents.data.agents.length > 0 && <AgentTable agents={agents.data.agents} />}
      </Part>
    </>
  );
}

function Credentials({ id }: { id: string }): ReactNode {
  const path = `accounts/${encodeURIComponent(id)}/tokens`;
  const tokens = useQuery({
    queryKey: ["tokens", id],
    queryFn: () => read<AccountTokens>(path),
  });
  const issue = useChange<IssuedToken, TokenOrder>(path, ["tokens"]);
  const list = tokens.data?.tokens ?? [];
  return (
    <Part
      title="Credentials"
      beside={
        <>
          <span className="quiet">API tokens with which the customer reads their sessions</span>
          <IssueSecret
            button="Issue a token"
            title="Issue an API token"
            action="Issue it"
            change={issue}
            order={(given) => ({ label: given.get("label") ?? "" })}
            shown={({ id: number, label, token, url }) => ({
              title: `Token ${number}, “${label}”`,
              secret: token,
              about: <TokenUse url={url} />,
            })}
          >
            <Field title="What it is for" hint="So that you know it when you revoke it.">
              <input
                name="label"
                required
                maxLength={100}
                placeholder="Warehouse import"
                autoFocus
              />
            </Field>
          </IssueSecret>
        </>
      }
    >
      <Waiting query={tokens} />
      {tokens.isSuccess && list.length === 0 && (
        <p className="quiet">No token yet: the customer cannot read their sessions.</p>
      )}
      {list.length > 0 && <TokenTable tokens={list} />}
    </Part>
  );
}

function TokenUse({ url }: { url: string | undefined }): ReactNode {
  return (
    <p className="quiet">
      Its holder sends it as <code>Authorization: Bearer …</code>
      {url && (
        <>
          {" "}
          to <code>{url}/v1/sessions.json</code>
        </>
      )}
      .
    </p>
  );
}

function TokenTable({ tokens }: { tokens: ListedToken[] }): ReactNode {
  return (
    <Rows
      head={
        <>
          <th>For</th>
          <th className="number">Number</th>
          <th>Issued</th>
          <th>State</th>
          <th>
            <span className="hidden">Actions</span>
          </th>
        </>
      }
    >
      {tokens.toReversed().map((one) => (
        <tr key={one.id}>
          <td>
            <b>{one.label}</b>
          </td>
          <td className="number" data-title="Number">
            {one.id}
          </td>
          <td className="quiet">
            <Ago at={one.issued_at} />
          </td>
          <td>
            <State tone={one.revoked_at ? "quiet" : "good"}>
              {one.revoked_at ? "Revoked" : "Works"}
            </State>
          </td>
          <td className="number">{one.revoked_at === undefined && <RevokeToken token={one} />}</td>
        </tr>
      ))}
    </Rows>
  );
}

function RevokeToken({ token }: { token: ListedToken }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const revoke = useChange<RevokedToken>(`tokens/${token.id}/revoke`, ["tokens"]);
  return (
    <>
      <Button isBusy={revoke.isPending} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <Confirm
          title={`Revoke token ${token.id}, “${token.label}”?`}
          action="Revoke it"
          danger
          onClose={() => setAsking(false)}
          onConfirm={() => revoke.mutate()}
        >
          Whoever uses it is refused within five seconds. A revoked token never works again: issue
          another one first if its holder should not be interrupted.
        </Confirm>
      )}
      <Failure error={revoke.error} />
    </>
  );
}

function Receivers(props: {
  id: string;
  endpoints: ConsoleEndpoint[] | undefined;
  agents: ConsoleAgent[];
}): ReactNode {
  const { id, endpoints, agents } = props;
  const mayChange = useMayChange();
  return (
    <Part
      title="Receivers"
      beside={
        <>
          <span className="quiet">where each evaluated session is sent</span>
          {mayChange && <RegisterReceiver account={id} agents={agents} />}
        </>
      }
    >
      {endpoints?.length === 0 && (
        <p className="quiet">
          No receiver yet: nothing is sent. The customer reads their sessions from the export.
        </p>
      )}
      {endpoints !== undefined && endpoints.length > 0 && (
        <Rows
          head={
            <>
              <th>Receiver</th>
              <th>Agents</th>
              <th>Health</th>
              <th className="number">Waiting</th>
              <th className="number">Failed</th>
              <th>Added</th>
            </>
          }
        >
          {endpoints.map((one) => (
            <tr key={one.id}>
              <td>
                <Link className="row" to="/endpoints/$id" params={{ id: one.id }}>
                  {one.url.replace("https://", "")}
                </Link>
              </td>
              <td>{one.agents?.map(({ slug }) => slug).join(", ") ?? "all"}</td>
              <td>
                <HealthState endpoint={one} />
              </td>
              <HealthCells endpoint={one} />
              <td className="quiet">
                <Ago at={one.added_at} />
              </td>
            </tr>
          ))}
        </Rows>
      )}
    </Part>
  );
}

function RegisterReceiver(props: { account: string; agents: ConsoleAgent[] }): ReactNode {
  const { account, agents } = props;
  const add = useChange<AddedEndpoint, EndpointOrder>("endpoints", ["endpoints"]);
  const orderOf = (given: URLSearchParams): EndpointOrder => {
    const chosen = given.getAll("agent");
    return {
      account,
      url: (given.get("url") ?? "").trim(),
      ...(chosen.length > 0 && chosen.length < agents.length && { agents: chosen }),
      replay_exhausted: given.get("replay") === "on",
    };
  };
  return (
    <IssueSecret
      button="Register a receiver"
      title="Register a receiver"
      action="Register it"
      change={add}
      order={orderOf}
      shown={({ secret }) => ({
        title: "The receiver's secret",
        secret,
        about: (
          <p className="quiet">
            The receiver proves with it that a request comes from us. Once it knows the secret, open
            the receiver and check it.
          </p>
        ),
      })}
    >
      <Field
        title="Address"
        hint="Each evaluated session is sent there by POST, signed with a secret that you get next."
      >
        <input
          name="url"
          type="url"
          required
          placeholder="https://crm.example.com/hooks/svc"
          autoFocus
        />
      </Field>
      {agents.length > 1 && (
        <fieldset className="field">
          <legend>Of which agents</legend>
          {agents.map((one) => (
            <label key={one.id} className="check">
              <input type="checkbox" name="agent" value={one.id} defaultChecked /> {one.name}
            </label>
          ))}
        </fieldset>
      )}
      <label className="check">
        <input type="checkbox" name="replay" /> After an outage, send again by itself what failed
      </label>
    </IssueSecret>
  );
}
