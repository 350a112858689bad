import { setTimeout as pause } from 'node:timers/promises'
import type { PlantGateway } from '../../plant/plant.ts'
import { keptLinkages } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { adoptKept } from './linkage-state.ts'

const retryMs = 250

interface Options {
  readonly live: ReadonlyMap<number, LiveLinkage>
  readonly closing: AbortSignal
  /** What is stored of linkages that read these is known by now. */
  readonly joined: (gateways: ReadonlySet<PlantGateway>) => void
}

/**
 * Gateways that come over from another server: here they are remembered as they were when they left. What is stored of the linkages that read them
 * is read before anything that they say.
 */
export class LinkageHandovers {
  readonly #deps: Pick<AutomationDeps, 'database' | 'clock' | 'log'>
  readonly #options: Options
  /** By gateway the session in which it was joined last. */
  readonly #joined = new Map<PlantGateway, Session>()
  readonly #waiting = new Set<PlantGateway>()
  #isReading = false

  constructor(deps: Pick<AutomationDeps, 'database' | 'clock' | 'log'>, options: Options) {
    this.#deps = deps
    this.#options = options
  }

  isJoined(gateway: PlantGateway): boolean {
    const session = this.#joined.get(gateway)
    return session !== undefined && isOf(session, gateway)
  }

  /** Resolves when it is known what is stored. Null: that is being read already, and by whom it was begun it is waited for. */
  join(gateway: PlantGateway): Promise<void> | null {
    this.#waiting.add(gateway)
    if (this.#isReading) return null
    this.#isReading = true
    return this.#readAll()
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#waiting.size > 0 && !this.#options.closing.aborted) await this.#readWaiting()
    } finally {
      // In one step with the last look at what waits: whatever is to join after it begins anew.
      this.#isReading = false
    }
  }

  async #readWaiting(): Promise<void> {
    const { closing, joined } = this.#options
    const sessions = new Map([...this.#waiting].map((gateway) => [gateway, sessionOf(gateway)]))
    try {
      await this.#read(sessions)
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'what is stored of linkages could not be read; it is tried again')
      await pause(retryMs, undefined, { signal: closing }).catch(() => {})
      return
    }
    // One that has come back meanwhile may have been another server's in between: it is read once more.
    const come = [...sessions].filter(([gateway, session]) => isOf(session, gateway))
    for (const [gateway, session] of come) {
      this.#joined.set(gateway, session)
      this.#waiting.delete(gateway)
    }
    if (come.length > 0) joined(new Set(come.map(([gateway]) => gateway)))
  }

  async #read(come: ReadonlyMap<PlantGateway, Session>): Promise<void> {
    const { database, clock } = this.#deps
    const { live } = this.#options
    const gatewaysOf = ({ lines }: LiveLinkage) =>
      lines.flatMap((line) => (line && come.has(line.device.gateway) ? line.device.gateway : []))
    const ids = [...live.values()].flatMap((own) => (gatewaysOf(own).length > 0 ? own.linkage.linkageId : []))
    if (ids.length === 0) return
    const stored = await keptLinkages(database.control, ids)
    for (const kept of stored.values()) {
      const own = live.get(kept.linkageId)
      if (!own) continue
      // Since they are here nobody else has observed them.
      const since = gatewaysOf(own).map(({ link, linkSince }) => (link === 'online' ? linkSince : null) ?? clock())
      adoptKept(own, kept, Math.max(...since) - 1)
    }
  }
}

/** It changes whenever a gateway comes back: another server may have had it in between. */
type Session = Pick<PlantGateway, 'linkSince' | 'bdSeq'>

const sessionOf = ({ linkSince, bdSeq }: PlantGateway): Session => ({ linkSince, bdSeq })

const isOf = ({ linkSince, bdSeq }: Session, gateway: PlantGateway): boolean =>
  linkSince === gateway.linkSince && bdSeq === gateway.bdSeq
