import { createHash } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { parseDate } from '@linewarden/rules/automation'
import type { CivilPeriod, Engine2Result } from '@linewarden/rules/energy'
import { canonicalJson, currentEngine, knownHundredths, statementEngines, statementNumber } from '@linewarden/rules/energy'
import { Semaphore } from '../../lib/serial.ts'
import type { Database } from '../../store/core/database.ts'
import type { StatementHead } from '../../store/energy/schema.ts'
import type { Frozen, StatementRow } from '../../store/energy/statement.ts'
import { loggedHashes } from '../../store/energy/statement-check.ts'
import type { StatementInputs } from './statement-inputs.ts'

/** What a statement is, byte for byte. */
export interface Snapshot {
  readonly engine: number
  readonly number: string
  readonly issuedAt: number
  readonly issuer: string
  /** The number of the one that it corrects, and why. */
  readonly corrects: { readonly number: string; readonly reason: string } | null
  /** Why it was issued although not all of it was known. */
  readonly estimates: { readonly issuer: string; readonly reason: string } | null
  readonly inputs: StatementInputs
  readonly result: Engine2Result
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const turns = new Semaphore(1)

/** Of fifty lines it takes a tenth of a second of the one thread: one after the other, with whatever else waits in between. */
export const inItsTurn = <T>(work: () => T): Promise<T> =>
  turns.run(async () => {
    await othersFirst()
    return work()
  })

/** What the inputs come to by an engine. */
export function reckon(inputs: StatementInputs, engine = currentEngine): Engine2Result {
  const run = statementEngines.get(engine)
  if (!run) throw new Error(`there is no engine ${engine} of statements`)
  return run(inputs)
}

interface Issued extends Omit<Snapshot, 'engine' | 'number'> {
  readonly projectNumber: string
  readonly nth: number
}

/** Freezes a statement under its number. */
export function freeze({ projectNumber, nth, ...issued }: Issued): Frozen {
  const { inputs } = issued
  const number = statementNumber({ id: inputs.project.id, number: projectNumber }, inputs.month, nth)
  const snapshot: Snapshot = { engine: currentEngine, number, ...issued }
  const canonical = canonicalJson(snapshot)
  return { number, engine: currentEngine, canonical, sha256: sha256(canonical), head: JSON.stringify(headOf(snapshot)) }
}

function headOf({ inputs, result, corrects, estimates }: Snapshot): StatementHead {
  const bands = new Map<string, number>()
  for (const part of result.parts) for (const { band, wh } of part.bands) bands.set(band, (bands.get(band) ?? 0) + wh)
  return {
    ...{ supply: inputs.supply.name, accountNo: inputs.supply.accountNo, billedWh: result.billedWh },
    bands: [...bands].map(([key, wh]) => ({ key, wh })),
    ...{ maxW: result.max.w, cosHundredths: inputs.cosHundredths, total: result.total ?? '', currency: inputs.currency ?? '' },
    billed: billedDays(inputs),
    ...{ knownHundredths: knownHundredths(result), isEstimated: estimates !== null, replaces: corrects?.number ?? null },
    reported: inputs.members.map(({ lineId, sign, wh }) => ({
      ...{ lineId, sign, wh: wh.reduce<number>((sum, each) => sum + (each ?? 0), 0) },
    })),
  }
}

function billedDays({ days }: StatementInputs): CivilPeriod {
  const first = parseDate(days[0]?.date ?? '') ?? 0
  return { first, end: first + days.length }
}

type Kept = Pick<StatementRow, 'number' | 'canonical' | 'sha256' | 'engine' | 'head'>

/**
 * Reckons a frozen statement again, and compares each byte, its hash with that in the log, and what lists show of it; a text that is none of ours is
 * not equal.
 */
export async function isAsIssued(database: Pick<Database, 'general'>, row: Kept): Promise<boolean> {
  const logged = await loggedHashes(database, row.number)
  if (!logged.includes(row.sha256)) return false
  return inItsTurn(() => isSame(row))
}

function isSame(row: Kept): boolean {
  if (sha256(row.canonical) !== row.sha256) return false
  try {
    const snapshot: Snapshot = JSON.parse(row.canonical)
    if (snapshot.engine !== row.engine || snapshot.number !== row.number) return false
    const again = { ...snapshot, result: reckon(snapshot.inputs, row.engine) }
    return canonicalJson(again) === row.canonical && canonicalJson(headOf(again)) === canonicalJson(row.head)
  } catch {
    return false
  }
}
