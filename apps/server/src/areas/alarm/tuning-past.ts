import { tuningDays } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Span, Tuned } from '@linewarden/rules/alarm'
import { limitWithTiming, replayLimit, spansToReplay } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { Reading } from '../../store/alarm/tuning.ts'
import { keptTuning, pastOfAlarm, readingsOf } from '../../store/alarm/tuning.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import type { AlarmDeps } from './deps.ts'
import type { Tunable } from './tunable.ts'
import { timingInForce } from './tunable.ts'

/** What is replayed at most of one alarm: some days of a value each second. Of more the newest counts. */
const maxReadings = 200_000
const maxSteps = 20_000
/** However much there is to be read, nobody waits longer for an offer; what was read until then counts. */
const maxReadingMs = 8_000

/** What the alarm did, and its readings around those times, as far as they are there and are not too many. */
export function createTuningPast({ database, clock }: Pick<AlarmDeps, 'database' | 'clock'>) {
  return pastOf

  async function pastOf(actor: Actor, { line, place, limit, shipped }: Tunable) {
    const to = clock()
    const since = to - tuningDays * dayMs
    const kept = await keptTuning(database, place)
    const { steps, actedAt } = await withRowSecurity(database, actor.scope, (db) => pastOfAlarm(db, place, since, maxSteps))
    const from = steps.length + actedAt.length >= maxSteps ? (steps[0]?.at ?? since) : since
    const periodMs = reportingPeriodOf(line.device)
    const read = await readNewest(actor, line.id, limit.slot, spansToReplay(steps, { from, to }, periodMs))
    const timing = timingInForce(limit, kept)
    const tuned: Tuned = {
      ...{ priority: limit.alarm.priority, timing, shipped },
      actedAt: actedAt.filter((at) => at >= (read.from ?? from)),
      replay: (tried) => read.spans.flatMap((readings) => replayLimit(limitWithTiming(limit, tried), readings)),
    }
    return { from: read.from ?? from, to, readings: read.count, tuned }
  }

  /** The newest first, day by day. `from`: where it was given up; null: all were read. */
  async function readNewest(actor: Actor, lineId: number, slot: number, spans: readonly Span[]) {
    const read = linesSeenBy(database, actor.scope, [lineId])
    const began = performance.now()
    const days: { readonly spans: readonly Span[]; readonly readings: readonly Reading[] }[] = []
    let left = maxReadings
    let from: number | null = null
    for (const own of daysOf(spans).reverse()) {
      if (left === 0 || performance.now() - began > maxReadingMs) {
        from ??= days.at(-1)?.spans[0]?.from ?? null
        break
      }
      const readings = await read((db) => readingsOf(db, { lineId, slot }, own, left))
      if (readings.length === left) from = readings[0]?.[0] ?? null
      left -= readings.length
      days.push({ spans: own, readings })
    }
    const all = days.reverse().flatMap(({ readings }) => readings)
    return { from, count: all.length, spans: splitBy(all, spans) }
  }
}

/** Cut where days end, because readings lie so. */
function daysOf(spans: readonly Span[]): Span[][] {
  const days = new Map<number, Span[]>()
  for (const { from, to } of spans)
    for (let at = from; at < to; ) {
      const day = Math.floor(at / dayMs)
      const end = Math.min(to, (day + 1) * dayMs)
      const own = days.get(day) ?? []
      days.set(day, own)
      own.push({ from: at, to: end })
      at = end
    }
  return [...days.values()]
}

/** By the times that they were read for: between two of these nothing is known, so each is replayed by itself. */
function splitBy(readings: readonly Reading[], spans: readonly Span[]): readonly (readonly Reading[])[] {
  let next = 0
  return spans.flatMap(({ to }) => {
    const first = next
    while (next < readings.length && (readings[next]?.[0] ?? to) < to) next++
    return next > first ? [readings.slice(first, next)] : []
  })
}
