import type { LineState } from '@linewarden/contract'
import type { LineShape, Liveness, NodePower } from '@linewarden/rules/screen'
import { busOfLine, conductorWidth } from '@linewarden/rules/screen'
import type { TFunction } from 'i18next'
import { deviceOnWall, lineDrawer } from '../../paths.ts'
import { conditionText } from '../../plant/condition-text.ts'
import type { LineRef } from '../../plant/equipment.ts'
import type { LineCondition } from '../../plant/line-condition.ts'
import { live } from '../../plant/live-store.ts'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import type { LineLook } from './diagram-line.tsx'
import { currentOf, readingOf } from './plant-state.ts'
import type { Plant } from './use-plant.ts'

export type T = TFunction<['monitor', 'app', 'screen']>

/** A line that stands in a list, and not in a picture. */
export const unplaced = (lineId: number): LineShape => ({
  ...{ lineId, x: 0, top: 0, bottom: 0, role: 'load' },
  label: { x: 0, y: 0, width: 0, height: 0 },
})

/** What a placed line shows now. */
export function lookOf(placed: LineShape, plant: Plant, t: T): LineLook {
  const lineRef = plant.byId.get(placed.lineId)
  const present = plant.present.lines.get(placed.lineId)
  const state = live.line(placed.lineId)
  const isOld = present === undefined || present.isOld || present.condition === 'offline'
  const power = plant.power.get(placed.lineId)
  const amperes = isOld ? null : currentOf(state, lineRef?.family ?? null)
  const bus = plant.graph.hangsOn.get(placed.lineId)
  const condition = plant.graph.withoutSwitch.has(placed.lineId) ? null : (present?.condition ?? 'unknown')
  const tag = (state?.Tags ?? 0) > 0 ? t('monitor:tagged') : null
  const current = amperes === null ? '' : `${figure(amperes, amperes < 10 ? 1 : 0)} A`
  return {
    ...{ placed, condition, isOld, current },
    name: lineRef?.line.LineName ?? '',
    severity: present?.severity ?? null,
    above: stateAt(plant, bus),
    below: stateAt(plant, busOfLine(placed.lineId)),
    width: conductorWidth(amperes, lineRef?.line.RatedCurrentA ?? null),
    ...{ figure: powerText(power), unit: 'kW' },
    state: condition === null ? '' : conditionText(condition, t),
    isTagged: tag !== null,
    // A lock-out tag is said before anything else is.
    note: [tag, noteOf(state, lineRef, condition, t)].filter(Boolean).join(' · ') || current,
    disagrees:
      bus !== undefined && plant.present.disagrees.has(bus) ? [tag, t('screen:disagrees')].filter(Boolean).join(' · ') : '',
    href: lineRef ? lineDrawer(lineRef.project.HouseID, placed.lineId) : '',
    device: lineRef ? deviceOnWall(lineRef.device.ControllerID, lineRef.project.HouseID, placed.lineId) : '',
  }
}

const stateAt = ({ present }: Plant, bus: Parameters<Plant['present']['of']['get']>[0] | undefined): Liveness =>
  (bus && present.of.get(bus)) ?? 'unknown'

/** With what it is made of: its own meter’s, a sum, or a sum of which a part is not known. */
export function powerText(power: NodePower | undefined): string {
  if (power?.kw == null) return '–'
  const text = figure(power.kw, Math.abs(power.kw) < 1_000 ? 1 : 0)
  return { own: text, sum: `Σ ${text}`, least: `≥ ${text}` }[power.how]
}

/** What is to be known of it before anything else; null: nothing. */
function noteOf(
  state: LineState | undefined,
  lineRef: LineRef | undefined,
  condition: LineCondition | null,
  t: T,
): string | null {
  const family = lineRef?.family ?? null
  if (condition === 'offline') return lastKnown(state, t)
  if (condition === 'unknown') return t('screen:positionUnknown')
  const worst = state?.Active[0]
  const alarm = worst && family?.alarms.find(({ key }) => key === worst.Key)
  if (condition === 'tripped') return [causeOf(state, lineRef), measured(state, lineRef, worst?.Point)].filter(Boolean).join(' ')
  if (alarm) return [localised(alarm.label), measured(state, lineRef, worst?.Point)].filter(Boolean).join(' ')
  if (condition !== null && condition !== 'closed') return conditionText(condition, t)
  const amperes = currentOf(state, family)
  if (amperes !== null && amperes < 0) return t('screen:exporting')
  return null
}

const lastKnown = (state: LineState | undefined, t: T): string => {
  const position = state?.States.position
  return position === 'open' || position === 'closed'
    ? t('screen:lastWas', { state: t(`monitor:${position}`) })
    : t('monitor:offline')
}

export function causeOf(state: LineState | undefined, lineRef: LineRef | undefined): string {
  const cause = lineRef?.family?.states
    .find(({ key }) => key === 'trip.cause')
    ?.values.find(({ key }) => key === state?.States['trip.cause'])
  return cause ? localised(cause.label) : ''
}

function measured(state: LineState | undefined, lineRef: LineRef | undefined, key: string | null | undefined): string {
  const point = key == null ? undefined : lineRef?.family?.points.find((each) => each.key === key)
  const value = point && readingOf(state, lineRef?.family ?? null, point.key)
  return point && value != null ? `${figure(value, point.precision)} ${point.unit}` : ''
}

/** So many lines stand like this, in the order of the legend. */
export const counted = ['closed', 'open', 'tripped', 'unknown', 'offline'] as const

export function countsOf({ lines, present, graph }: Plant): Readonly<Record<(typeof counted)[number], number>> {
  const counts = { closed: 0, open: 0, tripped: 0, unknown: 0, offline: 0 }
  for (const { line } of lines) {
    if (graph.withoutSwitch.has(line.LineID)) continue
    const condition = present.lines.get(line.LineID)?.condition ?? 'unknown'
    if (condition === 'opening') counts.closed += 1
    else if (condition === 'closing') counts.open += 1
    else if (condition in counts) counts[condition as keyof typeof counts] += 1
  }
  return counts
}
