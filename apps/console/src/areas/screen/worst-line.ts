import { byAlarmKind } from '@linewarden/rules/alarm'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf, severityOf } from '../../plant/line-condition.ts'
import type { LiveStore } from '../../plant/live-store.ts'

const rank = byAlarmKind((kind) => ({ alarm: 3, fault: 2, warning: 1 })[kind])

/** The lines of a device, the one that stands worst first; else in their order. */
export const worstFirst = (lines: readonly LineRef[], live: LiveStore): readonly LineRef[] =>
  lines.toSorted((one, other) => rankOf(other, live) - rankOf(one, live))

function rankOf({ line, device, family }: LineRef, live: LiveStore): number {
  const state = live.line(line.LineID)
  const condition = conditionOf(state, (live.deviceLink(device.ControllerID) ?? device.Link).Link, family)
  const severity = severityOf(state)
  return Math.max(severity === null ? 0 : rank[severity], condition === 'tripped' ? 3 : condition === 'unknown' ? 2 : 0)
}
