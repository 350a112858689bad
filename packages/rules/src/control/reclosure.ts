import type { Text } from '@linewarden/equipment'

/** domain.md "Operating equipment safely": at most three tries, at 10, 60 and 300 s, only above 30 mA. */
export const maxReclosures = 3
export const reclosureDelaysS = [10, 60, 300] as const
export const reclosureAboveMa = 30
/** A line that stayed closed this long after a try has recovered: the next trip counts from the beginning (ours). */
export const reclosureResetMs = 600_000

/**
 * Trips after which a line may close by itself: disturbances of the supply that pass. Leakage too, but only with its cause recorded, which
 * the permit demands. Never after overload, short circuit, arc, or a person's trip.
 */
const reclosable: ReadonlySet<string> = new Set(['leakage', 'overvoltage', 'undervoltage'])

export const mayReclose = (cause: string | null): boolean => cause !== null && reclosable.has(cause)

/** Trips that a person made, at the device or from afar. */
const persons: ReadonlySet<string> = new Set(['manual', 'remote'])

export interface ReclosureFacts {
  /** The residual current at which the line trips, IDn in mA; null when it is not known, `absent` when it senses none. */
  readonly residualMa: number | null | 'absent'
  readonly switches: boolean
}

/** One rule of the policy, kept or broken, in words. */
export interface ReclosureRule {
  readonly key: 'switches' | 'residual' | 'tries' | 'delays'
  readonly met: boolean
  readonly what: Text
  readonly why: Text | null
}

/** Whether a line may close by itself with these delays in seconds; every rule at once. */
export function reclosurePolicy(delaysS: readonly number[], facts: ReclosureFacts): readonly ReclosureRule[] {
  const { residualMa, switches } = facts
  return [
    rule(
      'switches',
      switches,
      text('可远程合闸', 'The line can be closed remotely'),
      text('该设备不能远程合闸', 'This equipment cannot be closed remotely'),
    ),
    rule(
      'residual',
      residualMa === 'absent' || (residualMa !== null && residualMa > reclosureAboveMa),
      text('剩余动作电流大于 30 mA', 'Residual operating current above 30 mA'),
      residualMa === null
        ? text('设备未上报剩余动作电流', 'Residual operating current not reported')
        : text(
            `剩余动作电流 ${residualMa} mA 用于人身防护，不允许自动重合闸`,
            `${residualMa} mA protects people: auto-reclose is not allowed`,
          ),
    ),
    rule(
      'tries',
      delaysS.length >= 1 && delaysS.length <= maxReclosures,
      text('重合闸 1 至 3 次', 'One to three attempts'),
      text(`设置了 ${delaysS.length} 次`, `${delaysS.length} attempts are set`),
    ),
    rule(
      'delays',
      delaysS.every((delay, index) => delay >= (reclosureDelaysS[index] ?? Number.POSITIVE_INFINITY)),
      text('间隔不短于 10、60、300 秒', 'Delays of at least 10, 60 and 300 s'),
      text(`间隔 ${delaysS.join('、')} 秒过短`, `${delaysS.join(', ')} s is too short`),
    ),
  ]
}

const text = (zh: string, en: string): Text => ({ zh, en })

const rule = (key: ReclosureRule['key'], met: boolean, what: Text, why: Text): ReclosureRule => ({
  key,
  met,
  what,
  why: met ? null : why,
})

/** Where a line stands with its tries. */
export interface Reclosing {
  /** Tries since it last stayed closed. */
  readonly attempts: number
  /** When the next try is due, Unix ms; null: none is. */
  readonly nextAt: number | null
  readonly lockedOutAt: number | null
  /** Null while it is not locked out. */
  readonly lockedOutWhy: LockOut | null
}

/** Why a line closes by itself no more, until somebody closes it or sets it anew. */
export type LockOut = 'tries_used' | 'person_tripped' | 'outcome_unknown' | 'policy_broken'

export const notReclosing: Reclosing = { attempts: 0, nextAt: null, lockedOutAt: null, lockedOutWhy: null }

export const lockedOut = (before: Reclosing, why: LockOut, at: number): Reclosing => ({
  ...before,
  nextAt: null,
  lockedOutAt: at,
  lockedOutWhy: why,
})

/** What a reported trip makes of it: the next try, or locked out after the last. Any other trip ends the tries. */
export function afterTrip(before: Reclosing, cause: string | null, delaysS: readonly number[], at: number): Reclosing {
  if (before.lockedOutAt !== null) return before
  return mayReclose(cause) ? afterFailedTry(before, delaysS, at) : notReclosing
}

/** Somebody ordered a trip between the tries: the line stays open, whatever becomes of that order, until somebody closes it. */
export const afterOrderedTrip = (before: Reclosing, at: number): Reclosing =>
  before.attempts === 0 || before.lockedOutAt !== null ? before : lockedOut(before, 'person_tripped', at)

/** The cause of an opening for which a try is counted turns out to be another one; null: it changes nothing. */
export function afterCorrection(before: Reclosing, cause: string, at: number): Reclosing | null {
  if (mayReclose(cause)) return null
  return persons.has(cause) ? afterOrderedTrip(before, at) : notReclosing
}

/** A try that came to nothing is a try: the next one follows, or the lock-out. */
export function afterFailedTry(before: Reclosing, delaysS: readonly number[], at: number): Reclosing {
  if (before.lockedOutAt !== null) return before
  const delay = delaysS[before.attempts]
  return delay === undefined
    ? lockedOut(before, 'tries_used', at)
    : { ...notReclosing, attempts: before.attempts + 1, nextAt: at + delay * 1_000 }
}
