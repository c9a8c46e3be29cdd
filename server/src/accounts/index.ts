export {
  type Account,
  addAccount,
  EXPORT_MODES,
  type ExportMode,
  findAccount,
  listAccounts,
  type ListedAccount,
  oneLineText,
  renameAccount,
} from "./account.ts";
export { type Actor, type ActorKind, readActor, writeActor } from "./actor.ts";
export {
  audit,
  type AuditEntry,
  type AuditRecord,
  type AuditRights,
  auditRights,
  listAudit,
} from "./audit.ts";
export { type Authenticator, type Caller, createAuthenticator } from "./authenticate.ts";
export {
  type ConsoleToken,
  listConsoleTokens,
  makeConsoleToken,
  revokeConsoleToken,
  userOfConsoleToken,
} from "./console-tokens.ts";
export {
  actorOf,
  CONSOLE_ROLES,
  type ConsoleLogin,
  type ConsoleRole,
  type ConsoleUser,
  hasRole,
  listConsoleUsers,
  makeConsoleLink,
  nameOfConsoleLink,
  removeConsoleUser,
  seesAccount,
  signIn,
  signInByName,
  signOut,
  userOfSession,
} from "./console-users.ts";
export { type AccountLimits, DEFAULT_LIMITS, LIMIT_NAMES, type LimitName } from "./limits.ts";
export {
  type AccountSettings,
  type ChangedSetting,
  changeSettings,
  readSettings,
  RETENTION_DAYS,
  type SettingsChange,
} from "./settings.ts";
export { issueToken, type ListedToken, listTokens, revokeToken } from "./tokens.ts";
