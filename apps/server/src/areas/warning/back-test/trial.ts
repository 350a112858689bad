import { setImmediate } from 'node:timers/promises'
import type { LineBackTest, NotEvaluatedReason, RuleInForce, WarningDetector } from '@linewarden/rules/warning'
import { appliesTo } from '@linewarden/rules/warning'
import type pg from 'pg'
import type { PlantLine } from '../../../plant/plant.ts'

/** One rule that is tried out. */
export type Trial = RuleInForce

/** What is tried out, and on what. */
export interface Tried {
  readonly client: pg.ClientBase
  readonly lines: readonly PlantLine[]
  readonly detector: WarningDetector
  readonly trials: readonly Trial[]
  /** Unix ms; the end is excluded. */
  readonly from: number
  readonly to: number
  readonly pace: Pace
}

/** What each trial would have raised, on the lines that it is for. */
export type TriedOut = readonly (readonly LineBackTest[])[]

export const isFor = (trial: Trial, { id, device }: PlantLine): boolean =>
  trial.enabled && appliesTo(trial, { lineId: id, family: device.family.key })

/** A line of which nothing can be said on any day. */
export const nothingOf = (lineId: number, reason: NotEvaluatedReason, days: number): LineBackTest => ({
  ...{ lineId, findings: [], evaluated: new Set() },
  reasons: new Map([[reason, days]]),
})

const restEveryMs = 10

/** Lets everybody else have a turn every few milliseconds, and ends what nobody waits for any more. */
export class Pace {
  readonly #gone: AbortSignal
  #began = performance.now()

  constructor(gone: AbortSignal) {
    this.#gone = gone
  }

  async rest(): Promise<void> {
    if (performance.now() - this.#began < restEveryMs) return
    await setImmediate()
    this.#gone.throwIfAborted()
    this.#began = performance.now()
  }
}
