export { type ApiOptions, createApi } from "./server.ts";
