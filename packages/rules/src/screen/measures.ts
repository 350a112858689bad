/** Measures of a diagram in px of a frame 1,920 wide: the picture is scaled as a whole. */
export const measures = {
  /** Widths of a feeder with its label, the widest that fits is taken. */
  slots: [176, 160, 144, 128, 112, 96],
  /** Of a folded part, and of a feeder that has a bus below it. */
  tile: 128,
  feeder: 144,
  /** Between two sub-buses, two sources, and two buses with a tie between them. */
  gap: 16,
  sourceGap: 56,
  tieGap: 152,
  /** From a bus down to the end of a load, and to the bus below it. */
  load: 200,
  level: 232,
  /** The conductor stands so far from the left of its slot, and its label so far from the conductor. */
  inset: 12,
  labelGap: 10,
  /** From the bus down to where a label begins, and how high it is. */
  labelTop: 68,
  label: 108,
  /** A source without a transformer, and with one; then its incomer. */
  source: 40,
  transformer: 132,
  incomer: 112,
  /** What a bus is called stands above it. */
  busLabel: 24,
  /** Below a bus so that its next row has a place for its name. */
  rowGap: 40,
  /** Where a bus goes on in a row below, left of everything on it. */
  riser: 24,
} as const
