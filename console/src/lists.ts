import { useQuery } from "@tanstack/react-query";
import type { UseQueryResult } from "@tanstack/react-query";
import type {
  ConsoleAccounts,
  ConsoleAgents,
  ConsoleEndpoints,
  ConsoleStatus,
} from "@svc/contract/types";
import { read } from "./api.ts";

interface Of {
  /** Only what belongs to this one. */
  account?: string;
  /** Not read before it is true. */
  enabled?: boolean;
}

export function useAccounts(): UseQueryResult<ConsoleAccounts> {
  return useList("accounts");
}

export function useAgents(of?: Of): UseQueryResult<ConsoleAgents> {
  return useList("agents", of);
}

export function useEndpoints(of?: Of): UseQueryResult<ConsoleEndpoints> {
  return useList("endpoints", of);
}

/** What goes on now, so it is read again and again. */
export function useStatus(): UseQueryResult<ConsoleStatus> {
  return useQuery({
    queryKey: ["status"],
    queryFn: () => read<ConsoleStatus>("status"),
    refetchInterval: 10_000,
  });
}

/** By one key for all pages: a list that another page has read is there at once. */
function useList<T>(name: string, { account, enabled = true }: Of = {}): UseQueryResult<T> {
  return useQuery({
    queryKey: account === undefined ? [name] : [name, account],
    queryFn: () => read<T>(name, { account }),
    enabled,
  });
}
