import type { LineState } from '@linewarden/contract'
import { severityRank } from '@linewarden/rules/alarm'
import { freshForMs, tagsInForce } from '@linewarden/rules/control'
import type { PlantLine } from './plant.ts'
import { linkOfDevice, pendingOf } from './plant.ts'

/** A line's last reported state as the API and the live socket show it. */
export function lineState(line: PlantLine): LineState {
  const { family } = line.device
  const pending = pendingOf(line)
  return {
    LineID: line.id,
    At: line.liveAt,
    ReceivedAt: line.liveReceivedAt,
    Quality: qualityOf(line),
    Values: family.points.map((point) => {
      const value = line.values[point.slot] ?? Number.NaN
      return Number.isNaN(value) ? null : rounded(value, point.precision + 1)
    }),
    States: Object.fromEntries(family.states.map(({ key }) => [key, line.states.get(key) ?? null])),
    PositionAt: line.positionAt,
    PositionSince: line.positionSince,
    Active: [...line.alarms.values()]
      .sort((a, b) => severityRank(a.priority) - severityRank(b.priority))
      .map(({ eventId, key, kind, priority, point }) => ({
        EventID: eventId,
        Key: key,
        Kind: kind,
        Priority: priority,
        Point: point,
      })),
    Tags: tagsInForce(line).length,
    Pending: pending && { CommandID: pending.commandId, Action: pending.action },
  }
}

function qualityOf(line: PlantLine): LineState['Quality'] {
  if (line.liveAt === null) return 'missing'
  if (linkOfDevice(line.device).link !== 'online') return 'stale'
  return line.clockGood ? 'good' : 'clock'
}

/** Without the detour over text, which costs a tenth of a second for every 10,000 lines. */
function rounded(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}

/** Whether what it reported last says how it is now: its equipment is there, and the values are no older than closing would allow. */
export const isOfNow = ({ device, liveReceivedAt }: Pick<PlantLine, 'device' | 'liveReceivedAt'>, now: number): boolean =>
  liveReceivedAt !== null && now - liveReceivedAt <= freshForMs && linkOfDevice(device).link === 'online'

/** Whether the position of a line was reported since it was invalidated last. */
export interface PositionValidity {
  hasValidPosition(line: PlantLine): boolean
}

/** Where a line stands now; null: not known, whatever it reported last. */
export const positionNow = (validity: PositionValidity, line: PlantLine, now: number): string | null =>
  isOfNow(line, now) && validity.hasValidPosition(line) ? (line.states.get('position') ?? null) : null
