import type { lineFeed, Reply, Request, setFeed } from '@linewarden/contract'
import { Refusal, textOf } from '@linewarden/contract'
import { civilZone, dateText, parseDate } from '@linewarden/rules/automation'
import { circleSince, maxEnergyDays, startOfDay } from '@linewarden/rules/energy'
import type { Kysely } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Ingest } from '../../field/ingest.ts'
import type { Hub } from '../../plant/hub.ts'
import { positionNow } from '../../plant/line-state.ts'
import { treeChanged } from '../../plant/live-topics.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { LinkagesAmong } from '../../store/automation/linkage-among.ts'
import { amongLinkages } from '../../store/automation/linkage-among.ts'
import * as stored from '../../store/control/trip.ts'
import type { Database } from '../../store/core/database.ts'
import type { Schema } from '../../store/core/schema.ts'
import { feedsFrom } from '../../store/energy/feeds.ts'
import { targetOf } from './gate.ts'

export type Sees = Pick<Actor, 'seesGateway'>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Pick<Hub, 'publish'>
  readonly ingest: Pick<Ingest, 'hasValidPosition'>
  readonly clock: () => number
}

/** One line is to feed another. */
export interface UpstreamLineChange {
  readonly actor: Actor
  readonly line: PlantLine
  readonly upstreamLine: PlantLine
}

/** Throws what refuses it, by what it stands among. */
type UpstreamLineCheck = (change: UpstreamLineChange, among: LinkagesAmong) => void

/** Which line supplies which, as somebody has set it. */
export class UpstreamLines {
  readonly #deps: Deps
  readonly #checks: UpstreamLineCheck[] = []

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** For an area that depends on what feeds what: it is asked in the transaction that stores it. */
  checkedBy(check: UpstreamLineCheck): void {
    this.#checks.push(check)
  }

  async neighbours(actor: Sees, line: PlantLine): Promise<Reply<typeof lineFeed>> {
    const { upstream, downstream, feederUnseen } = await this.seenBy(actor, line)
    return {
      Upstream: upstream.map((each) => this.neighbour(each, null)),
      FeederUnseen: feederUnseen,
      Downstream: downstream.map((each) => this.neighbour(each, null)),
    }
  }

  async set(actor: Actor, line: PlantLine, { FedBy, Was, Since }: Request<typeof setFeed>['body']): Promise<null> {
    const { database, plant, hub, clock } = this.#deps
    const upstreamLine = FedBy && plant.lineAt(FedBy.ControllerID, FedBy.LineNo)
    const sameProject = upstreamLine?.device.gateway.project === line.device.gateway.project
    if (FedBy && (!upstreamLine || !sameProject || !actor.seesGateway(upstreamLine.device.gateway)))
      throw new Refusal('line not exists')
    const present = (await stored.upstreamLines(database, [line.id])).get(line.id) ?? null
    const shown = shownUpstream(actor, present === null ? undefined : plant.lines.get(present))
    const was = Was === null || Was === 'unseen' ? Was : plant.lineAt(Was.ControllerID, Was.LineNo)
    if (was !== shown) throw new Refusal('changed meanwhile')
    const since = Since === undefined ? null : sinceOf(line, Since, clock())
    const named = upstreamLine && targetOf(upstreamLine)
    const audit = {
      ...by(actor, clock(), 'line.feed', tenantOfLine(line)),
      subject: aboutLine(line),
      after: Since === undefined ? named : { upstream: named, since: Since },
    }
    const saved = await stored.saveUpstreamLine(
      database,
      line.id,
      {
        ...{ upstreamId: upstreamLine?.id ?? null, was: present, since },
        check: upstreamLine && ((trx) => this.#refuse(trx, { actor, line, upstreamLine }, since)),
      },
      audit,
    )
    if (!saved) throw new Refusal('changed meanwhile')
    line.upstreamId = upstreamLine?.id ?? null
    hub.publish({ live: [treeChanged(line.device.gateway.project.id)] })
    return null
  }

  /** A loop may lead through lines that the actor does not see: it is one all the same, and the refusal names none of them. */
  async #refuse(trx: Kysely<Schema>, change: UpstreamLineChange, since: number | null): Promise<void> {
    const { line, upstreamLine } = change
    const among = await amongLinkages(trx, line.device.gateway.project.id)
    const below = new Set([String(line.id)])
    for (const each of below) for (const fed of among.feeds.get(each) ?? []) below.add(fed)
    if (below.has(String(upstreamLine.id))) throw new Refusal('feeds itself')
    if (since !== null) await this.#refusePast(trx, change, since)
    for (const check of this.#checks) check(change, among)
  }

  /** Nor on any date since then. Its lines are named to whoever sees all of them. */
  async #refusePast(trx: Kysely<Schema>, { actor, line, upstreamLine }: UpstreamLineChange, since: number): Promise<void> {
    const { project } = line.device.gateway
    const circle = circleSince(await feedsFrom(trx, project.id, since), line.id, upstreamLine.id, since)
    if (!circle) return
    const lines = circle.path.map((id) => this.#deps.plant.lines.get(id))
    if (!lines.every((each) => each !== undefined && actor.seesGateway(each.device.gateway))) throw new Refusal('feeds itself')
    const date = dateText(civilZone(project.timeZone).dayAt(circle.at))
    throw new Refusal('feeds itself then', { date, path: lines.map((each) => each?.name).join(' ← ') })
  }

  /** Upstream and downstream lines of gateways that the actor sees, and whether the direct upstream line is none of them. */
  async seenBy(actor: Sees, line: PlantLine) {
    const isSeen = ({ device }: PlantLine) => actor.seesGateway(device.gateway)
    const [above, below] = await this.#all(line)
    return {
      upstream: above.filter(isSeen),
      downstream: below.filter(isSeen),
      feederUnseen: shownUpstream(actor, above[0]) === 'unseen',
    }
  }

  /** A line as it stands now. Of equipment that is away or silent that is not known, whatever it reported last. */
  neighbour(line: PlantLine, openedAt: number | null) {
    const { ingest, clock } = this.#deps
    return {
      LineID: line.id,
      ControllerID: line.device.controllerId,
      LineNo: line.lineNo,
      LineName: line.name,
      Position: positionNow(ingest, line, clock()),
      OpenedAt: openedAt,
    }
  }

  /** Upstream lines, nearest first, and all downstream lines in the order of the tree, whoever sees them. */
  async #all(line: PlantLine): Promise<readonly [readonly PlantLine[], readonly PlantLine[]]> {
    const { database, plant } = this.#deps
    const lines = [...plant.lines.values()].filter(({ device }) => device.gateway.project === line.device.gateway.project)
    const upstreamId = await stored.upstreamLines(
      database,
      lines.map(({ id }) => id),
    )
    const above: PlantLine[] = []
    for (let id = upstreamId.get(line.id); id !== undefined; id = upstreamId.get(id)) {
      const next = plant.lines.get(id)
      if (!next || next === line || above.includes(next)) break
      above.push(next)
    }
    const below = new Set<number>([line.id])
    for (let grown = true; grown; ) {
      grown = false
      for (const [id, upstreamLine] of upstreamId)
        if (below.has(upstreamLine) && !below.has(id)) {
          below.add(id)
          grown = true
        }
    }
    below.delete(line.id)
    return [above, lines.filter(({ id }) => below.has(id)).sort(asInTree)]
  }
}

/** Where a date of the line's project begins, Unix ms. */
function sinceOf({ device }: PlantLine, text: string, now: number): number {
  const zone = civilZone(device.gateway.project.timeZone)
  const [day, today] = [parseDate(text), zone.dayAt(now)]
  if (day !== null && day <= today && day > today - maxEnergyDays) return startOfDay(zone, day)
  throw new Refusal('invalid parameter', {}, [{ Path: 'body.Since', Text: textOf('feed date wrong') }])
}

/** By gateway, device and line number: the plant holds them as they happened to be born. */
const asInTree = (a: PlantLine, b: PlantLine): number =>
  compareCodes(a.device.gateway.number, b.device.gateway.number) ||
  compareCodes(a.device.controllerId, b.device.controllerId) ||
  a.lineNo - b.lineNo

const compareCodes = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** The direct upstream line as this person sees it; null: none. */
function shownUpstream(actor: Sees, upstreamLine: PlantLine | undefined): PlantLine | 'unseen' | null {
  if (!upstreamLine) return null
  return actor.seesGateway(upstreamLine.device.gateway) ? upstreamLine : 'unseen'
}
