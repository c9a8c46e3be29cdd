import { element } from "../kit.ts";
import { reviewed } from "../strings/strings.ts";
import type { Reviewed } from "../strings/strings.ts";

interface PreviewWords {
  ribbon: string;
  invalidTitle: string;
  invalid: string;
  close: string;
}

const WORDS: Record<Reviewed, PreviewWords> = {
  en: {
    ribbon: "Preview: not recorded as a customer's session",
    invalidTitle: "This preview link does not work",
    invalid:
      "It has expired, or it is for another agent. Ask for a new link, or open this page in a new tab to go on without a preview.",
    close: "Close",
  },
  de: {
    ribbon: "Vorschau: wird nicht als Kundengespräch erfasst",
    invalidTitle: "Dieser Vorschau-Link funktioniert nicht",
    invalid:
      "Er ist abgelaufen oder gehört zu einem anderen Agenten. Bitten Sie um einen neuen Link, oder öffnen Sie diese Seite in einem neuen Tab, um ohne Vorschau fortzufahren.",
    close: "Schließen",
  },
  fr: {
    ribbon: "Aperçu : non enregistré comme session d'un client",
    invalidTitle: "Ce lien d'aperçu ne fonctionne pas",
    invalid:
      "Il a expiré ou concerne un autre agent. Demandez un nouveau lien, ou ouvrez cette page dans un nouvel onglet pour continuer sans aperçu.",
    close: "Fermer",
  },
  es: {
    ribbon: "Vista previa: no se registra como sesión de un cliente",
    invalidTitle: "Este enlace de vista previa no funciona",
    invalid:
      "Ha caducado o es de otro agente. Pida un enlace nuevo, o abra esta página en una pestaña nueva para continuar sin vista previa.",
    close: "Cerrar",
  },
};

export function previewRibbon(language: string): HTMLElement {
  return element("p", { className: "ribbon" }, WORDS[reviewed(language)].ribbon);
}

/** Says why no preview can be started, instead of starting a session that counts. */
export function invalidScreen(language: string, onClose: () => void): HTMLElement {
  const { invalidTitle, invalid, close } = WORDS[reviewed(language)];
  return element(
    "section",
    { className: "notice" },
    element("h2", {}, invalidTitle),
    element("p", { className: "lead", role: "alert" }, invalid),
    element(
      "button",
      { type: "button", className: "primary", "data-focus": "", onclick: onClose },
      close,
    ),
  );
}
