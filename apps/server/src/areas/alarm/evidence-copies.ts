import type { AlarmKind, Text } from '@linewarden/equipment'
import type { EventKind, PackedSamples } from '@linewarden/rules/alarm'
import { evidenceSpanOf, levelsOf, packSamples } from '@linewarden/rules/alarm'
import { effectiveSetting } from '@linewarden/rules/settings'
import { Loop } from '../../lib/every.ts'
import { caught } from '../../lib/faults.ts'
import type { PositionValidity } from '../../plant/line-state.ts'
import { positionNow } from '../../plant/line-state.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import type { DueEvidence } from '../../store/alarm/evidence.ts'
import { claimEvidence, commandsIn, linesAround, storeEvidence } from '../../store/alarm/evidence.ts'
import type { StoredCommand } from '../../store/control/command.ts'
import { eventsAround } from '../../store/control/trip.ts'
import { readRange } from '../../store/monitor/readings.ts'
import type { AlarmDeps } from './deps.ts'

const everyMs = 1_000
const maxAtOnce = 20
const maxDownstream = 100

/** A line above or below, as it stood when the copy was made; its position is null where that was not known by then. */
export interface CopiedNeighbour {
  readonly lineId: number
  readonly gatewayId: number
  readonly controllerId: string
  readonly lineNo: number
  readonly name: string
  readonly position: string | null
  readonly openedAt: number | null
}

/** What is kept of the minutes around an alarm, as it is stored: a change of it must still read what is there. */
export interface CopiedEvidence {
  /** Which line it is, as it was called. */
  readonly place: { readonly device: { readonly controllerId: string }; readonly lineNo: number }
  readonly family: string
  readonly periodMs: number
  readonly points: readonly string[]
  readonly samples: PackedSamples
  readonly levels: readonly {
    readonly key: string
    readonly label: Text
    readonly kind: AlarmKind
    readonly points: readonly string[]
    readonly side: 'over' | 'under'
    readonly value: number
  }[]
  readonly before: Readonly<Record<string, string>>
  readonly after: Readonly<Record<string, string>>
  readonly events: readonly {
    readonly id: string
    readonly at: number
    readonly kind: EventKind
    readonly key: string
    readonly label: Text
  }[]
  readonly upstream: readonly CopiedNeighbour[]
  readonly downstream: readonly CopiedNeighbour[]
  readonly commands: readonly StoredCommand[]
}

type CopiesDeps = AlarmDeps & { readonly ingest: PositionValidity }

/**
 * Copies the minutes around alarms once they have been reported, and again when values of them came late. What is due stands in the
 * database: of several servers one claims it, and what a killed one had claimed another copies half a minute later.
 */
export class EvidenceCopies {
  readonly #deps: CopiesDeps
  readonly #looking: Loop
  #closing = false

  constructor(deps: CopiesDeps) {
    this.#deps = deps
    this.#looking = new Loop(everyMs, () => this.#look(), {
      log: deps.log,
      failed: 'copying the evidence of alarms failed; it is tried again',
      spaced: true,
      unref: true,
    })
  }

  start(): void {
    this.#looking.start()
  }

  /** Whatever is due by now is copied when this resolves. */
  async now(): Promise<void> {
    await this.#looking.settled()
    await this.#looking.tick()
  }

  close(): Promise<void> {
    this.#closing = true
    return this.#looking.close()
  }

  async #look(): Promise<void> {
    const { database, clock, log } = this.#deps
    for (let full = true; full && !this.#closing; ) {
      const claims = await claimEvidence(database, clock(), maxAtOnce)
      full = claims.length === maxAtOnce
      for (const claim of claims) {
        if (this.#closing) return
        await this.#copy(claim).catch((error) => caught(log, 'timer', error))
      }
    }
  }

  async #copy(claim: DueEvidence): Promise<void> {
    const { database, plant, hub, clock } = this.#deps
    const line = plant.lines.get(claim.lineId)
    const content = line ? await this.#contentOf(line, claim) : nothing(claim)
    const copy = { content, samples: content.samples.after.length }
    const rows = await storeEvidence(database, claim, copy, clock())
    if (rows.length > 0) hub.publish({ live: rows.map((row) => eventTopic(plant, row, false)) })
  }

  async #contentOf(line: PlantLine, { minute, states }: DueEvidence): Promise<CopiedEvidence> {
    const { database, plant, ingest, clock } = this.#deps
    const { family, gateway, reportingPeriodMs } = line.device
    const { from, to } = evidenceSpanOf(minute)
    const around = await linesAround(database, line.id, maxDownstream)
    const placed = (ids: readonly number[]) => ids.flatMap((id) => plant.lines.get(id) ?? [])
    const [upstream, downstream] = [placed(around.upstream), placed(around.downstream)]
    const [readings, events, commands] = await Promise.all([
      readRange(database, line.id, from, to),
      eventsAround(
        database,
        [line, ...upstream, ...downstream].map(({ id }) => id),
        from,
        to,
      ),
      commandsIn(database, line.id, { from, to }),
    ])
    const openedAt = (id: number) =>
      events.find(({ line_id, key }) => line_id === id && key === 'position.open')?.raised_at.getTime() ?? null
    const neighbourOf = (each: PlantLine): CopiedNeighbour => ({
      ...{ lineId: each.id, gatewayId: each.device.gateway.id, controllerId: each.device.controllerId, lineNo: each.lineNo },
      ...{ name: each.name, position: positionNow(ingest, each, clock()), openedAt: openedAt(each.id) },
    })
    return {
      place: { device: { controllerId: line.device.controllerId }, lineNo: line.lineNo },
      family: family.key,
      periodMs: reportingPeriodMs || gateway.reportingPeriodMs,
      points: family.points.map(({ key }) => key),
      samples: packSamples(
        readings.rows.map(([at, values, quality]) => [at, family.points.map(({ slot }) => values[slot] ?? null), quality]),
      ),
      levels: levelsIn(line),
      before: states,
      after: Object.fromEntries(line.states),
      events: events
        .filter(({ line_id }) => line_id === line.id)
        .map((row) => ({
          id: row.event_id,
          at: row.raised_at.getTime(),
          kind: row.kind,
          key: row.key,
          label: { zh: row.label_zh, en: row.label_en },
        })),
      upstream: upstream.map(neighbourOf),
      downstream: downstream.map(neighbourOf),
      commands,
    }
  }
}

function levelsIn({ device: { family, model }, ratedCurrentA, reported }: PlantLine): CopiedEvidence['levels'] {
  const settings = new Map(family.settings.map((setting) => [setting.key, setting]))
  const levels = levelsOf(family, (key) => {
    const setting = settings.get(key)
    return setting ? effectiveSetting(setting, reported.get(key) ?? null, model, ratedCurrentA) : null
  })
  return levels.map(({ key, label, kind, points, side, value }) => ({ key, label, kind, points, side, value }))
}

/** Its line was taken out before the minute was over. */
const nothing = ({ states }: DueEvidence): CopiedEvidence => ({
  place: { device: { controllerId: '' }, lineNo: 0 },
  family: '',
  periodMs: 0,
  points: [],
  samples: packSamples([]),
  levels: [],
  before: states,
  after: {},
  events: [],
  upstream: [],
  downstream: [],
  commands: [],
})
