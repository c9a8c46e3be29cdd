import { expect, test } from "vitest";
import { childEnvironment } from "./settings.ts";

test("settings of another installation never reach what the runner starts", () => {
  const environment = {
    PATH: "/bin",
    SVC_DATABASE_URL: "postgres://svc@production/svc",
    SVC_CELL: "zz",
  };
  expect(childEnvironment(environment, { SVC_PORT: "1" }, "/cache")).toEqual({
    NODE_COMPILE_CACHE: "/cache",
    PATH: "/bin",
    SVC_PORT: "1",
  });
});
