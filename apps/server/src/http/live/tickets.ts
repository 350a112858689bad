import { randomBytes } from 'node:crypto'
import type { Actor } from '../../access/actor.ts'

const ticketMs = 30_000

/** One-use tickets for the live socket: a browser cannot sign a WebSocket, so a signed call fetches one first. */
export class Tickets {
  readonly #clock: () => number
  readonly #open = new Map<string, { readonly actor: Actor; readonly expiresAt: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  issue(actor: Actor): { Ticket: string; ExpiresAt: number } {
    const now = this.#clock()
    for (const [ticket, { expiresAt }] of this.#open) if (expiresAt <= now) this.#open.delete(ticket)
    const Ticket = randomBytes(32).toString('base64url')
    const ExpiresAt = now + ticketMs
    this.#open.set(Ticket, { actor, expiresAt: ExpiresAt })
    return { Ticket, ExpiresAt }
  }

  /** Takes a ticket; null when it was used, is unknown or too old. */
  take(ticket: string): Actor | null {
    const found = this.#open.get(ticket)
    this.#open.delete(ticket)
    return found && found.expiresAt > this.#clock() ? found.actor : null
  }
}
