export { type AddressMarks, createAddressMarks } from "./address-marks.ts";
export { type ExpectedMail, expectMail } from "./expect-mail.ts";
export { FollowUps, type SkipReason } from "./follow-ups.ts";
export { composeDeletionNotice } from "./letter/compose-letter.ts";
export {
  confirmTranscript,
  countMailTrouble,
  FOLLOW_UP_STATES,
  followUp,
  type FollowUpFilter,
  followUpOf,
  type FollowUpState,
  forgetErasedMails,
  forgetFollowUps,
  isTranscriptReadable,
  type ListedFollowUp,
  listFollowUps,
  orderFollowUp,
} from "./order-follow-up.ts";
export { createPersonLinks, type Mailed, type PersonLinks } from "./person-links.ts";
export {
  countSuppressed,
  isSuppressed,
  setSuppressed,
  suppress,
  unsuppress,
} from "./suppression.ts";
