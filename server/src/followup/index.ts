export { type AddressMarks, createAddressMarks } from "./address-marks.ts";
export {
  countMailTrouble,
  FOLLOW_UP_STATES,
  type FollowUpFilter,
  followUpOf,
  type FollowUpState,
  type ListedFollowUp,
  listFollowUps,
} from "./follow-up-list.ts";
export { FollowUps, type SkipReason } from "./follow-ups.ts";
export { followUp } from "./jobs.ts";
export { composeDeletionNotice } from "./letter/compose-deletion-notice.ts";
export { letterDate, type LetterLanguage, letterLanguage } from "./letter/letter-language.ts";
export { forgetFollowUps, orderFollowUp } from "./order-follow-up.ts";
export { createPersonLinks, type Mailed, type PersonLinks } from "./person-links.ts";
export {
  countSuppressed,
  isSuppressed,
  setSuppressed,
  suppress,
  unsuppress,
} from "./suppression.ts";
