import type { CommandRecord } from '@linewarden/contract'
import i18next from 'i18next'

/** The outcome of a command in words; null when there is nothing to add to its state. */
export function outcomeWord(outcome: string | null): string | null {
  if (outcome === null) return null
  return i18next.exists(`control:outcomes.${outcome}`)
    ? i18next.t(`control:outcomes.${outcome}` as 'control:outcomes.offline')
    : outcome
}

/** What became of a command, in one phrase. */
export function stateWord({ State, Outcome, TripMs }: Pick<CommandRecord, 'State' | 'Outcome' | 'TripMs'>): string {
  const state = i18next.t(`control:states.${State}`)
  const outcome = outcomeWord(Outcome)
  const took = TripMs === null ? null : `${TripMs} ms`
  return [state, outcome, took].filter((each) => each !== null).join(' · ')
}
