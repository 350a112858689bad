import { setImmediate as breath } from 'node:timers/promises'
import type { BoundedDue, DueBounds, ProjectTime, Schedule } from '@linewarden/rules/automation'
import { boundedDue, maxOccurrences } from '@linewarden/rules/automation'

/** So long one request works out what timers are due for; then it says how far it came. */
const maxMs = 2_000
/** Longer than this nothing else waits for it. */
const sliceMs = 10

export type DueReading = ReturnType<typeof dueReading>

/** What timers are due for, of one request: within bounds that all its questions share, and beside everything else that the server does. */
export function dueReading() {
  const began = performance.now()
  let left: number = maxOccurrences.ofRequest
  let cutAt: number | null = null
  const isOver = () => performance.now() - began > maxMs
  return {
    async of(schedules: readonly Schedule[], time: ProjectTime, from: number, to: number): Promise<BoundedDue> {
      const bounds: DueBounds = { ofTimer: maxOccurrences.ofTimer, ofRequest: left, isOver }
      const walk = boundedDue(schedules, time, from, to, bounds)
      let since = performance.now()
      for (;;) {
        const step = walk.next()
        if (step.done) {
          left -= step.value.due.reduce((sum, { length }) => sum + length, 0)
          if (step.value.cutAt !== null) cutAt = Math.min(cutAt ?? step.value.cutAt, step.value.cutAt)
          return step.value
        }
        if (performance.now() - since < sliceMs) continue
        await breath()
        since = performance.now()
      }
    },
    /** The earliest instant from on which something asked was left out; null: nothing was. */
    cutAt: () => cutAt,
  }
}
