import { addCustomer, announceLive, end } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { forgetVisits } from "./forget-visits.ts";
import { visit, visitsOver } from "./visit-under-test.ts";

describe("a visit", () => {
  databaseTest("is forgotten after a day, once its session has ended", async ({ database }) => {
    const { db, pool } = database;
    await announceLive(db);
    const customer = await addCustomer(db);
    const begin = async (hoursAgo: number, isOver: boolean): Promise<string> => {
      const outcome = await visitsOver(db).start(visit(customer, { address: `${hoursAgo}` }));
      if (!("sessionId" in outcome)) throw new Error("not started");
      const { sessionId: id } = outcome;
      if (isOver) await end(db, { id, createdAt: new Date() });
      await pool.query(
        "UPDATE visits SET started_at = now() - make_interval(hours => $2) WHERE session_id = $1",
        [id, hoursAgo],
      );
      return id;
    };
    const [young, going] = [await begin(23, true), await begin(25, false)];
    await begin(25, true);
    await begin(1_000, true);
    expect(await forgetVisits(db)).toBe(2);
    const { rows } = await pool.query<{ session_id: string }>("SELECT session_id FROM visits");
    expect(rows.map((row) => row.session_id).toSorted()).toEqual([young, going].toSorted());
    expect(await forgetVisits(db)).toBe(0);
  });
});
