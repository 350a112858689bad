import type { UpgradeFact } from '@linewarden/rules/firmware'
import { foldUpgrade, isSettled, isUpgradeOpen, maxAtOnce } from '@linewarden/rules/firmware'
import type { Ingest } from '../../field/ingest.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredUpgrade } from '../../store/firmware/firmware-campaign.ts'
import type { Permission } from '../../store/firmware/firmware-steps.ts'
import { saveInstall, saveOffer, saveUpgrades } from '../../store/firmware/firmware-steps.ts'
import type { Book, Run } from './book.ts'
import { outcomeAudit, outcomeEvent } from './outcomes.ts'

/** A fact about one upgrade. */
export type Evidence = readonly [upgradeId: string, fact: UpgradeFact]

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly runner: Pick<Runner, 'letGo'>
  readonly ingest: Pick<Ingest, 'note'>
  readonly clock: () => number
}

const progressEveryMs = 1_000

/** How far each gateway is: stored before anything follows from it, and only while its campaign is carried here. */
export class UpgradeLives {
  readonly #deps: Deps
  readonly #book: Book
  /** Progress that is not stored yet: losing it costs nothing, the gateway knows how far it is. */
  readonly #unsaved = new Set<string>()
  #savedAt = 0

  constructor(deps: Deps, book: Book) {
    this.#deps = deps
    this.#book = book
  }

  /** Folds facts in their order and stores what moved, of each campaign in one transaction; mere progress is stored now and then. */
  async fold(evidence: readonly Evidence[]): Promise<void> {
    const moved = new Map<string, StoredUpgrade>()
    for (const [id, fact] of evidence) {
      const before = moved.get(id) ?? this.#book.upgradeOf(id)
      const image = this.#book.places.get(id)?.run.image
      if (!before || !image) continue
      const life = foldUpgrade(before, image, fact)
      if (life !== before) moved.set(id, { ...before, ...life })
    }
    for (const [campaignId, upgrades] of Map.groupBy(moved.values(), (each) => each.campaignId)) {
      const run = this.#book.runs.get(campaignId)
      if (run) await this.#move(run, upgrades)
    }
  }

  /** A step after which something is sent to the gateway; unless it is given, nothing may be. */
  async permit(run: Run, before: StoredUpgrade, kind: 'offered' | 'installing'): Promise<Permission> {
    const { database, clock } = this.#deps
    const at = clock()
    const upgrade = { ...before, ...foldUpgrade(before, run.image, { kind, at }) }
    const permission =
      kind === 'offered'
        ? await saveOffer(database, run.claim, upgrade, maxAtOnce)
        : await saveInstall(database, run.claim, upgrade, at)
    if (permission === 'given') this.#keep(upgrade, true)
    if (permission === 'carried elsewhere') this.drop(run)
    return permission
  }

  /** How far downloads are is stored now and then. */
  async saveProgress(): Promise<void> {
    const { database, clock } = this.#deps
    const at = clock()
    if (at - this.#savedAt < progressEveryMs || this.#unsaved.size === 0) return
    const upgrades = [...this.#unsaved].flatMap((id) => this.#book.upgradeOf(id) ?? [])
    for (const [campaignId, own] of Map.groupBy(upgrades, (each) => each.campaignId)) {
      const run = this.#book.runs.get(campaignId)
      if (run && !(await saveUpgrades(database, run.claim, own))) this.drop(run)
    }
    this.#unsaved.clear()
    this.#savedAt = at
  }

  /** It is over, or another server carries it: nothing of it goes further here. */
  drop(run: Run): void {
    this.#book.drop(run)
    this.#deps.runner.letGo(run.claim.workId)
  }

  async #move(run: Run, upgrades: readonly StoredUpgrade[]): Promise<void> {
    const { database, plant, ingest, clock } = this.#deps
    const steps = upgrades.filter(({ upgradeId, state }) => this.#book.upgradeOf(upgradeId)?.state !== state)
    const ended = steps.filter(({ state }) => isSettled(state))
    if (steps.length > 0) {
      const audits = ended.flatMap((each) => outcomeAudit(each, run.image, plant, clock()))
      if (!(await saveUpgrades(database, run.claim, steps, audits))) return this.drop(run)
    }
    for (const upgrade of upgrades) this.#keep(upgrade, steps.includes(upgrade))
    for (const each of ended) {
      const event = outcomeEvent(each, plant, clock())
      if (event) ingest.note(event)
      if (!isUpgradeOpen(each.state)) this.#book.forget(each)
    }
  }

  #keep(upgrade: StoredUpgrade, isSaved: boolean): void {
    const place = this.#book.places.get(upgrade.upgradeId)
    if (place) place.run.upgrades[place.index] = upgrade
    if (isSaved) this.#unsaved.delete(upgrade.upgradeId)
    else this.#unsaved.add(upgrade.upgradeId)
  }
}
