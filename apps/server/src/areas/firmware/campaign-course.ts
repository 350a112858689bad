import type { AuditAction } from '@linewarden/contract'
import { about } from '@linewarden/contract'
import { campaignStep, isBad, isSettled, isUpgradeOpen, isUpgrading } from '@linewarden/rules/firmware'
import type { Plant } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredCampaign, StoredUpgrade } from '../../store/firmware/firmware-campaign.ts'
import { campaignsOf } from '../../store/firmware/firmware-campaign.ts'
import { moveCampaign } from '../../store/firmware/firmware-steps.ts'
import { endWork } from '../../store/jobs/due-work.ts'
import type { Book, Run } from './book.ts'
import type { GatewayMessages } from './gateway-messages.ts'
import type { Turns } from './turns.ts'
import type { UpgradeLives } from './upgrade-lives.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

interface Parts {
  readonly book: Book
  readonly lives: UpgradeLives
  readonly turns: Turns
  readonly messages: GatewayMessages
}

/** Where a campaign goes by itself: the next stage, a pause when too much went wrong, its end. */
export class CampaignCourse {
  readonly #deps: Deps
  readonly #parts: Parts

  constructor(deps: Deps, parts: Parts) {
    this.#deps = deps
    this.#parts = parts
  }

  /** A person may have steered it through another server: what stands in the database counts. */
  async refresh(): Promise<void> {
    const { runs } = this.#parts.book
    const going = [...runs.values()].flatMap(({ campaign }) => (campaign.endedAt === null ? campaign.campaignId : []))
    if (going.length === 0) return
    for (const campaign of await campaignsOf(this.#deps.database, going)) {
      const run = runs.get(campaign.campaignId)
      if (run) run.campaign = campaign
    }
  }

  async moveOn(run: Run): Promise<void> {
    if (run.campaign.endedAt === null) {
      await this.#stopLate(run)
      await this.#step(run)
    }
    if (run.campaign.endedAt === null || run.upgrades.some(({ state }) => isUpgradeOpen(state))) return
    await endWork(this.#deps.database.control, run.claim, run.campaign.state, this.#deps.clock())
    this.#parts.lives.drop(run)
  }

  /** Nobody downloads any further; who is installing is not interrupted. */
  async stop(run: Run): Promise<void> {
    const { lives, messages } = this.#parts
    const kind = run.campaign.state === 'aborted' ? 'cancelled' : 'deferred'
    const at = this.#deps.clock()
    const before = run.upgrades.filter(({ state }) => isUpgrading(state))
    await lives.fold(run.upgrades.filter(({ state }) => !isSettled(state)).map(({ upgradeId }) => [upgradeId, { kind, at }]))
    if (run.lost.aborted) return
    for (const { upgradeId, gatewayId, position } of before) {
      const gateway = this.#deps.plant.gateways.get(gatewayId)
      if (gateway && run.upgrades[position]?.state !== 'installing') messages.stop(gateway, upgradeId)
    }
  }

  /** What was steered elsewhere, or was to stop with its campaign and could not be stored then: it would neither go on nor end. */
  async #stopLate(run: Run): Promise<void> {
    const { state } = run.campaign
    const goesOn = (each: StoredUpgrade) =>
      each.state !== 'installing' && (state === 'aborted' ? !isSettled(each.state) : isUpgrading(each.state))
    if (state !== 'running' && run.upgrades.some(goesOn)) await this.stop(run)
  }

  async #step(run: Run): Promise<void> {
    const { campaign, upgrades } = run
    const counted =
      campaign.state === 'running'
        ? upgrades.map((each) => this.#parts.turns.countedAs(each))
        : upgrades.map(({ state }) => state)
    const failed = upgrades.filter(({ state }) => isBad(state)).length
    switch (campaignStep({ ...campaign, upgrades: counted })) {
      case 'nextStage': {
        const stage = campaign.stage + 1
        await this.#move(run, { ...campaign, stage }, 'firmware.stage', { stage })
        return
      }
      case 'pause':
        if (await this.#move(run, { ...campaign, state: 'paused', pausedBy: 'failures' }, 'firmware.pause', { failed }))
          await this.stop(run)
        return
      case 'done': {
        const state = campaign.state === 'aborted' ? 'aborted' : 'done'
        const endedAt = this.#deps.clock()
        await this.#move(run, { ...campaign, state, pausedBy: null, endedAt }, 'firmware.end', { state, failed })
      }
    }
  }

  /** False: somebody steered it meanwhile, or another server carries it. The next look at it tells. */
  async #move(run: Run, next: StoredCampaign, action: AuditAction, after: unknown): Promise<boolean> {
    const audit: AuditEntry = {
      at: this.#deps.clock(),
      actor: 'system',
      address: '',
      tenant: null,
      action,
      subject: about('campaign', next.campaignId),
      after,
      outcome: 'done',
    }
    const moved = await moveCampaign(this.#deps.database, run.claim, run.campaign, next, audit)
    if (moved) run.campaign = next
    return moved
  }
}
