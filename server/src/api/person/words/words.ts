/** The texts of the pages behind a mail's links. */
export interface PersonWords {
  rights: {
    title(brand: string): string;
    intro(agent: string, brand: string, date: string): string;
    /** The address of the page is the only key to it. */
    keepLink: string;
    said: string;
    you: string;
    /** Explains why a line ends with a dash. */
    cut: string;
    nothingSaid: string;
    kept: string;
    address: string;
    summary: string;
    fromPage: string;
    assessment: string;
    assessmentIs(brand: string): string;
    until: string;
    untilIs(date: string): string;
    download: string;
    delete: string;
    deleteConversation: string;
    deleteEverything(address: string, brand: string): string;
  };
  confirm: {
    conversation: string;
    everything(brand: string): string;
    goes: string;
    everythingGoes(address: string, brand: string): string;
    final: string;
    copies(brand: string): string;
    yes: string;
    no: string;
  };
  deleted: {
    title: string;
    conversation(brand: string): string;
    everything(brand: string): string;
    copies(brand: string): string;
    /** Names what a deletion does not reach at once. */
    backups: string;
    receipt: string;
    receiptIs: string;
  };
  unsubscribe: {
    title(brand: string): string;
    question(address: string, brand: string): string;
    yes: string;
    doneTitle: string;
    done(address: string, brand: string): string;
    /** For a conversation that is gone, and with it whose address it was. */
    unnamed: { title: string; question: string; done: string };
  };
  deadLink: { title: string; why: string; fix: string };
  tooMany: { title: string; why: string; fix: string };
  unavailable: { title: string; why: string; fix: string };
}
