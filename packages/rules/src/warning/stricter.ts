/** Which way a figure yields fewer findings, or shorter ones. */
export type StricterWay = 'up' | 'down'

/**
 * Figures whose change in one way never raises more. Of those that are missing it depends: the load that counts for a contact, say, also
 * decides which hours its fit is made of; a cumulated sum that is cut off at twice its decision limit outlasts sound days with a higher one; what
 * is no longer dead may be fed back.
 */
const ways: Readonly<Record<string, Readonly<Record<string, StricterWay>>>> = {
  contact: { minExcessK: 'up', significance: 'up', noticeK: 'up' },
  'arc.precursor': { minHours: 'up' },
  'leakage.step': {
    stepShare: 'up',
    minStepMa: 'up',
    hourlyShare: 'up',
    minHourlyMa: 'up',
    hourlySpreads: 'up',
  },
  'leakage.drift': { significance: 'up', riseShare: 'up', minRiseMa: 'up', horizonDays: 'down' },
  neutral: { ratio: 'up', triangleShare: 'down', highShare: 'up', seconds: 'up' },
  phaseLoss: { deadSeconds: 'up', backFedSeconds: 'up' },
  overcurrent: { minutes: 'up', release: 'down' },
  'load.growth': { significance: 'up', riseShare: 'up', fromShare: 'up', horizonWeeks: 'down' },
  unbalance: { noticePercent: 'up', noticeMinutes: 'up' },
  'voltage.range': { lowV: 'down', highV: 'up', share: 'up' },
  wear: { noticePercent: 'up' },
  'release.slow': { factor: 'up', minSlowerMs: 'up', horizonDays: 'down' },
  'trips.often': { inDay: 'up', inWeek: 'up' },
  'link.unstable': { inHour: 'up' },
  'diagram.disagrees': { seconds: 'up' },
  offline: { hours: 'up' },
  harmonic: { thdPercent: 'up', minutes: 'up' },
}

/** Which way a figure of a rule never yields more findings; null: it depends. */
export const stricterWay = (key: string, name: string): StricterWay | null => ways[key]?.[name] ?? null
