import type { Text } from '@linewarden/equipment'
import type { HealthCategory, HealthItem, HealthMend } from './categories.ts'
import type { HealthFacts } from './facts.ts'

/** What one check cost; its category is the check's, and its key, with `part` where it cost several times. */
export type Deduction = Omit<HealthItem, 'key' | 'category' | 'gain'> & { readonly part?: string }

/** `notApplicable`: the equipment has nothing of the kind. `notExamined`: it has, and nothing is known of it. */
export type CheckOutcome = 'notApplicable' | 'notExamined' | readonly Deduction[]

/** One thing that is looked at. */
export interface HealthCheck {
  readonly key: string
  readonly category: HealthCategory
  /** What was not examined, where it was not. */
  readonly label: Text
  of(facts: HealthFacts, now: number): CheckOutcome
}

/** A share of steps: the first that a value reaches says what it costs. */
export interface Step {
  readonly from: number
  readonly deduct: number
}

/** The worst step that a value lies above. `atLeast`: or just reaches. */
export const stepOf = (steps: readonly Step[], value: number, atLeast = false): Step | null =>
  steps.findLast(({ from }) => (atLeast ? value >= from : value > from)) ?? null

export const ours: Text = { zh: '本平台设定', en: 'Ours' }

/** A deduction without a figure of its own. */
export const plain = (deduct: number, text: Text, mend: HealthMend, source: Text = ours): Deduction => ({
  ...{ deduct, value: null, limit: null, unit: '', text, source, mend },
})

/** A figure as people read it, without digits that say nothing. */
export const shownFigure = (value: number, digits = 1): string => String(Number(value.toFixed(digits)))
