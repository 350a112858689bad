import type { Reply, warningDetails } from '@linewarden/contract'
import { dayNumber } from './amount.ts'
import type { ContactFacts, ContactPhase } from './charts/contact-picture.ts'
import type { TrendFacts } from './charts/trend-picture.ts'

type Contact = Pick<NonNullable<Reply<typeof warningDetails>['Contact']>, 'Phases' | 'RatedA' | 'Load' | 'ToLimit'>

/** Which conductor a terminal belongs to, by its place: those of the phases in their order, then the neutral's. */
export function phaseOf(phases: number, index: number): ContactPhase {
  const names: readonly ContactPhase[] = phases === 2 ? ['a', 'n'] : ['a', 'b', 'c', 'n']
  return names[index] ?? 'n'
}

/** What the picture of a contact is drawn from; null: it could not be fitted any more, so there is nothing to draw. */
export function contactFacts(contact: Contact, point: string | null): ContactFacts | null {
  const { Phases, RatedA, Load } = contact
  const own = Phases.findIndex(({ Point }) => Point === point)
  const fit = Phases[own]
  if (!fit || fit.ExcessK === null || fit.RiseK === null || Load === null) return null
  const days = Phases.flatMap(({ Hours }) => Hours.map(({ Day }) => dayNumber(Day)))
  const today = Math.max(...days)
  return {
    hours: Phases.flatMap(({ Hours }, index) =>
      Hours.map(({ Day, X, Y }) => ({
        phase: phaseOf(Phases.length, index),
        load: X,
        riseK: Y,
        age: today - dayNumber(Day),
      })),
    ),
    phase: phaseOf(Phases.length, own),
    ratedA: RatedA,
    othersK: fit.RiseK,
    excessK: fit.ExcessK,
    usualLoad: Load,
  }
}

/** The excess at the usual peak, day by day, towards the limit. */
export function contactTrend(contact: Contact, point: string | null, limitK: number): TrendFacts | null {
  const daily = contact.Phases.find(({ Point }) => Point === point)?.Daily ?? []
  if (daily.every(({ AtPeakK }) => AtPeakK === null)) return null
  const { ToLimit } = contact
  return {
    days: daily.map(({ Day, AtPeakK }) => ({ day: dayNumber(Day), value: AtPeakK })),
    unit: 'K',
    limits: [{ kind: 'warning', value: limitK }],
    baseline: null,
    spread: null,
    forecast: ToLimit && ToLimit.Hi > 0 ? { lo: ToLimit.Lo, mid: ToLimit.Mid, hi: ToLimit.Hi, limit: limitK } : null,
  }
}
