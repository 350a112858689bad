import { expect } from '@playwright/test'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const sinceMidnight = () => (Date.now() + 8 * hourMs) % dayMs

/**
 * Times of day of Shanghai, some hours and seconds from this minute on: none of them is due while a test runs, whenever that is. In whole minutes
 * where no seconds are given.
 */
export function fromNow(): (hours: number, seconds?: number) => string {
  const minute = Math.floor(sinceMidnight() / 60_000) * 60_000
  return (hours, seconds = 0) => {
    const text = new Date((minute + hours * hourMs + seconds * 1_000) % dayMs).toISOString()
    return text.slice(11, seconds % 60 === 0 ? 16 : 19)
  }
}

/** For a test about a day of Shanghai: one that is about to end, or has only just begun, is waited for. */
export const inMidstOfDay = () =>
  expect.poll(() => sinceMidnight() > 60_000 && sinceMidnight() < dayMs - 120_000, { timeout: 240_000 }).toBe(true)
