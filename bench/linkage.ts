import { linkagesLive } from './linkage-live.ts'
import { simulated } from './linkage-simulate.ts'
import { report } from './report.ts'

const targets = {
  ...{ sentAfterP99Ms: 200, missing: 0, twice: 0, unexpected: 0, notSent: 0, notTripped: 0, trippedElse: 0, notCommitted: 0 },
  ...{ ingestLossPercent: 5, simulateMaxS: 3 },
}

/**
 * `--part live`: linkages that fire while messages stream in, from the commit of a reading to its order, and what they cost ingest in pairs;
 * `--part simulate`: a replay of 30 days. Default: both. `--linkages`, `--firings`, `--seconds`, `--rate` (messages a second), `--pairs`,
 * `--pairSeconds`; `--pairs 0` and `--firings 0` leave either out.
 */
export async function linkage(options: Record<string, number>, part: string): Promise<void> {
  const { linkages = 5_000, seconds = 60, rate = 5_000, pairs = 10, pairSeconds = 6 } = options
  const { firings = Math.ceil(linkages / 5) } = options
  const figures: Readonly<Record<string, unknown>> = {
    ...(part !== 'simulate' && (await linkagesLive({ linkages, firings, seconds, rate, pairs, pairSeconds }))),
    ...(part !== 'live' && (await simulated(options))),
  }
  const isKept = ([name, most]: [string, number]) => {
    const figure = figures[name]
    return figure === undefined || (typeof figure === 'number' && figure <= most)
  }
  report('linkage', { ...figures, targets, verdict: Object.entries(targets).every(isKept) })
}
