import type { CommandFact, CommandLife } from './command.ts'
import { foldCommand } from './command.ts'
import { verifyGraceMs } from './life.ts'

// Orders just authorised, and the facts that befall them.
export const issuedAt = 1_000_000
export const deadline = issuedAt + 5_000
export const silence = deadline + verifyGraceMs + 1

export const close: CommandLife = {
  action: 'close',
  state: 'authorised',
  outcome: null,
  issuedAt,
  deadline,
  sentAt: null,
  acknowledgedAt: null,
  verifiedAt: null,
  endedAt: null,
  tripMs: null,
  positionAfter: null,
}
export const trip: CommandLife = { ...close, action: 'trip' }
export const trial: CommandLife = { ...close, action: 'selfTest' }

export const sent: CommandFact = { kind: 'sent', at: issuedAt + 10 }
export const accepted: CommandFact = { kind: 'result', status: 'accepted', reason: null, at: issuedAt + 100 }
export const refused = (reason: string): CommandFact => ({ kind: 'result', status: 'refused', reason, at: issuedAt + 100 })
export const tick = (at: number): CommandFact => ({ kind: 'tick', at })
export const restart: CommandFact = { kind: 'restart', at: issuedAt + 200 }
/** A report that took 50 ms to arrive. */
export const reported = (value: 'open' | 'closed', deviceAt: number): CommandFact => ({
  kind: 'position',
  value,
  deviceAt,
  at: deviceAt + 50,
})

export const life = (command: CommandLife, ...facts: readonly CommandFact[]) => facts.reduce(foldCommand, command)
