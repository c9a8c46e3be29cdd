import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  RouterProvider,
} from "@tanstack/react-router";
import { StrictMode } from "react";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { ApiProblem } from "./api.ts";
import {
  readDeliveriesSearch,
  readGapsSearch,
  readOverviewSearch,
  readSessionsSearch,
} from "./searches.ts";
import { SessionsPage } from "./sessions.tsx";
import { Shell } from "./shell.tsx";
import { Empty, Problem } from "./ui.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const routes = [
  createRoute({
    getParentRoute: () => root,
    path: "/",
    validateSearch: readOverviewSearch,
    component: lazyRouteComponent(() => import("./overview.tsx"), "OverviewPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/sessions",
    validateSearch: readSessionsSearch,
    component: SessionsPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/sessions/$id",
    component: lazyRouteComponent(() => import("./session.tsx"), "SessionPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/deliveries",
    validateSearch: readDeliveriesSearch,
    component: lazyRouteComponent(() => import("./deliveries.tsx"), "DeliveriesPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/endpoints/$id",
    component: lazyRouteComponent(() => import("./endpoint.tsx"), "EndpointPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/agents",
    component: lazyRouteComponent(() => import("./agents.tsx"), "AgentsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/agents/$id/gaps",
    validateSearch: readGapsSearch,
    component: lazyRouteComponent(() => import("./gaps.tsx"), "GapsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/accounts",
    component: lazyRouteComponent(() => import("./accounts.tsx"), "AccountsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/me",
    component: lazyRouteComponent(() => import("./me.tsx"), "MePage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/accounts/$id",
    component: lazyRouteComponent(() => import("./accounts.tsx"), "AccountPage"),
  }),
];

function NotFound(): ReactNode {
  const action = (
    <Link className="button" to="/sessions">
      Show all sessions
    </Link>
  );
  return (
    <Empty icon="search" title="There is no such page" alone action={action}>
      The address may be from an older release, or cut short.
    </Empty>
  );
}

const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: "/console",
  scrollRestoration: true,
  defaultErrorComponent: ({ error }) => <Problem error={error as Error} alone />,
});

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What was refused stays refused; a server that is away may come back.
      retry: (failures, error) =>
        !(error instanceof ApiProblem && error.status > 0) && failures < 2,
    },
  },
});

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
