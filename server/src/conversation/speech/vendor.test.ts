import { expect, it } from "vitest";
import { apiUrl } from "./vendor.ts";

it.each([
  ["https://speech.example.com", "https://speech.example.com/v1"],
  ["https://speech.example.com/", "https://speech.example.com/v1"],
  ["wss://speech.example.com/v1", "https://speech.example.com/v1"],
  ["http://127.0.0.1:8080/own/path/", "http://127.0.0.1:8080/own/path"],
])("dials %s as %s", (given, dialled) => {
  expect(apiUrl(given, "http", "/v1")).toBe(dialled);
});

it("dials WebSockets where they are", () => {
  expect(apiUrl("https://api.example.com", "ws")).toBe("wss://api.example.com");
});
