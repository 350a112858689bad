import type { Family, Text } from '@linewarden/equipment'
import { detectors } from '@linewarden/rules/warning'

type Kind = 'point' | 'state' | 'alarm' | 'link'

/** What a condition reads of a line, as people read it. */
export interface SourceWords {
  readonly label: Text
  /** Of a measured value; empty: it has none. */
  readonly unit: string
  readonly precision: number
  /** The words of its values by their number; null: it is a measured value. */
  readonly values: readonly Text[] | null
}

const open: readonly Text[] = [
  { zh: '未报警', en: 'not active' },
  { zh: '报警', en: 'active' },
]
const online: readonly Text[] = [
  { zh: '离线', en: 'offline' },
  { zh: '在线', en: 'online' },
]
const linkLabel: Text = { zh: '通信', en: 'Link' }
const raisedLabel: Text = { zh: '联动报警', en: 'Alarm raised by linkage' }

/** What this kind and key mean for equipment of a family; null: it has no such thing, or its family is not known here. */
export function sourceWords(family: Family | null, kind: Kind, key: string): SourceWords | null {
  if (kind === 'link') return { label: linkLabel, unit: '', precision: 0, values: online }
  if (kind === 'point') {
    const point = family?.points.find((each) => each.key === key)
    return point ? { label: point.label, unit: point.unit, precision: point.precision, values: null } : null
  }
  if (kind === 'state') {
    const state = family?.states.find((each) => each.key === key)
    return state ? { label: state.label, unit: '', precision: 0, values: state.values.map(({ label }) => label) } : null
  }
  const [alarmKey = '', point] = key.split('@')
  const label =
    family?.alarms.find((each) => each.key === alarmKey)?.label ??
    detectors.find((each) => each.key === alarmKey)?.label ??
    (alarmKey === 'linkage.raised' ? raisedLabel : null)
  if (!label) return null
  const of = family?.points.find((each) => each.key === point)?.label
  return {
    label: of ? { zh: `${label.zh}（${of.zh}）`, en: `${label.en} (${of.en})` } : label,
    unit: '',
    precision: 0,
    values: open,
  }
}

export interface SourceChoice extends SourceWords {
  readonly kind: Kind
  readonly key: string
}

/** Everything that a condition can read of equipment of a family, in the order in which a form offers it. */
export function sourceChoices(family: Family): readonly SourceChoice[] {
  const of = (kind: Kind, keys: readonly string[]) =>
    keys.flatMap((key) => {
      const words = sourceWords(family, kind, key)
      return words ? [{ kind, key, ...words }] : []
    })
  return [
    ...of(
      'point',
      family.points.map(({ key }) => key),
    ),
    ...of(
      'state',
      family.states.map(({ key }) => key),
    ),
    ...of(
      'alarm',
      family.alarms.map(({ key }) => key),
    ),
    ...of('link', ['link']),
  ]
}
