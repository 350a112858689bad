import type { Setting } from '@linewarden/equipment'
import type { Link } from '../alarm/link.ts'
import type { Reach } from '../control/line-facts.ts'
import { bypassKind, isIneffective, offUntilGood } from './bypass-kind.ts'
import type { SettableLine, SettingProblem } from './check.ts'
import { settingProblems } from './check.ts'
import { effectiveSetting } from './settings.ts'

type Wanted = Readonly<Record<string, number>>

/** A line that settings are ordered of. */
export interface LineSettings extends SettableLine {
  /** Each setting as the equipment last reported it. */
  readonly reported: ReadonlyMap<string, number>
}

/** What is known of a line's settings beyond what it reports. */
export interface SettingsKnown {
  /** What is to be restored of protections that are bypassed already: it counts as what stands there. */
  readonly toRestore: ReadonlyMap<string, number>
  /** What an order with an unknown outcome may have set and the line has not reported since: what stands there is not known. */
  readonly unconfirmed: ReadonlySet<string>
}

/** A protection that an order bypasses, and the value that is restored at its expiry. */
export interface Bypass {
  readonly key: string
  readonly former: number
}

export type SettingOrderVerdict =
  | { readonly kind: 'valid'; readonly bypasses: readonly Bypass[] }
  | { readonly kind: 'invalid'; readonly problems: readonly SettingProblem[] }
  /** These protections would be bypassed, and no good expiry was given. */
  | { readonly kind: 'expiryMissing'; readonly bypasses: readonly Setting[] }
  /** Of one that would be bypassed no value is known that protects. */
  | { readonly kind: 'nothingToRestore' }

/** Whether settings may be ordered of a line: of its family, in range, and for a protection that is bypassed the time it is restored. */
export function validateOrder(
  line: LineSettings,
  { wanted, offUntil }: { readonly wanted: Wanted; readonly offUntil: number | null },
  { toRestore, unconfirmed }: SettingsKnown,
  now: number,
): SettingOrderVerdict {
  const problems = settingProblems(line, wanted)
  if (problems.length > 0) return { kind: 'invalid', problems }
  const bypassed = line.family.settings.filter((setting) => {
    const value = wanted[setting.key]
    const reported = unconfirmed.has(setting.key) ? null : (line.reported.get(setting.key) ?? null)
    const presentValue = toRestore.get(setting.key) ?? reported
    return value !== undefined && bypassKind(setting, value, { ...line, presentValue }) !== null
  })
  if (bypassed.length === 0) return { kind: 'valid', bypasses: [] }
  if (offUntil === null || !offUntilGood(offUntil, now)) return { kind: 'expiryMissing', bypasses: bypassed }
  const bypasses: Bypass[] = []
  for (const setting of bypassed) {
    const former = toRestore.get(setting.key) ?? formerOf(line, setting)
    if (former === null) return { kind: 'nothingToRestore' }
    bypasses.push({ key: setting.key, former })
  }
  return { kind: 'valid', bypasses }
}

/** What is restored at the expiry: as reported, or what the equipment is made with. Null: neither protects. */
function formerOf(line: LineSettings, setting: Setting): number | null {
  const protects = (value: number | null | undefined): value is number => value != null && !isIneffective(setting, value, line)
  const reported = line.reported.get(setting.key)
  if (protects(reported)) return reported
  const usual = effectiveSetting(setting, null, line.model, line.ratedCurrentA)
  return protects(usual) ? usual : null
}

/**
 * Whether an order that was permitted because a protection was weak already would bypass it now: somebody has set it in between, and nothing
 * would restore it. A bypass with an expiry has its former value kept, and may go.
 */
export function bypassesByNow(
  line: LineSettings,
  {
    wanted,
    former,
    offUntil,
  }: { readonly wanted: Wanted; readonly former: Readonly<Record<string, number | null>>; readonly offUntil: number | null },
): boolean {
  return line.family.settings.some((setting) => {
    const value = wanted[setting.key]
    const before = former[setting.key] ?? null
    const isRestored = offUntil !== null && !(before !== null && isIneffective(setting, before, line))
    const presentValue = line.reported.get(setting.key) ?? null
    return value !== undefined && !isRestored && bypassKind(setting, value, { ...line, presentValue }) !== null
  })
}

/** Nobody is there to hear an order. Equipment that a platform pushes for keeps no connection, and is refused as such. */
export const isUnreachable = ({ link, disabled }: { readonly link: Link; readonly disabled: boolean }, reach: Reach): boolean =>
  disabled || (link !== 'online' && reach !== 'push_only')
