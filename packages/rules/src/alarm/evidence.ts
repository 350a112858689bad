import type { Priority } from '@linewarden/equipment'

/** What is copied of a line around the moment it raised an alarm. */
export const evidenceBeforeMs = 60_000
export const evidenceAfterMs = 60_000
/** Equipment needs a moment to report its last second. */
const arrivesMs = 5_000
/** One copy of a line serves whatever it raised within such a stretch. */
const stretchMs = 60_000
/** Values that are back-filled so long afterwards complete a copy. */
export const completedWithinMs = 24 * 60 * 60_000

/** When the minutes around an alarm are copied: after it was raised, when somebody opens it, or never. */
export const evidenceWhen = (priority: Priority): 'raised' | 'opened' | 'never' =>
  priority === 'critical' || priority === 'high' ? 'raised' : priority === 'medium' ? 'opened' : 'never'

/** The copy that serves what was raised at that moment of the equipment's clock: it begins at this minute. */
export const evidenceMinuteOf = (raisedAt: number): number => Math.floor(raisedAt / stretchMs) * stretchMs

/** What a copy spans, so that it has the minute before and after whatever was raised in its minute. The end is excluded. */
export const evidenceSpanOf = (minute: number): { readonly from: number; readonly to: number } => ({
  from: minute - evidenceBeforeMs,
  to: minute + stretchMs + evidenceAfterMs,
})

/** When the minute after an alarm that was stored then has been reported, on the server's clock. */
export const evidenceDueAt = (storedAt: number): number => storedAt + evidenceAfterMs + arrivesMs

/** `[device time in Unix ms, values, quality]`, oldest first. */
export type EvidenceSample = readonly [at: number, values: readonly (number | null)[], quality: number]

/** Samples as they are stored: column by column, times as differences, so that they compress well. */
export interface PackedSamples {
  readonly first: number
  readonly after: readonly number[]
  readonly columns: readonly (readonly (number | null)[])[]
  readonly quality: readonly number[]
}

export function packSamples(samples: readonly EvidenceSample[]): PackedSamples {
  const width = samples[0]?.[1].length ?? 0
  return {
    first: samples[0]?.[0] ?? 0,
    after: samples.map(([at], index) => at - (samples[index - 1]?.[0] ?? at)),
    columns: Array.from({ length: width }, (_, column) => samples.map(([, values]) => shortest(values[column] ?? null))),
    quality: samples.map(([, , quality]) => quality),
  }
}

export function unpackSamples({ first, after, columns, quality }: PackedSamples): readonly EvidenceSample[] {
  let at = first
  return after.map((later, index) => {
    at += later
    return [at, columns.map((column) => column[index] ?? null), quality[index] ?? 0]
  })
}

/** Readings are single precision: seven digits are all they have. */
const shortest = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(7)))

/** Whether there is a sample of a moment that the copy did not have: it was completed afterwards. */
export const isCompleted = (before: { readonly whole: boolean; readonly samples: number }, samples: number): boolean =>
  before.whole && samples > before.samples
