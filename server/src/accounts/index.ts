export { type Account, addAccount, type ExportMode, setExportMode } from "./account.ts";
export { audit, type AuditEntry } from "./audit.ts";
export { type Authenticator, type Caller, createAuthenticator } from "./authenticate.ts";
export { issueToken, revokeToken } from "./tokens.ts";
