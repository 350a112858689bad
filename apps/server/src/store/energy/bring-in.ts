import type { RegisterReading } from '@linewarden/rules/energy'
import type pg from 'pg'
import { inTurn } from './due.ts'
import { storeRegisters } from './make-quarters.ts'

/** What the register of one line showed elsewhere, in the order of time. */
export interface RegistersBroughtIn {
  readonly lineId: number
  /** How often the line reports, ms. */
  readonly periodMs: number
  readonly ratedCurrentA: number | null
  readonly readings: readonly RegisterReading[]
}

/** Makes the quarters of lines that have none yet by what their registers showed, as if these readings had been taken and were gone since. */
export async function bringInQuarters(client: pg.ClientBase, lines: readonly RegistersBroughtIn[], now: number): Promise<void> {
  await inTurn(client, async () => {
    await storeRegisters(client, lines, now)
    return lines.length > 0
  })
}
