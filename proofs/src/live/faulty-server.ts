/**
 * For NODE_OPTIONS: a server with two faults. It closes bad frames with the code for a session that
 * moved, and every socket leaves 64 KB behind.
 */
export const WRONG_CODE_AND_LEAK: string = `--import=data:text/javascript,${encodeURIComponent(`
  import { createRequire } from "node:module";
  const { WebSocket, WebSocketServer } = createRequire(process.argv[1])("ws");
  const close = WebSocket.prototype.close;
  WebSocket.prototype.close = function (code, reason) {
    return close.call(this, code === 4000 ? 4001 : code, reason);
  };
  const left = [];
  const handleUpgrade = WebSocketServer.prototype.handleUpgrade;
  WebSocketServer.prototype.handleUpgrade = function (...rest) {
    left.push(new Array(8192).fill(0));
    return handleUpgrade.apply(this, rest);
  };
`)}`;
