export type { PersonRoutes } from "./person/person-routes.ts";
export { type ApiOptions, createApi } from "./server.ts";
