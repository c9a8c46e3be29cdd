import type { ConsoleUser } from "#accounts";
import type { ConsoleAccount, ConsoleMe } from "@svc/contract/types";

export function toConsoleMe({
  name,
  role,
  accounts: some,
}: Pick<ConsoleUser, "name" | "role"> & {
  accounts: { clientId: string; name: string }[] | undefined;
}): ConsoleMe {
  return { name, role, ...(some !== undefined && { accounts: some.map(toAccount) }) };
}

export function toAccount({ clientId, name }: { clientId: string; name: string }): ConsoleAccount {
  return { client_id: clientId, name };
}
