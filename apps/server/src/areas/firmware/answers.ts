import type { Logger } from 'pino'
import type { UpgradeMessage } from '../../field/orders/upgrade-message.ts'
import { caught } from '../../lib/faults.ts'
import type { Database } from '../../store/core/database.ts'
import { isOpenUpgrade } from '../../store/firmware/firmware-campaign.ts'
import { readBytes } from '../../store/firmware/firmware-image.ts'
import type { Book, Run } from './book.ts'
import type { GatewayMessages } from './gateway-messages.ts'
import type { Turns } from './turns.ts'
import type { UpgradeLives } from './upgrade-lives.ts'

interface Deps {
  readonly database: Database
  readonly log: Logger
}

interface Parts {
  readonly book: Book
  readonly lives: UpgradeLives
  readonly turns: Turns
  readonly messages: GatewayMessages
}

/** What a gateway gets when it says something about an upgrade: only the one that was asked, and bytes only while its campaign runs. */
export class Answers {
  readonly #deps: Deps
  readonly #parts: Parts
  /** By gateway: one look at a time, for the gateway asks again. */
  readonly #looks = new Map<number, Promise<void>>()

  constructor(deps: Deps, parts: Parts) {
    this.#deps = deps
    this.#parts = parts
  }

  /** Whether it is about an upgrade that is carried here. */
  knows({ gateway, upgradeId }: UpgradeMessage): boolean {
    return this.#parts.book.upgradeOf(upgradeId)?.gatewayId === gateway.id
  }

  async to(message: UpgradeMessage): Promise<void> {
    const { upgradeId, content, at } = message
    const { book, lives } = this.#parts
    const run = book.places.get(upgradeId)?.run
    if (!run || !this.knows(message)) return this.toUnknown(message)
    if (content.kind === 'asks') return this.#toQuestion(run, message, content)
    if (content.kind === 'refused') return lives.fold([[upgradeId, { kind: 'refused', reason: content.reason, at }]])
    return this.#toReady(run, message)
  }

  /** What another server carries, or nobody at this moment, is that one's to answer. Beside the turns: whatever a gateway makes up holds up none of them. */
  toUnknown({ gateway, upgradeId }: UpgradeMessage): void {
    if (this.#looks.has(gateway.id)) return
    const look = isOpenUpgrade(this.#deps.database, upgradeId, gateway.id)
      .then((isOpen) => isOpen || this.#parts.messages.stop(gateway, upgradeId))
      .catch((error) => caught(this.#deps.log, 'mqtt', error, { gateway: gateway.number }))
      .then(() => void this.#looks.delete(gateway.id))
    this.#looks.set(gateway.id, look)
  }

  /** Resolves when nothing is looked up any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#looks.values())
  }

  async #toQuestion(
    { image }: Run,
    { gateway, upgradeId, at }: UpgradeMessage,
    { offset, length: wanted }: { readonly offset: number; readonly length: number },
  ): Promise<void> {
    const { book, lives, messages } = this.#parts
    await lives.fold([[upgradeId, { kind: 'asked', offset, at }]])
    const state = book.upgradeOf(upgradeId)?.state
    // Its campaign was paused while a piece was on its way.
    if (state === 'waiting') messages.stop(gateway, upgradeId)
    if (state !== 'downloading') return
    const length = Math.min(wanted, image.size - offset)
    if (length <= 0) return
    // Beside the turn: a slow disk holds up nobody's birth.
    void readBytes(this.#deps.database, image.imageId, offset, length)
      .then((bytes) => bytes.length > 0 && messages.piece(gateway, upgradeId, offset, bytes))
      .catch((error) =>
        this.#deps.log.warn({ err: error, gateway: gateway.number }, 'firmware could not be read; the gateway asks again'),
      )
  }

  async #toReady(run: Run, { gateway, upgradeId, at }: UpgradeMessage): Promise<void> {
    const { book, lives, turns, messages } = this.#parts
    const before = book.upgradeOf(upgradeId)?.state
    await lives.fold([[upgradeId, { kind: 'ready', at }]])
    // Nobody waits for it any more; only the version it comes back with tells how it went.
    if (before === 'unknown') messages.stop(gateway, upgradeId)
    if (before === 'installing') await turns.installAgain(run, gateway, upgradeId)
  }
}
