import type { AlarmLimit, Family, LimitAlarm } from '@linewarden/equipment'
import { effectiveSetting } from '../settings/settings.ts'

/** What a line's limits depend on. */
export interface LimitSource {
  readonly family: Family
  readonly model: string
  readonly ratedCurrentA: number | null
  readonly reported: ReadonlyMap<string, number>
}

/** One limit of one point, ready to be evaluated. */
export interface CompiledLimit {
  readonly alarm: LimitAlarm
  readonly point: string
  readonly unit: string
  readonly slot: number
  /** 1: over is bad, -1: under is bad. Evaluated as `sign * value > sign * limit`. */
  readonly sign: 1 | -1
  readonly limit: number
  /** sign * limit, and the value the alarm may return at, both already signed. */
  readonly trigger: number
  readonly release: number
  readonly ignoreAtOrBelow: number
}

/** The value an alarm is raised at; null when it cannot be known, and then the alarm is not evaluated. */
export function limitOf(limit: AlarmLimit, source: LimitSource): number | null {
  if ('value' in limit) return limit.value
  const { setting: key, share } = limit
  const setting = source.family.settings.find((each) => each.key === key)
  if (!setting) return null
  const level = effectiveSetting(setting, source.reported.get(key) ?? null, source.model, source.ratedCurrentA)
  return level === null ? null : level * share
}

/** Every limit of a line, one entry per alarm and point. Made again when a setting or the rated current changes. */
export function compileLimits(source: LimitSource): readonly CompiledLimit[] {
  return source.family.alarms.flatMap((alarm) => {
    if (alarm.on !== 'limit') return []
    const limit = limitOf(alarm.limit, source)
    if (limit === null) return []
    return alarm.points.flatMap((key) => {
      const point = source.family.points.find((each) => each.key === key)
      if (!point) return []
      const sign = alarm.side === 'over' ? 1 : -1
      const trigger = sign * limit
      return [
        {
          alarm,
          point: key,
          unit: point.unit,
          slot: point.slot,
          sign,
          limit,
          trigger,
          release: trigger - Math.abs(limit) * alarm.deadBandShare,
          ignoreAtOrBelow: alarm.noSupplyShare === undefined ? Number.NEGATIVE_INFINITY : limit * alarm.noSupplyShare,
        } satisfies CompiledLimit,
      ]
    })
  })
}
