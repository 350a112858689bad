import type { CommandState } from '../control/command.ts'
import { isFinal, isUnderWay, verifyGraceMs } from '../control/command.ts'
import { clockToleranceMs } from '../quality.ts'

/** One order to set something, and its life so far. It lives as a command does; what proves it is the setting as the equipment reports it. */
export interface SettingLife {
  readonly wanted: Readonly<Record<string, number>>
  /** Keys that were read back since it was sent. */
  readonly proven: readonly string[]
  readonly state: CommandState
  /** Why it was refused or failed. */
  readonly outcome: string | null
  readonly issuedAt: number
  readonly deadline: number
  readonly sentAt: number | null
  readonly acknowledgedAt: number | null
  readonly verifiedAt: number | null
  readonly endedAt: number | null
}

export type SettingFact =
  | { readonly kind: 'sent'; readonly at: number }
  /** It will never be sent. */
  | { readonly kind: 'notSent'; readonly at: number; readonly reason: string }
  | { readonly kind: 'result'; readonly status: 'accepted' | 'refused'; readonly reason: string | null; readonly at: number }
  /** A live report of one setting; `deviceAt` is device time, `at` when it was received. */
  | {
      readonly kind: 'readBack'
      readonly key: string
      readonly value: number
      readonly deviceAt: number
      readonly at: number
    }
  | { readonly kind: 'tick'; readonly at: number }
  /** The server was away: what it had not marked as sent was never sent. */
  | { readonly kind: 'restart'; readonly at: number }

/** How long the equipment may act on it (ours). Later it must refuse. */
export const settingDeadlineMs = 10_000

/** Whether two values of a setting are one: some equipment reports single precision. */
export const sameSetting = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(1, Math.abs(a), Math.abs(b)) * 1e-6

/** What a fact makes of a change; the same object when nothing changes. Only a read-back of every key verifies it. */
export function foldSetting<L extends SettingLife>(change: L, fact: SettingFact): L {
  if (isFinal(change.state)) return change
  switch (fact.kind) {
    case 'sent':
      return change.state === 'authorised' ? { ...change, state: 'sent', sentAt: fact.at } : change
    case 'notSent':
      return change.state === 'authorised' ? ended(change, 'expired', fact.reason, fact.at) : change
    case 'result':
      return onResult(change, fact)
    case 'readBack':
      return onReadBack(change, fact)
    case 'tick':
      return onTick(change, fact.at)
    case 'restart':
      if (change.state === 'authorised') return ended(change, 'expired', 'server_restarted', fact.at)
      return isUnderWay(change.state) ? { ...change, state: 'unknown', outcome: 'server_restarted' } : change
  }
}

function onResult<L extends SettingLife>(change: L, fact: SettingFact & { kind: 'result' }): L {
  if (change.sentAt === null) return change
  // A seen id means that it was taken before: that is no refusal of the change itself.
  if (fact.status === 'refused') return fact.reason === 'seen_id' ? change : ended(change, 'refused', fact.reason, fact.at)
  return change.state === 'sent' ? { ...change, state: 'acknowledged', acknowledgedAt: fact.at } : change
}

function onReadBack<L extends SettingLife>(change: L, fact: SettingFact & { kind: 'readBack' }): L {
  const { sentAt, wanted, proven } = change
  const value = wanted[fact.key]
  if (value === undefined || sentAt === null || fact.at < sentAt || fact.deviceAt < sentAt - clockToleranceMs) return change
  const others = proven.filter((key) => key !== fact.key)
  if (sameSetting(fact.value, value)) {
    const all = [...others, fact.key]
    if (Object.keys(wanted).every((key) => all.includes(key)))
      return { ...ended(change, 'verified', null, fact.at), proven: all, verifiedAt: fact.at }
    return proven.length === all.length ? change : { ...change, proven: all }
  }
  // Read before the deadline it may still have been on its way; after it, another value says that nothing happened.
  if (change.state === 'unknown' && fact.deviceAt > change.deadline)
    return { ...ended(change, 'failed', 'not_done', fact.at), proven: others }
  return others.length === proven.length ? change : { ...change, proven: others }
}

function onTick<L extends SettingLife>(change: L, at: number): L {
  if (change.state === 'unknown') return change
  if (change.state === 'authorised') return at > change.deadline ? ended(change, 'expired', 'deadline_passed', at) : change
  return at > change.deadline + verifyGraceMs ? { ...change, state: 'unknown', outcome: 'no_answer' } : change
}

const ended = <L extends SettingLife>(change: L, state: CommandState, outcome: string | null, endedAt: number): L => ({
  ...change,
  state,
  outcome,
  endedAt,
})
