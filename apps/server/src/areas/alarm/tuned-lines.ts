import type { Ingest } from '../../field/ingest.ts'
import { every } from '../../lib/every.ts'
import { Mutex } from '../../lib/serial.ts'
import { markOfTunings, tuningsInForce } from '../../store/alarm/tuning.ts'
import type { AlarmDeps } from './deps.ts'

/** What was tuned at another server is evaluated so here after this at most. */
const readEveryMs = 2_000

export type TunedLines = ReturnType<typeof createTunedLines>

/** How alarms of all lines are tuned, as the database has it: the plant takes it over, and what evaluates its values. */
export function createTunedLines({
  database,
  plant,
  ingest,
  log,
}: Pick<AlarmDeps, 'database' | 'plant' | 'log'> & { readonly ingest: Pick<Ingest, 'retune'> }) {
  const mutex = new Mutex()
  let known = ''
  /** One after the other: what was read first is never taken over last. */
  const read = () =>
    mutex.run(async () => {
      // The mark comes first: what is tuned between the two is read again.
      const mark = await markOfTunings(database)
      if (mark === known) return
      ingest.retune(plant.setTunings(await tuningsInForce(database)))
      known = mark
    })
  const loop = every(readEveryMs, read, {
    log,
    failed: 'how alarms are tuned was not read; tried again in two seconds',
    level: 'warn',
    unref: true,
  })
  return { read, close: () => loop.close() }
}
