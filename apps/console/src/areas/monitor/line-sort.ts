import type { GatewayLink, LineState } from '@linewarden/contract'
import type { PlacedLine } from './equipment.ts'
import { conditionOf, severityOf } from './line-condition.ts'

/** By what the table is sorted; null: by gateway and line number. */
export interface Sort {
  /** `name`, `position`, `age`, `severity` or a point's key. */
  readonly key: string
  readonly down: boolean
}

interface States {
  line(id: number): LineState | undefined
  link(gatewayId: number): GatewayLink | undefined
}

/** Worst first, so that the first click shows what needs somebody. */
const positions = ['tripped', 'unknown', 'opening', 'closing', 'open', 'offline', 'alarmState', 'closed', 'normal']
const severities = ['alarm', 'fault', 'warning', null]

/** `-current.a` is phase A current, largest first. */
export function readSort(text: string | null): Sort | null {
  if (text === null || text === '' || text === '-') return null
  return text.startsWith('-') ? { key: text.slice(1), down: true } : { key: text, down: false }
}

/** What a click on a column's head makes of the sort: values begin with the largest, words with the first; a third click ends it. */
export function nextSort(before: Sort | null, key: string): string | null {
  const downFirst = key !== 'name' && key !== 'position' && key !== 'severity'
  if (before?.key !== key) return downFirst ? `-${key}` : key
  if (before.down === downFirst) return downFirst ? key : `-${key}`
  return null
}

/** The lines in the wanted order. What is missing comes last in both directions; equals stay as they were. */
export function sortedLines(lines: readonly PlacedLine[], sort: Sort | null, states: States): readonly PlacedLine[] {
  if (sort === null) return lines
  const sign = sort.down ? -1 : 1
  return lines
    .map((placed) => ({ placed, rank: rankOf(placed, sort.key, states) }))
    .sort((a, b) => {
      if (a.rank === null || b.rank === null) return a.rank === b.rank ? 0 : a.rank === null ? 1 : -1
      return (
        sign *
        (typeof a.rank === 'string' ? a.rank.localeCompare(String(b.rank), 'zh-CN', { numeric: true }) : a.rank - Number(b.rank))
      )
    })
    .map(({ placed }) => placed)
}

function rankOf({ line, gateway, family }: PlacedLine, key: string, states: States): number | string | null {
  if (key === 'name') return line.LineName
  const state = states.line(line.LineID)
  if (key === 'position') return positions.indexOf(conditionOf(state, states.link(gateway.DeviceID)?.Link, family))
  if (key === 'severity') return severities.indexOf(severityOf(state))
  if (key === 'age') return state?.ReceivedAt == null ? null : -state.ReceivedAt
  const index = family?.points.findIndex((point) => point.key === key) ?? -1
  return index < 0 ? null : (state?.Values[index] ?? null)
}
