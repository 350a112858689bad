import type { Life, LifeFact } from '../control/life.ts'
import { ended, foldLife, isFinal, isNewReport, reportsNotDone, verified } from '../control/life.ts'
import { clockToleranceMs, closeClockToleranceMs } from '../monitor/quality.ts'

/** One order to set something, and its life so far. It lives as a command does; what proves it is the setting as the equipment reports it. */
export interface SettingLife extends Life {
  readonly wanted: Readonly<Record<string, number>>
  /** Keys that were read back since it was sent. */
  readonly proven: readonly string[]
  /**
   * It was permitted only with a clock that is near, so its proof must be new, as that of a command. Not so the protection that comes back at
   * its expiry and the reporting interval: like a trip they are sent whatever the clock, and must still be provable.
   */
  readonly clockChecked: boolean
}

export type SettingFact =
  | LifeFact
  /** A live report of one setting; `deviceAt` is device time, `at` when it was received. */
  | {
      readonly kind: 'readBack'
      readonly key: string
      readonly value: number
      readonly deviceAt: number
      readonly at: number
    }

/** Whether two values of a setting are one: some equipment reports single precision. */
export const sameSetting = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(1, Math.abs(a), Math.abs(b)) * 1e-6

/** What a fact makes of a change; the same object when nothing changes. Only a read-back of every key verifies it. */
export function foldSetting<L extends SettingLife>(change: L, fact: SettingFact): L {
  if (isFinal(change.state)) return change
  return fact.kind === 'readBack' ? onReadBack(change, fact) : foldLife(change, fact)
}

function onReadBack<L extends SettingLife>(change: L, fact: SettingFact & { kind: 'readBack' }): L {
  const { wanted, proven, clockChecked } = change
  const value = wanted[fact.key]
  const slackMs = clockChecked ? closeClockToleranceMs : clockToleranceMs
  if (value === undefined || !isNewReport(change, fact, slackMs)) return change
  const others = proven.filter((key) => key !== fact.key)
  if (sameSetting(fact.value, value)) {
    const all = [...others, fact.key]
    if (Object.keys(wanted).every((key) => all.includes(key))) return { ...verified(change, null, fact.at), proven: all }
    return proven.length === all.length ? change : { ...change, proven: all }
  }
  if (reportsNotDone(change, fact)) return { ...ended(change, 'failed', 'not_done', fact.at), proven: others }
  return others.length === proven.length ? change : { ...change, proven: others }
}
