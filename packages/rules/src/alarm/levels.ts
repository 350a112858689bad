import type { AlarmKind, Family, Text } from '@linewarden/equipment'

/** A level that values are read against. */
export interface Level {
  readonly key: string
  readonly label: Text
  readonly kind: AlarmKind
  readonly points: readonly string[]
  readonly side: 'over' | 'under'
  readonly value: number
  /** Fixed in the equipment: nobody sets it. */
  readonly fixed?: true
}

/**
 * The levels a person reads a family's values against: those its alarms are raised at, and the whole setting where the alarms are only
 * shares of it (half of a gas limit warns; the limit itself is the detector's own business, and what people ask for). `effective` says
 * what is set; a level that is not known is left out.
 */
export function levelsOf(family: Family, effective: (key: string) => number | null): readonly Level[] {
  const levels: Level[] = []
  const whole = new Set(
    family.alarms.flatMap((alarm) =>
      alarm.on === 'limit' && 'setting' in alarm.limit && alarm.limit.share === 1 ? [alarm.limit.setting] : [],
    ),
  )
  for (const alarm of family.alarms) {
    if (alarm.on !== 'limit') continue
    const { limit, points, side, key, label, kind } = alarm
    const set = 'value' in limit ? limit.value : effective(limit.setting)
    if (set === null) continue
    levels.push({ key, label, kind, points, side, value: 'value' in limit ? set : set * limit.share })
    if ('value' in limit || whole.has(limit.setting)) continue
    whole.add(limit.setting)
    const setting = family.settings.find((each) => each.key === limit.setting)
    if (setting) levels.push({ key: setting.key, label: setting.label, kind: 'alarm', points, side, value: set })
  }
  // A detector that evaluates by itself: the setting is called as what it is about.
  for (const { key, label } of family.settings) {
    const value = effective(key)
    if (value === null || whole.has(key) || !family.points.some((point) => point.key === key)) continue
    levels.push({ key, label, kind: 'alarm', points: [key], side: 'over', value })
  }
  // And what is fixed in it.
  for (const alarm of family.alarms)
    if (alarm.on === 'state' && alarm.judges?.limit && 'value' in alarm.judges.limit) {
      const { key, label, kind, judges } = alarm
      levels.push({ key, label, kind, points: judges.points, side: 'over', value: alarm.judges.limit.value, fixed: true })
    }
  return levels
}

/** The level one point matters most against: of its alarms, else of its warnings, the one that is reached last of those that are set, else of the fixed ones; an upper one first. */
export function levelOfPoint(levels: readonly Level[], point: string): Level | null {
  const own = levels.filter(({ points }) => points.includes(point))
  const [alarms, set] = [own.filter(({ kind }) => kind === 'alarm'), own.filter(({ kind, fixed }) => kind === 'alarm' && !fixed)]
  const wanted = set.length > 0 ? set : alarms.length > 0 ? alarms : own
  const over = wanted.filter(({ side }) => side === 'over').toSorted((a, b) => b.value - a.value)
  return over[0] ?? wanted.toSorted((a, b) => a.value - b.value)[0] ?? null
}
