import { dayMs, hourMs } from '@linewarden/equipment'
import type { OfflineState, Outcome, WarningDetector } from '@linewarden/rules/warning'
import {
  evaluateLink,
  evaluateTrips,
  foldOffline,
  isFinding,
  linkUnstable,
  newOfflineState,
  offline,
  tripsOften,
} from '@linewarden/rules/warning'
import type pg from 'pg'
import { Loop } from '../../lib/every.ts'
import type { PlantDevice, PlantGateway } from '../../plant/plant.ts'
import type { FindingStep } from '../../store/warning/finding-write.ts'
import type { OccurrencePlace, Occurrences } from '../../store/warning/occurrence.ts'
import {
  explainedSince,
  isAbsenceExplained,
  isAwayStored,
  lossesSince,
  openPlaces,
  tripsSince,
} from '../../store/warning/occurrence.ts'
import type { FindingBook } from './finding-book.ts'
import type { FindingPlace } from './finding-draft.ts'
import { findingDraft, returnDraft } from './finding-draft.ts'
import type { NightlyDeps } from './nightly.ts'

const everyMs = 30_000
/** The longest that trips are counted over. */
const weekMs = 7 * dayMs

/**
 * Detectors of what happens to a whole line, device or gateway: away for hours, lost again and again, tripped again and again. They are asked
 * of the events themselves, so that a restart forgets nothing.
 */
export class OccurrenceDetectors {
  readonly #deps: NightlyDeps
  readonly #book: FindingBook
  readonly #offline = new WeakMap<PlantGateway | PlantDevice, OfflineState>()
  readonly #looking: Loop
  readonly #startedAt: number

  constructor(deps: NightlyDeps, book: FindingBook) {
    this.#deps = deps
    this.#book = book
    this.#startedAt = deps.clock()
    this.#looking = new Loop(everyMs, () => this.#look(), {
      log: deps.log,
      failed: 'links and trips could not be evaluated for early warning; it is tried again',
      spaced: true,
      unref: true,
    })
  }

  start(): void {
    this.#looking.start()
  }

  /** Runs by itself twice a minute. */
  readonly look = (): Promise<void> => this.#looking.tick()

  close(): Promise<void> {
    return this.#looking.close()
  }

  async #look(): Promise<void> {
    const { database, clock } = this.#deps
    const now = clock()
    const client = await database.connect()
    try {
      await this.#count(client, tripsOften, await tripsSince(client, now - weekMs), now, (at, place) =>
        evaluateTrips(this.#ruleOf(tripsOften, place).params, at, now),
      )
      await this.#count(client, linkUnstable, await lossesSince(client, now - hourMs), now, (at, place) =>
        evaluateLink(this.#ruleOf(linkUnstable, place).params, at, now),
      )
      await this.#lookAtLinks(client, now)
    } finally {
      await client.end()
    }
  }

  /** Raises where something happened too often, and returns where it does no longer. */
  async #count(
    client: pg.ClientBase,
    declaration: WarningDetector,
    happened: readonly Occurrences[],
    now: number,
    evaluate: (at: readonly number[], place: FindingPlace) => Outcome,
  ): Promise<void> {
    const open = new Map((await openPlaces(client, declaration.key)).map((each) => [nameOf(each), each]))
    const explained = new Map(
      (await explainedSince(client, declaration.key, now - weekMs)).map((each) => [nameOf(each), each.at]),
    )
    for (const each of happened) {
      const place = this.#placeOf(each)
      if (!place) continue
      const rule = this.#ruleOf(declaration, place)
      // What somebody has explained counts no more.
      const explainedAt = explained.get(nameOf(each)) ?? Number.NEGATIVE_INFINITY
      const unexplained = each.at.filter((at) => at > explainedAt)
      const outcome = rule.enabled ? evaluate(unexplained, place) : null
      if (!isFinding(outcome)) continue
      if (!open.delete(nameOf(each)))
        this.#book.add({
          act: 'raise',
          draft: findingDraft(declaration, place, outcome, rule, now),
          finding: outcome,
          rule,
          coverage: null,
          day: null,
          isLate: false,
        })
    }
    for (const each of open.values()) {
      const place = this.#placeOf(each)
      if (place) this.#book.add({ act: 'return', draft: returnDraft(declaration, place, null, now) })
    }
  }

  /** How every gateway and device is found; of what is behind a gateway that is away nothing is known. */
  async #lookAtLinks(client: pg.ClientBase, now: number): Promise<void> {
    const open = new Set((await openPlaces(client, offline.key)).map(nameOf))
    for (const gateway of this.#deps.plant.gateways.values()) {
      if (gateway.disabled) continue
      await this.#lookAtLink(client, { gateway, line: null }, open, now)
      if (gateway.link === 'online')
        for (const device of gateway.devices.values()) await this.#lookAtLink(client, { gateway, device, line: null }, open, now)
    }
  }

  async #lookAtLink(client: pg.ClientBase, place: FindingPlace, open: ReadonlySet<string>, now: number): Promise<void> {
    const { gateway, device } = place
    const one = device ?? gateway
    const stored: OccurrencePlace = { gatewayId: gateway.id, deviceId: device?.id ?? null, lineId: null }
    const state = this.#offline.get(one) ?? this.#newState(one)
    this.#offline.set(one, state)
    state.active = open.has(nameOf(stored))
    const rule = this.#ruleOf(offline, place)
    const periodMs = device?.reportingPeriodMs ?? gateway.reportingPeriodMs
    const change = rule.enabled
      ? foldOffline(rule.params, state, { at: now, link: one.link, periodMs })
      : state.active
        ? ({ kind: 'returned' } as const)
        : null
    if (!change) return
    if (change.kind === 'returned') return this.#book.add({ act: 'return', draft: returnDraft(offline, place, null, now) })
    if (!(await isAwayStored(client, stored)) || (await isAbsenceExplained(client, offline.key, stored))) return
    const step: FindingStep = {
      act: 'raise',
      draft: findingDraft(offline, place, change.finding, rule, now),
      finding: change.finding,
      rule,
      coverage: null,
      day: null,
      isLate: false,
    }
    this.#book.add(step)
  }

  /** Since when it is away is known of before the start, but for what only waits to be heard of again after it. */
  #newState({ link, linkSince, linkReason }: PlantGateway | PlantDevice): OfflineState {
    const state = newOfflineState()
    if (link === 'online') state.onlineSince = linkSince
    else if (link !== 'never') state.awaySince = linkReason === 'restart' ? this.#startedAt : linkSince
    return state
  }

  #placeOf({ gatewayId, deviceId, lineId }: OccurrencePlace): FindingPlace | null {
    const { plant } = this.#deps
    const gateway = plant.gateways.get(gatewayId)
    const line = lineId === null ? null : plant.lines.get(lineId)
    const device = deviceId === null ? null : plant.devices.get(deviceId)
    if (!gateway || line === undefined || device === undefined) return null
    return { gateway, line, ...(device && { device }) }
  }

  #ruleOf<Of extends WarningDetector>(declaration: Of, { gateway, device, line }: FindingPlace) {
    const family = (line?.device ?? device)?.family.key ?? null
    return this.#deps.rules.of(declaration, { project: gateway.project, family, lineId: line?.id ?? null })
  }
}

const nameOf = ({ gatewayId, deviceId, lineId }: OccurrencePlace): string => `${gatewayId} ${deviceId} ${lineId}`
