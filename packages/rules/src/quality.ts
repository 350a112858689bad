/** Device time further from the server's than this is kept but marked. */
export const clockToleranceMs = 300_000

/** Whether a device's clock can be believed. */
export const clockGood = (deviceAt: number, receivedAt: number): boolean => Math.abs(receivedAt - deviceAt) <= clockToleranceMs

/** Whether a reading may move the live value: never a back-filled one, never one older than what is shown. */
export const movesLive = (liveAt: number | null, at: number, historical: boolean): boolean =>
  !historical && (liveAt === null || at >= liveAt)
