import { useMemo, useRef } from 'react'
import type { LineRef } from '../../plant/equipment.ts'
import { conditionOf, severityOf } from '../../plant/line-condition.ts'
import { live, useLivePulse } from '../../plant/live-store.ts'
import { serverNow } from '../../ui/use-now.ts'
import { countedAs } from './counted-as.ts'
import { readSort, sortedLines } from './line-sort.ts'
import type { StripFilter } from './summary-strip.tsx'

/** Rows move at most this often: a table that jumps while it is read is worse than one that is a second behind. */
const settleMs = 2_000

/** The lines that pass the filter, in the wanted order. As long as neither changes, the very same list, so that nothing is drawn anew. */
export function useShownLines(lines: readonly LineRef[], filter: StripFilter | null, sort: string | null): readonly LineRef[] {
  const pulse = useLivePulse(settleMs)
  const last = useRef<readonly LineRef[]>([])
  return useMemo(() => {
    if (pulse < 0) return lines
    const passing = filter === null ? lines : lines.filter((each) => passes(each, filter))
    const shown = sortedLines(passing, readSort(sort), live)
    if (shown.length !== last.current.length || shown.some((each, index) => each !== last.current[index])) last.current = shown
    return last.current
  }, [lines, filter, sort, pulse])
}

function passes({ line, device, family }: LineRef, filter: StripFilter): boolean {
  const state = live.line(line.LineID)
  const link = live.deviceLink(device.ControllerID)?.Link
  const condition = countedAs(state, link, family, serverNow())
  if (filter === 'active') return (state?.Active.length ?? 0) > 0
  if (filter === 'tagged') return (state?.Tags ?? 0) > 0
  if (filter !== 'abnormal') return condition === filter
  return (
    severityOf(state) !== null ||
    condition === 'tripped' ||
    condition === 'offline' ||
    conditionOf(state, link, family) === 'unknown'
  )
}
