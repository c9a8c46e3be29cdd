/** Where everything is at one moment. Lengths are in the box of 200 by 200. */
export interface Pose {
  /** How far the head is down, and how far it leans, in degrees. */
  y: number;
  tilt: number;
  /** How far the chest has sunk. */
  breath: number;
  /** The eyes, from about -1, left and up, to 1. */
  gazeX: number;
  gazeY: number;
  /** 1: wide open. */
  lids: number;
  /** Of the brows. */
  lift: number;
  /** 1: at rest. */
  smile: number;
  /** The mouth, from 0 to 1. */
  open: number;
  /** The mouth, from -1, round, to 1, spread. */
  wide: number;
}

export const REST: Pose = {
  y: 0,
  tilt: 0,
  breath: 0,
  gazeX: 0,
  gazeY: 0,
  lids: 1,
  lift: 0,
  smile: 1,
  open: 0,
  wide: 0,
};
