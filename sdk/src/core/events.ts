type Listener = (detail: never) => void;

const listeners: { [Name in keyof SvcEvents]?: Set<Listener> } = {};

export function on<Name extends keyof SvcEvents>(
  event: Name,
  listener: (detail: SvcEvents[Name]) => void,
): void {
  if (typeof listener !== "function") return hint("Svc.on takes a name and a function.");
  (listeners[event] ??= new Set()).add(listener);
}

export function off<Name extends keyof SvcEvents>(
  event: Name,
  listener: (detail: SvcEvents[Name]) => void,
): void {
  listeners[event]?.delete(listener);
}

/** An error in a listener is the page's own: it is reported as uncaught, and other listeners still run. */
export function emit<Name extends keyof SvcEvents>(event: Name, detail: SvcEvents[Name]): void {
  for (const listener of listeners[event] ?? []) {
    try {
      (listener as (detail: SvcEvents[Name]) => void)(detail);
    } catch (error) {
      setTimeout(() => {
        throw error;
      });
    }
  }
}

const told = new Set<string>();

/** Explains a mistake of the page in its console, once. */
export function hint(text: string): void {
  if (told.has(text)) return;
  told.add(text);
  console.warn(`[Svc] ${text}`);
}
