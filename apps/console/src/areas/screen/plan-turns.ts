import type { PlanWindow, TurnPage } from '@linewarden/rules/screen'

const keyOf = (at: number): string => `page ${at + 1}`

/** The windows of a plan as they take turns. */
export const planTurns = (windows: readonly PlanWindow[], abnormal: ReadonlySet<number>): readonly TurnPage[] =>
  windows.map(({ page, lines }, at) => ({
    key: keyOf(at),
    isEmpty: page.lines.length + page.tiles.length === 0,
    isAbnormal: [...lines].some((lineId) => abnormal.has(lineId)),
  }))

/** Where a line is drawn; null: nowhere. */
export function pageOfLine(windows: readonly PlanWindow[], lineId: number | null): string | null {
  const at = windows.findIndex(({ lines }) => lineId !== null && lines.has(lineId))
  return at < 0 ? null : keyOf(at)
}
