import type { CommandRecord } from '@linewarden/contract'

/** One of the five stops of a command. */
export interface Stop {
  readonly key: 'requested' | 'authorised' | 'sent' | 'acknowledged' | 'verified'
  readonly at: number | null
  /** `done`: proved. `todo`: not yet. `ended`: it ended here. */
  readonly mark: 'done' | 'todo' | 'ended'
}

/** How far a command got. What the position proved is done even where an answer in between was lost; nothing else is guessed. */
export function stopsOf(command: CommandRecord): readonly Stop[] {
  const times = [
    ['requested', command.RequestedAt],
    ['authorised', command.RequestedAt],
    ['sent', command.SentAt],
    ['acknowledged', command.AcknowledgedAt],
    ['verified', command.VerifiedAt],
  ] as const
  const overWithoutProof =
    command.State === 'refused' || command.State === 'expired' || command.State === 'failed' || command.State === 'unknown'
  let ended = false
  return times.map(([key, at]) => {
    if (at !== null) return { key, at, mark: 'done' }
    if (overWithoutProof && !ended) {
      ended = true
      return { key, at, mark: 'ended' }
    }
    return { key, at, mark: 'todo' }
  })
}
