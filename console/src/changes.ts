import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { UseMutationResult } from "@tanstack/react-query";
import { change } from "./api.ts";
import { keepFocus } from "./ui.tsx";

/**
 * A change, after which these queries are read again. Its answer may hold a secret, so nothing keeps it
 * once the page that asked is gone.
 */
export function useChange<Answer, Order extends object | void = void>(
  path: string | ((order: Order) => string),
  stale: string[],
): UseMutationResult<Answer, Error, Order> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (order: Order) =>
      change<Answer>(typeof path === "string" ? path : path(order), order ?? {}),
    gcTime: 0,
    onSuccess: async () => {
      await Promise.all(stale.map((key) => queries.invalidateQueries({ queryKey: [key] })));
      keepFocus();
    },
  });
}
