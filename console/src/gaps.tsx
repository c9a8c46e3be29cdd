import { useQuery } from "@tanstack/react-query";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { AgentGap, AgentGaps } from "@svc/contract/types";
import type { ReactNode } from "react";
import { read } from "./api.ts";
import { count, firstDay } from "./format.ts";
import { useAgents } from "./lists.ts";
import type { GapsSearch } from "./searches.ts";
import { Ago, Empty, Filter, Rows, useTitle, Waiting } from "./ui.tsx";

const SPANS = ["1", "7", "28", "90"];
const DEFAULT_DAYS = "28";
const MOST_GAPS = 100;
/** They are found by reading conversations, which takes a while. */
const STALE_AFTER_MS = 600_000;

function useGaps(agentId: string, days: string): UseQueryResult<AgentGaps> {
  const since = firstDay(days);
  return useQuery({
    queryKey: ["gaps", { agentId, since }],
    queryFn: () =>
      read<AgentGaps>(`agents/${encodeURIComponent(agentId)}/gaps`, {
        since: `${since}T00:00:00Z`,
        limit: String(MOST_GAPS),
      }),
    staleTime: STALE_AFTER_MS,
  });
}

export function GapsPage(): ReactNode {
  useTitle("What nobody knew");
  const { id } = useParams({ strict: false }) as { id: string };
  const { days = DEFAULT_DAYS } = useSearch({ strict: false }) as GapsSearch;
  const navigate = useNavigate();
  const found = useGaps(id, days);
  const agent = useAgents().data?.agents.find((one) => one.id === id);
  return (
    <>
      <header>
        <Link className="crumb" to="/agents">
          Agents /
        </Link>
        <h1>What nobody knew</h1>
        <span className="quiet">
          {agent && `${agent.name} of ${agent.account_name}`}
          {found.data &&
            `, read ${count(found.data.sessions)} ${found.data.sessions === 1 ? "conversation" : "conversations"}`}
        </span>
        <div className="end">
          <Filter
            title="Days"
            all={DEFAULT_DAYS}
            value={days === DEFAULT_DAYS ? undefined : days}
            choices={SPANS.filter((one) => one !== DEFAULT_DAYS).map((value) => ({
              value,
              name: value,
            }))}
            onChange={(value) =>
              void navigate({
                to: "/agents/$id/gaps",
                params: { id },
                search: value === undefined ? {} : { days: value },
              })
            }
          />
        </div>
      </header>
      <Waiting query={found} />
      {found.data && <Gaps {...found.data} />}
    </>
  );
}

function Gaps({ gaps, more, read_to: readTo, slug }: AgentGaps): ReactNode {
  if (gaps.length === 0) {
    return (
      <Empty icon="search" title="Every question had an answer">
        What visitors ask and the agent cannot answer is listed here, with their words.
      </Empty>
    );
  }
  return (
    <>
      <Rows
        head={
          <>
            <th>Asked</th>
            <th className="number">Conversations</th>
            <th>Why</th>
            <th>Languages</th>
            <th className="number">Last</th>
          </>
        }
      >
        {gaps.map((gap) => (
          <tr key={gap.about}>
            <td className="heard">
              <b>{gap.about}</b>
              {gap.quotes.slice(0, MOST_QUOTES).map((one) => (
                <Link
                  key={one.session_id + one.at}
                  className="two link"
                  to="/sessions/$id"
                  params={{ id: one.session_id }}
                >
                  “{one.question}”
                </Link>
              ))}
            </td>
            <td className="number" data-title="Conversations">
              {count(gap.sessions)}
            </td>
            <td data-title="Why">{reasonsOf(gap)}</td>
            <td className="quiet" data-title="Languages">
              {gap.languages.join(", ")}
            </td>
            <td className="number quiet" data-title="Last">
              <Ago at={gap.last_at} />
            </td>
          </tr>
        ))}
      </Rows>
      <p className="foot quiet">
        <span>
          {more > 0 && `${count(more)} more are not listed. `}
          {readTo !== undefined && "Older conversations were not read. "}
          Whoever looks after the agent adds a section for each to its folder with{" "}
          <code>
            svc agents gaps {slug} --into {"<folder>"}
          </code>
          , and fills it in.
        </span>
      </p>
    </>
  );
}

const MOST_QUOTES = 3;

function reasonsOf({ reasons }: AgentGap): string {
  const all: [number, string][] = [
    [reasons.said_unknown, "Said so"],
    [reasons.not_found, "Nothing found"],
    [reasons.held, "Answer held back"],
  ];
  return all.flatMap(([times, name]) => (times > 0 ? [`${name} ${count(times)}`] : [])).join(", ");
}
