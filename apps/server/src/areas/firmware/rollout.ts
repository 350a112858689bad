import type { CampaignAct, UpgradeFact } from '@linewarden/rules/firmware'
import { isUpgradeOpen, steered } from '@linewarden/rules/firmware'
import type { Logger } from 'pino'
import type { Ingest } from '../../field/ingest.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { Loop } from '../../lib/every.ts'
import { every } from '../../lib/every.ts'
import { caught } from '../../lib/faults.ts'
import { Mutex } from '../../lib/serial.ts'
import type { Committed, Hub } from '../../plant/hub.ts'
import type { Plant } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { Database } from '../../store/core/database.ts'
import type { MadeCampaign, StoredCampaign, StoredUpgrade } from '../../store/firmware/firmware-campaign.ts'
import { firmwareRollout, wholeCampaign } from '../../store/firmware/firmware-campaign.ts'
import type { StoredImage } from '../../store/firmware/firmware-image.ts'
import { steerCampaign } from '../../store/firmware/firmware-steps.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import { Answers } from './answers.ts'
import { Book } from './book.ts'
import { CampaignCourse } from './campaign-course.ts'
import { GatewayMessages } from './gateway-messages.ts'
import { reportedElsewhere } from './reported-elsewhere.ts'
import { Turns } from './turns.ts'
import type { Evidence } from './upgrade-lives.ts'
import { UpgradeLives } from './upgrade-lives.ts'

export interface RolloutDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'isBorn' | 'sendFirmware' | 'onUpgradeMessage' | 'note'>
  readonly runner: Runner
  readonly clock: () => number
  readonly log: Logger
}

const tickEveryMs = 500
const failed = 'a step of a firmware upgrade failed; it is taken up again'

/**
 * Carries images to gateways: offers, answers their questions for bytes, lets them install when nothing is under way and nobody stands or works at their lines, and
 * believes only the version they report afterwards. Each step is stored before anything leaves, so that whichever server carries the campaign next goes on where it was.
 */
export class Rollout {
  readonly #deps: RolloutDeps
  readonly #book = new Book()
  readonly #lives: UpgradeLives
  readonly #turns: Turns
  readonly #course: CampaignCourse
  readonly #answers: Answers
  readonly #messages: GatewayMessages
  /** One thing after the other, so that two facts never fold the same upgrade at once. */
  readonly #steps = new Mutex()
  readonly #loop: Loop
  readonly #unsubscribe: readonly (() => void)[]

  constructor(deps: RolloutDeps) {
    const book = this.#book
    const messages = new GatewayMessages(deps.ingest)
    const lives = new UpgradeLives(deps, book)
    const turns = new Turns(deps, { book, lives, messages })
    this.#deps = deps
    this.#messages = messages
    this.#lives = lives
    this.#turns = turns
    this.#course = new CampaignCourse(deps, { book, lives, turns, messages })
    this.#answers = new Answers(deps, { book, lives, turns, messages })
    this.#unsubscribe = [
      deps.hub.subscribe((committed) => this.#listen(committed)),
      deps.ingest.onUpgradeMessage((message) => {
        if (this.#answers.knows(message)) void this.#inTurn(() => this.#answers.to(message))
        else this.#answers.toUnknown(message)
      }),
    ]
    deps.runner.register({
      kind: firmwareRollout,
      takeOver: (claim, lost) => this.#queue(() => this.#takeOver(claim, lost)),
    })
    this.#loop = every(tickEveryMs, () => this.#queue(() => this.#tick()), { log: deps.log, failed })
  }

  /** A campaign that was made here. */
  async begin({ claim, ...made }: MadeCampaign, image: StoredImage): Promise<void> {
    const lost = this.#deps.runner.keepLease(claim)
    await this.#inTurn(async () => {
      this.#book.keep({ ...made, image, claim, lost })
      await this.#tick()
    })
  }

  /** Whichever server carries it. Whoever steers learns of a failure; null: there is nothing to steer. */
  steer(campaignId: number, act: CampaignAct, audit: AuditEntry): Promise<StoredCampaign | null> {
    return this.#queue(async () => {
      const next = await steerCampaign(this.#deps.database, campaignId, (before, bad) => steered(before, act, bad), audit)
      const run = this.#book.runs.get(campaignId)
      if (!next || !run) return next
      const isNew = next.state !== run.campaign.state
      run.campaign = next
      if (isNew && act !== 'goOn') await this.#course.stop(run)
      await this.#tick()
      return run.campaign
    }).catch((error) => {
      this.#log(error)
      throw error
    })
  }

  /** As it stands at this moment: the stored progress may be a second old. */
  present(upgrade: StoredUpgrade): StoredUpgrade {
    return this.#book.upgradeOf(upgrade.upgradeId) ?? upgrade
  }

  /** Why nothing happens to a gateway at this moment. */
  waitsFor(upgrade: StoredUpgrade, campaign: StoredCampaign) {
    return this.#turns.waitsFor(upgrade, campaign)
  }

  /** Moves time on; runs by itself twice a second. */
  readonly tick = (): Promise<void> => this.#loop.tick()

  /** Its campaigns are given back by whoever closes the runner. */
  async close(): Promise<void> {
    for (const each of this.#unsubscribe) each()
    await this.#loop.close()
    await this.#steps.settled()
    await this.#answers.settled()
  }

  /**
   * Nobody carries it any more. A gateway may have come to this server before: it began anew if it was born after the last step that is stored.
   * Whose birth is on its way into the database is heard of when it is there.
   */
  async #takeOver(claim: Claim, lost: AbortSignal): Promise<void> {
    const run = { ...(await wholeCampaign(this.#deps.database, Number(claim.key))), claim, lost }
    this.#book.keep(run)
    const at = this.#deps.clock()
    await this.#lives.fold(
      run.upgrades.flatMap(({ upgradeId, gatewayId, state, since }): Evidence[] => {
        const gateway = this.#deps.plant.gateways.get(gatewayId)
        if (!gateway || !isUpgradeOpen(state) || !this.#messages.reaches(gateway)) return []
        const restarted = gateway.firmwareAt !== null && gateway.firmwareAt > since
        return [[upgradeId, { kind: 'reported', version: gateway.firmware, restarted, at }]]
      }),
    )
  }

  #listen({ births = [] }: Committed): void {
    const reported = births.flatMap(({ gateway, firmware, restarted, receivedAt }): Evidence[] => {
      const fact: UpgradeFact = { kind: 'reported', version: firmware, restarted, at: receivedAt }
      return this.#book.openOf(gateway.id).map((id) => [id, fact])
    })
    if (reported.length > 0) void this.#inTurn(() => this.#lives.fold(reported))
  }

  async #tick(): Promise<void> {
    if (this.#book.runs.size === 0) return
    const { plant, clock } = this.#deps
    const at = clock()
    await this.#course.refresh()
    // Before time is moved on: whoever is back elsewhere is not silent.
    await this.#lives.fold(await reportedElsewhere(this.#deps, { book: this.#book, messages: this.#messages }))
    await this.#lives.fold(
      [...this.#book.places.keys()].map((id): Evidence => {
        const isGone = !plant.gateways.has(this.#book.upgradeOf(id)?.gatewayId ?? 0)
        return [id, { kind: isGone ? 'removed' : 'tick', at }]
      }),
    )
    for (const run of [...this.#book.runs.values()]) await this.#course.moveOn(run)
    await this.#turns.give()
    await this.#lives.saveProgress()
  }

  /** What fails is logged, and taken up again by what comes next. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    await this.#queue(work).catch((error) => this.#log(error))
  }

  /** What another server has taken over in the meantime goes no further here. */
  #queue<T>(work: () => Promise<T>): Promise<T> {
    return this.#steps.run(() => {
      for (const run of [...this.#book.runs.values()]) if (run.lost.aborted) this.#lives.drop(run)
      return work()
    })
  }

  #log(error: unknown): void {
    caught(this.#deps.log, 'job', error, { failed })
  }
}
