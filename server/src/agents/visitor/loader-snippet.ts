/**
 * The script that a customer pastes into each page that starts this agent. A second copy on a page
 * does nothing. Every `Svc` call works right after it, promises included: calls wait in
 * `Svc.waiting` and are answered in order once the SDK has loaded; later calls of a method that the
 * page saved before are answered at once.
 */
export function loaderSnippet(sdkUrl: string, agentId: string): string {
  return `<script>
  (function (w, d, q, s) {
    if (d.getElementById("svc-sdk")) return;
    w.SvcConfig = { agentId: "${agentId}" };
    function wait(name) {
      return function () {
        var args = arguments;
        return new Promise(function (resolve) { q.push([name, args, resolve]); });
      };
    }
    if (!w.Svc) {
      w.Svc = { waiting: q, widget: {}, hero: {}, actions: {} };
      (
        "startDemo setMetadata setSessionData trackButtonView getLanguages checkClient endDemo on off " +
        "widget.configure widget.show widget.hide widget.expand widget.collapse hero.mount hero.unmount " +
        "actions.register"
      ).split(" ").forEach(function (name) {
        var p = name.split(".");
        (p[1] ? w.Svc[p[0]] : w.Svc)[p[1] || name] = wait(name);
      });
      w.Svc.ready = wait("ready")();
    }
    s = d.createElement("script");
    s.id = "svc-sdk";
    s.async = true;
    s.src = ${scriptAddress(sdkUrl)};
    d.head.appendChild(s);
  })(window, document, []);
</script>`;
}

/** The shorter snippet, for pages that call `Svc` only after it has loaded, in a click for example. */
export function shortSnippet(sdkUrl: string, agentId: string): string {
  return `<script>
  (function (w, d, s) {
    if (d.getElementById("svc-sdk")) return;
    w.SvcConfig = { agentId: "${agentId}" };
    s = d.createElement("script");
    s.id = "svc-sdk";
    s.async = true;
    s.src = ${scriptAddress(sdkUrl)};
    d.head.appendChild(s);
  })(window, document);
</script>`;
}

/** A string literal that cannot end the script element with `</script>`. */
function scriptAddress(sdkUrl: string): string {
  return JSON.stringify(`${sdkUrl}/sdk/sdk.js`).replaceAll("<", String.raw`\u003c`);
}
