/**
 * Voltage thresholds by model code (specification section 9): the band in which a set point counts as normal, and for the models
 * listed here also the form's range.
 */
export interface VoltageBand {
  readonly over: readonly [minV: number, maxV: number]
  readonly under: readonly [minV: number, maxV: number]
}

interface BandRow {
  readonly matches: { readonly model: string } | { readonly contains: string }
  readonly band: VoltageBand
  /** What such a model is connected to where it is not 230 V (ours, from the middle of its bands). */
  readonly supplyV?: number
}

export const usualSupplyV = 230

/** First match wins, so a named model stands before the marker it contains. */
export const voltageBandRows: readonly BandRow[] = [
  { matches: { model: '3P_H' }, band: { over: [0, 500], under: [0, 500] }, supplyV: 400 },
  { matches: { contains: '_H' }, band: { over: [270, 280], under: [160, 170] } },
  { matches: { model: 'a1NWrOwdXKN' }, band: { over: [55, 65], under: [35, 45] }, supplyV: 48 },
  { matches: { model: '3PN_S' }, band: { over: [255, 350], under: [120, 195] } },
  { matches: { contains: '_Z' }, band: { over: [58, 60], under: [40, 48] }, supplyV: 48 },
]

export const otherModelsBand: VoltageBand = { over: [235, 265], under: [175, 205] }
