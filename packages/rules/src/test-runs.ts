/** So many cases must hold of a law in `npm run test:long`. */
const longRuns = 10_000

/** How often a law is tried: `usual` by whoever works at it, a third of that in `npm test`, in the long run at least ten thousand times. */
export const lawRuns = (usual: number): number => {
  if (process.env.TEST_LONG) return Math.max(longRuns, usual)
  return process.env.TEST_DAILY ? Math.ceil(usual / 3) : usual
}
