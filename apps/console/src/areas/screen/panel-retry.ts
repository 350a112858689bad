/** After which failure of a part of a wall it is tried again when. */
const afterMs = [5_000, 30_000, 300_000] as const

/** How long a panel waits before it is tried again, by how often it has failed. */
export const panelRetryMs = (failures: number): number => afterMs[Math.min(failures, afterMs.length) - 1] ?? afterMs[0]

const withinMs = 600_000
const mostFailures = 3

/** Whether a page has failed so often that it is given up for a plain one: the times of its failures. */
export const isGivenUp = (failedAt: readonly number[], now: number): boolean =>
  failedAt.filter((at) => at <= now && now - at < withinMs).length >= mostFailures
