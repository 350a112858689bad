/** So many cases must hold of a law in `npm run test:long`. */
const longRuns = 10_000

/** How often a law is tried: as often as `npm test` has time for, in the long run at least ten thousand times. */
export const lawRuns = (usual: number): number => (process.env.TEST_LONG ? Math.max(longRuns, usual) : usual)
