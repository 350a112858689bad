import type { AuditAction } from '@linewarden/contract'
import { about } from '@linewarden/contract'
import type { UpgradeFact, UpgradeState } from '@linewarden/rules/firmware'
import {
  campaignStep,
  countsAs,
  foldUpgrade,
  holdsBack,
  isBad,
  isSettled,
  isUpgradeOpen,
  isUpgrading,
} from '@linewarden/rules/firmware'
import type { Logger } from 'pino'
import type { Ingest } from '../../field/ingest.ts'
import type { UpgradeWord } from '../../field/orders/upgrade-word.ts'
import { Mutex } from '../../lib/serial.ts'
import type { Committed, Hub } from '../../plant/hub.ts'
import type { Plant, PlantGateway } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredCampaign, StoredUpgrade } from '../../store/firmware/firmware-campaign.ts'
import * as stored from '../../store/firmware/firmware-campaign.ts'
import type { StoredImage } from '../../store/firmware/firmware-image.ts'
import { readBytes } from '../../store/firmware/firmware-image.ts'
import type { Run } from './book.ts'
import { Book, interlockOfLines } from './book.ts'
import { outcomeAudit, outcomeEvent } from './outcomes.ts'

export type Rollout = Awaited<ReturnType<typeof startRollout>>

export interface RolloutDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'isBorn' | 'sendFirmware' | 'hearUpgrades' | 'note'>
  readonly clock: () => number
  readonly log: Logger
}

type Told = readonly [upgradeId: string, fact: UpgradeFact]

const tickEveryMs = 500
const progressEveryMs = 1_000
const nothingSet: ReadonlySet<number> = new Set()
const text = (value: unknown) => Buffer.from(JSON.stringify(value))

/**
 * Carries images to gateways: offers, answers their questions for bytes, lets them install when nothing is under way and nobody stands or works at their lines, and
 * believes only the version they report afterwards. Each step is stored before anything leaves, so that a restart goes on where it was.
 */
export async function startRollout(deps: RolloutDeps) {
  const { database, plant, hub, ingest, clock, log } = deps
  const book = new Book()
  /** Progress that is not stored yet: losing it costs nothing, the gateway knows how far it is. */
  const unsaved = new Set<string>()
  let savedAt = 0
  /** One thing after the other, so that two facts never fold the same upgrade at once. */
  const steps = new Mutex()

  const unsubscribe = hub.subscribe(listen)
  const deaf = ingest.hearUpgrades((said) => void inTurn(() => hear(said)))
  await inTurn(takeUp)
  const timer = setInterval(() => void inTurn(tick), tickEveryMs)

  return {
    begin: (campaign: StoredCampaign, image: StoredImage, upgrades: readonly StoredUpgrade[]) =>
      inTurn(async () => {
        book.keep({ campaign, image, upgrades: [...upgrades] })
        await tick()
      }),
    steer: (campaignId: number, act: 'pause' | 'goOn' | 'abort', audit: AuditEntry) =>
      // Whoever steers hears of a failure; `null` says that there is nothing to steer.
      queued(() => steer(campaignId, act, audit)),
    /** As it stands at this moment: the stored progress may be a second old. */
    present: (upgrade: StoredUpgrade): StoredUpgrade => book.upgradeOf(upgrade.upgradeId) ?? upgrade,
    waitsFor(upgrade: StoredUpgrade) {
      const place = book.places.get(upgrade.upgradeId)
      if (upgrade.state === 'waiting' && place) return heldBack(place.run, upgrade, nothingSet, book.upgradingNow(countedAs))
      const gateway = upgrade.state === 'ready' ? plant.gateways.get(upgrade.gatewayId) : undefined
      return gateway ? interlockOfLines(gateway, nothingSet, clock()) : null
    },
    isUpgrading: (gatewayId: number): boolean =>
      book.openOf(gatewayId).some((id) => !isSettled(book.upgradeOf(id)?.state ?? 'unknown')),
    /** Moves time on; runs by itself twice a second. */
    tick: () => inTurn(tick),
    async close(): Promise<void> {
      clearInterval(timer)
      unsubscribe()
      deaf()
      await steps.settled()
    },
  }

  /** What was open when the server stopped. A gateway may have come back before anybody listened here. */
  async function takeUp(): Promise<void> {
    const { campaigns, images, upgrades } = await stored.openCampaigns(database)
    for (const campaign of campaigns) {
      const image = images.find(({ imageId }) => imageId === campaign.imageId)
      if (image) book.keep({ campaign, image, upgrades: upgrades.filter(({ campaignId }) => campaignId === campaign.campaignId) })
    }
    const at = clock()
    const born = [...book.gatewayIds()].flatMap((id) => plant.gateways.get(id) ?? []).filter(ingest.isBorn)
    await foldAll(born.flatMap((gateway) => reportedBy(gateway, gateway.firmware, true, at)))
  }

  function listen({ births = [] }: Committed): void {
    const told = births.flatMap(({ gateway, firmware, restarted, receivedAt }) =>
      reportedBy(gateway, firmware, restarted, receivedAt),
    )
    if (told.length > 0) void inTurn(() => foldAll(told))
  }

  function reportedBy(gateway: PlantGateway, version: string | null, restarted: boolean, at: number): Told[] {
    return book.openOf(gateway.id).map((id) => [id, { kind: 'reported', version, restarted, at }])
  }

  /** Only the gateway that was asked may answer, and it gets bytes only while its campaign runs. */
  async function hear({ gateway, upgradeId, says, at }: UpgradeWord): Promise<void> {
    const before = book.upgradeOf(upgradeId)
    const run = book.places.get(upgradeId)?.run
    if (!run || before?.gatewayId !== gateway.id) {
      ingest.sendFirmware(gateway, 'stop', text({ id: upgradeId }))
      return
    }
    if (says.kind === 'asks') {
      await foldAll([[upgradeId, { kind: 'asked', offset: says.offset, at }]])
      const state = book.upgradeOf(upgradeId)?.state
      // Its campaign was paused while a piece was on its way.
      if (state === 'waiting') ingest.sendFirmware(gateway, 'stop', text({ id: upgradeId }))
      if (state !== 'downloading') return
      const { imageId, size } = run.image
      const length = Math.min(says.length, size - says.offset)
      if (length <= 0) return
      // Beside the turn: a slow disk holds up nobody's birth.
      void readBytes(database, imageId, says.offset, length)
        .then((bytes) => bytes.length > 0 && ingest.sendFirmware(gateway, `piece/${upgradeId}/${says.offset}`, bytes))
        .catch((error) => log.warn({ err: error, gateway: gateway.number }, 'firmware could not be read; the gateway asks again'))
      return
    }
    if (says.kind === 'refused') return foldAll([[upgradeId, { kind: 'refused', reason: says.reason, at }]])
    await foldAll([[upgradeId, { kind: 'ready', at }]])
    // Nobody waits for it any more; only the version it comes back with tells how it went.
    if (before.state === 'unknown') ingest.sendFirmware(gateway, 'stop', text({ id: upgradeId }))
    if (before.state !== 'installing') return tick()
    // It was let install and has not heard of it.
    if (interlockOfLines(gateway, await stored.gatewaysBeingSet(database), clock()) === null)
      ingest.sendFirmware(gateway, 'install', text({ id: upgradeId }))
    else await foldAll([[upgradeId, { kind: 'notLet', at: clock() }]])
  }

  async function steer(campaignId: number, act: 'pause' | 'goOn' | 'abort', audit: AuditEntry): Promise<StoredCampaign | null> {
    const run = book.runs.get(campaignId)
    if (!run || run.campaign.endedAt !== null || run.campaign.state === 'aborted') return null
    const { campaign } = run
    if ((act === 'pause') === (campaign.state === 'paused') && act !== 'abort') return campaign
    const forgiven = run.upgrades.filter(({ state }) => isBad(state)).length
    run.campaign =
      act === 'abort'
        ? { ...campaign, state: 'aborted', pausedBy: null }
        : act === 'pause'
          ? { ...campaign, state: 'paused', pausedBy: 'person' }
          : { ...campaign, state: 'running', pausedBy: null, forgiven }
    await stored.saveStep(database, { campaign: run.campaign, audits: [audit] }).catch((error) => {
      run.campaign = campaign
      throw error
    })
    if (act !== 'goOn') await stop(run, act === 'abort' ? 'cancelled' : 'held')
    await tick()
    return run.campaign
  }

  /** Nobody downloads any further; who is installing is not interrupted. */
  async function stop(run: Run, kind: 'cancelled' | 'held'): Promise<void> {
    const at = clock()
    const before = run.upgrades.filter(({ state }) => isUpgrading(state))
    await foldAll(run.upgrades.filter(({ state }) => !isSettled(state)).map(({ upgradeId }) => [upgradeId, { kind, at }]))
    for (const { upgradeId, gatewayId, position } of before) {
      const gateway = plant.gateways.get(gatewayId)
      if (gateway && run.upgrades[position]?.state !== 'installing') ingest.sendFirmware(gateway, 'stop', text({ id: upgradeId }))
    }
  }

  /** What was to stop with its campaign and could not be stored then: it would neither go on nor end. */
  async function stopLate(run: Run): Promise<void> {
    const { state } = run.campaign
    const goesOn = (each: StoredUpgrade) =>
      each.state !== 'installing' && (state === 'aborted' ? !isSettled(each.state) : isUpgrading(each.state))
    if (state !== 'running' && run.upgrades.some(goesOn)) await stop(run, state === 'aborted' ? 'cancelled' : 'held')
  }

  async function tick(): Promise<void> {
    if (book.runs.size === 0) return
    const at = clock()
    await foldAll(
      [...book.places.keys()].map((id): Told => {
        const gone = !plant.gateways.has(book.upgradeOf(id)?.gatewayId ?? 0)
        return [id, { kind: gone ? 'removed' : 'tick', at }]
      }),
    )
    for (const run of [...book.runs.values()]) await moveOn(run)
    await begin()
    if (at - savedAt >= progressEveryMs && unsaved.size > 0) {
      await stored.saveStep(database, { upgrades: [...unsaved].flatMap((id) => book.upgradeOf(id) ?? []) })
      unsaved.clear()
      savedAt = at
    }
  }

  /** The next stage, a pause, or the end. */
  async function moveOn(run: Run): Promise<void> {
    const { campaign } = run
    if (campaign.endedAt === null) {
      await stopLate(run)
      const step = campaignStep({
        ...campaign,
        upgrades: run.upgrades.map(campaign.state === 'running' ? countedAs : ({ state }) => state),
      })
      const at = clock()
      const audit = (action: AuditAction, after: unknown): AuditEntry => ({
        ...{
          at,
          actor: 'system',
          address: '',
          tenant: null,
          action,
          subject: about('campaign', campaign.campaignId),
          after,
          outcome: 'done',
        },
      })
      const move = async (next: StoredCampaign, said: AuditEntry) => {
        await stored.saveStep(database, { campaign: next, audits: [said] })
        run.campaign = next
      }
      const failed = run.upgrades.filter(({ state }) => isBad(state)).length
      if (step === 'nextStage')
        await move({ ...campaign, stage: campaign.stage + 1 }, audit('firmware.stage', { stage: campaign.stage + 1 }))
      else if (step === 'pause') {
        await move({ ...campaign, state: 'paused', pausedBy: 'failures' }, audit('firmware.pause', { failed }))
        await stop(run, 'held')
      } else if (step === 'done') {
        const state = campaign.state === 'aborted' ? 'aborted' : 'done'
        await move({ ...campaign, state, pausedBy: null, endedAt: at }, audit('firmware.end', { state, failed }))
      }
    }
    if (run.campaign.endedAt !== null && !run.upgrades.some(({ state }) => isUpgradeOpen(state)))
      book.runs.delete(run.campaign.campaignId)
  }

  /** Offers to who waits and may; lets install who is ready and quiet. */
  async function begin(): Promise<void> {
    const candidates = [...book.places.values()].flatMap(({ run, index }) => {
      const upgrade = run.upgrades[index]
      return upgrade && run.campaign.state === 'running' && (upgrade.state === 'waiting' || upgrade.state === 'ready')
        ? [{ run, upgrade }]
        : []
    })
    if (candidates.length === 0) return
    const beingSet = await stored.gatewaysBeingSet(database)
    let busyNow = book.upgradingNow(countedAs)
    for (const { run, upgrade } of candidates) {
      const { upgradeId, gatewayId } = upgrade
      const gateway = plant.gateways.get(gatewayId)
      if (!gateway) continue
      const at = clock()
      if (upgrade.state === 'ready') {
        if (interlockOfLines(gateway, beingSet, at) !== null || !ingest.isBorn(gateway)) continue
        await foldAll([[upgradeId, { kind: 'installing', at }]])
        // Storing took time: an order that came meanwhile goes first, and a tag as long as it hangs: the gateway stays ready.
        if (interlockOfLines(gateway, beingSet, clock()) !== null) {
          await foldAll([[upgradeId, { kind: 'notLet', at: clock() }]])
          continue
        }
        ingest.sendFirmware(gateway, 'install', text({ id: upgradeId }))
      } else if (heldBack(run, upgrade, beingSet, busyNow) === null) {
        busyNow += 1
        await foldAll([[upgradeId, { kind: 'offered', at }]])
        const { manifest, signature } = run.image
        const offer = { id: upgradeId, manifest: manifest.toString('base64'), signature: signature.toString('base64') }
        ingest.sendFirmware(gateway, 'offer', text(offer))
      }
    }
  }

  function countedAs({ state, gatewayId }: StoredUpgrade): UpgradeState {
    const gateway = plant.gateways.get(gatewayId)
    return countsAs(state, () => (gateway ? interlockOfLines(gateway, nothingSet, clock()) : null))
  }

  function heldBack(run: Run, { gatewayId, position }: StoredUpgrade, beingSet: ReadonlySet<number>, upgradingNow: number) {
    const gateway = plant.gateways.get(gatewayId)
    const opened = position < (run.campaign.ends[run.campaign.stage] ?? 0)
    return holdsBack({
      running: run.campaign.state === 'running',
      opened,
      reachable: gateway !== undefined && ingest.isBorn(gateway),
      held: () => (gateway ? interlockOfLines(gateway, beingSet, clock()) : null),
      upgradingNow,
    })
  }

  /** Folds facts in their order and stores what moved in one transaction; mere progress is stored now and then. */
  async function foldAll(told: readonly Told[]): Promise<void> {
    const moved = new Map<string, StoredUpgrade>()
    for (const [id, fact] of told) {
      const before = moved.get(id) ?? book.upgradeOf(id)
      const image = book.places.get(id)?.run.image
      if (!before || !image) continue
      const life = foldUpgrade(before, image, fact)
      if (life !== before) moved.set(id, { ...before, ...life })
    }
    if (moved.size === 0) return
    const upgrades = [...moved.values()]
    const steps = upgrades.filter(({ upgradeId, state }) => book.upgradeOf(upgradeId)?.state !== state)
    const ended = steps.filter(({ state }) => isSettled(state))
    if (steps.length > 0) {
      const audits = ended.flatMap((each) => outcomeAudit(each, book.places.get(each.upgradeId)?.run.image, plant, clock()))
      await stored.saveStep(database, { upgrades: steps, audits })
    }
    for (const upgrade of upgrades) {
      const place = book.places.get(upgrade.upgradeId)
      if (place) place.run.upgrades[place.index] = upgrade
      if (steps.includes(upgrade)) unsaved.delete(upgrade.upgradeId)
      else unsaved.add(upgrade.upgradeId)
    }
    for (const each of ended) {
      const event = outcomeEvent(each, plant, clock())
      if (event) ingest.note(event)
      if (isUpgradeOpen(each.state)) continue
      book.forget(each)
    }
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T | null> {
    return queued(work).catch(() => null)
  }

  async function queued<T>(work: () => Promise<T>): Promise<T> {
    return steps.run(work).catch((error) => {
      log.error({ err: error }, 'a step of a firmware upgrade failed; it is taken up again')
      throw error
    })
  }
}
