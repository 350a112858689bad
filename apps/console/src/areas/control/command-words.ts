import type { CommandRecord } from '@linewarden/contract'
import i18next from 'i18next'

/** The outcome of a command in words; null when there is nothing to add to its state. */
export function outcomeWord(outcome: string | null): string | null {
  if (outcome === null) return null
  return i18next.exists(`control:outcomes.${outcome}`)
    ? i18next.t(`control:outcomes.${outcome}` as 'control:outcomes.offline')
    : outcome
}

/** How far a command has come. Only of a switch it is a position that proves it. */
export function stepWord({ State, Action }: Pick<CommandRecord, 'State' | 'Action'>): string {
  const isSwitched = Action === 'trip' || Action === 'close'
  const ofProof = State === 'acknowledged' || State === 'verified' || State === 'unknown'
  return !isSwitched && ofProof ? i18next.t(`control:reported.${State}`) : i18next.t(`control:states.${State}`)
}

/** What became of a command, in one phrase. */
export function stateWord(command: Pick<CommandRecord, 'State' | 'Action' | 'Outcome' | 'TripMs'>): string {
  const { Outcome, TripMs } = command
  const state = stepWord(command)
  const outcome = outcomeWord(Outcome)
  const took = TripMs === null ? null : `${TripMs} ms`
  return [state, outcome, took].filter((each) => each !== null).join(' · ')
}
