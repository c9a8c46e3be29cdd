export { addConsole, type ConsoleRoutes } from "./console/console-routes.ts";
