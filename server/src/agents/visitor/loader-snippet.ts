/**
 * The script that a customer pastes into each page that starts this agent. A second copy on a page
 * does nothing.
 */
export function loaderSnippet(sdkUrl: string, agentId: string): string {
  return `<script>
  window.SvcConfig = { agentId: "${agentId}" };
  (function (d, s) {
    if (d.getElementById("svc-sdk")) return;
    s = d.createElement("script");
    s.id = "svc-sdk";
    s.async = true;
    s.src = ${scriptAddress(sdkUrl)};
    d.head.appendChild(s);
  })(document);
</script>`;
}

/**
 * The longer snippet, with which every `Svc` call works before the SDK has loaded, promises
 * included. Calls wait in `Svc.waiting` and are answered in order once it has; later calls of a
 * method that the page saved before are answered at once.
 */
export function patientSnippet(sdkUrl: string, agentId: string): string {
  return `<script>
  window.SvcConfig = { agentId: "${agentId}" };
  (function (w, d, s, q) {
    if (d.getElementById("svc-sdk")) return;
    function wait(name) {
      return function () {
        var args = arguments;
        return new Promise(function (resolve) { q.push([name, args, resolve]); });
      };
    }
    if (!w.Svc) {
      w.Svc = { waiting: q, widget: {}, hero: {} };
      "${WAITING.join(" ")}".split(" ").forEach(function (n) {
        var p = n.split(".");
        (p[1] ? w.Svc[p[0]] : w.Svc)[p[1] || n] = wait(n);
      });
      w.Svc.ready = wait("ready")();
    }
    s = d.createElement("script");
    s.id = "svc-sdk";
    s.async = true;
    s.src = ${scriptAddress(sdkUrl)};
    d.head.appendChild(s);
  })(window, document, 0, []);
</script>`;
}

const WAITING = [
  "startDemo",
  "setMetadata",
  "setSessionData",
  "trackButtonView",
  "getLanguages",
  "checkClient",
  "endDemo",
  "on",
  "off",
  "widget.configure",
  "widget.show",
  "widget.hide",
  "widget.expand",
  "widget.collapse",
  "hero.mount",
  "hero.unmount",
];

/** A string literal that cannot end the script element with `</script>`. */
function scriptAddress(sdkUrl: string): string {
  return JSON.stringify(`${sdkUrl}/sdk/sdk.js`).replaceAll("<", String.raw`\u003c`);
}
