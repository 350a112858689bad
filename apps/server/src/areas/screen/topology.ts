import type { Problem, Request, saveTopology, Topology } from '@linewarden/contract'
import { aboutNothing, Refusal, textOf } from '@linewarden/contract'
import type { BusKey, EnteredTopology, TopologyProblem } from '@linewarden/rules/screen'
import { idOf, topologyProblems } from '@linewarden/rules/screen'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Hub } from '../../plant/hub.ts'
import { treeChanged } from '../../plant/live-topics.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { TopologyContent } from '../../store/screen/schema.ts'
import * as stored from '../../store/screen/topology.ts'

export type Topologies = ReturnType<typeof createTopologies>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Pick<Hub, 'publish'>
  readonly clock: () => number
}

/** Of a project of which nobody has entered it. */
const untold: TopologyContent = {
  Sources: [{ SourceID: 1, Kind: 'grid', Name: '市电', Transformer: null, LineIDs: [] }],
  Buses: [],
  Ties: [],
}

/** How projects are supplied (供电接线). */
export function createTopologies({ database, plant, hub, clock }: Deps) {
  return {
    async read(actor: Actor, project: PlantProject): Promise<Topology> {
      const row = await withRowSecurity(database, actor.scope, ({ general }) => stored.topologyOf(general, project.id))
      return record(project, row?.content ?? untold, row?.version ?? 0)
    },

    /** Of several that the actor sees whole. */
    async readAll(actor: Pick<Actor, 'scope'>, projects: readonly PlantProject[]): Promise<Topology[]> {
      const ids = projects.map(({ id }) => id)
      const rows = await withRowSecurity(database, actor.scope, ({ general }) => stored.topologiesOf(general, ids))
      return projects.map((project) => {
        const row = rows.find(({ project_id }) => project_id === project.id)
        return record(project, row?.content ?? untold, row?.version ?? 0)
      })
    },

    async save(actor: Actor, project: PlantProject, body: Request<typeof saveTopology>['body']): Promise<Topology> {
      if (actor.shared) throw new Refusal('access denied')
      const { Version, ...content } = body
      const audit = (before: TopologyContent | null) => ({
        ...by(actor, clock(), 'topology.save', project.ownerId),
        ...{ subject: aboutNothing, target: project.name, before, after: content },
      })
      const saved = await stored.saveTopology(
        database,
        { projectId: project.id, owner: project.ownerId, version: Version, content },
        (feeders) => refuseWrong(content, feeders),
        audit,
      )
      if (saved === 'noProject') throw new Refusal('project not exists')
      if (saved === 'changed') throw new Refusal('changed meanwhile')
      hub.publish({ live: [treeChanged(project.id)] })
      return record(project, saved.content, saved.version)
    },
  }

  function refuseWrong(content: TopologyContent, feeders: ReadonlyMap<number, number | null>): void {
    const feeding = new Set(feeders.values())
    const nameOf = (lineId: number) => plant.lines.get(lineId)?.name ?? String(lineId)
    const problems = topologyProblems(
      ruled(content),
      (lineId) => feeders.get(lineId),
      (lineId) => feeding.has(lineId),
    )
    if (problems.length === 0) return
    const listed = problems.slice(0, maxListed).map((problem) => problemOf(problem, nameOf))
    throw new Refusal('topology wrong', { count: problems.length }, listed)
  }

  /** Without lines that have gone since it was entered. */
  function record(project: PlantProject, content: TopologyContent, version: number): Topology {
    const isHere = (lineId: number) => plant.lines.get(lineId)?.device.gateway.project === project
    const isBus = (key: string) => !key.startsWith('line:') || isHere(idOf(key as BusKey))
    return {
      HouseID: project.id,
      Sources: content.Sources.map((source) => ({ ...source, LineIDs: source.LineIDs.filter(isHere) })),
      Buses: content.Buses.filter(({ Bus }) => isBus(Bus)),
      Ties: content.Ties.filter(({ LineID, BusA, BusB }) => isHere(LineID) && isBus(BusA) && isBus(BusB)),
      Version: version,
    }
  }
}

/** Somebody who sees twenty knows how to go on. */
const maxListed = 20

const ruled = ({ Sources, Buses, Ties }: TopologyContent): EnteredTopology => ({
  sources: Sources.map(({ SourceID, LineIDs }) => ({ sourceId: SourceID, lines: LineIDs })),
  buses: Buses.map(({ Bus }) => ({ key: Bus as BusKey })),
  ties: Ties.map(({ LineID, BusA, BusB }) => ({ lineId: LineID, busA: BusA as BusKey, busB: BusB as BusKey })),
})

function problemOf(problem: TopologyProblem, nameOf: (lineId: number) => string): Problem {
  switch (problem.problem) {
    case 'sourceTwice':
      return { Path: `body.Sources.${problem.at}.SourceID`, Text: textOf('topology source twice') }
    case 'busTwice':
      return { Path: `body.Buses.${problem.at}.Bus`, Text: textOf('topology bus twice') }
    case 'notHere':
      return { Path: pathOf(problem), Text: textOf('topology not here') }
    case 'lineTwice':
      return { Path: pathOf(problem), Text: textOf('topology line twice', { line: nameOf(problem.lineId) }) }
    case 'fedAlready': {
      const names = { line: nameOf(problem.lineId), feeder: nameOf(problem.feederId) }
      return { Path: pathOf(problem), Text: textOf('topology line fed', names) }
    }
    case 'oneBus':
      return { Path: `body.Ties.${problem.at}`, Text: textOf('topology one bus', { line: nameOf(problem.lineId) }) }
    case 'tieFeeds':
      return { Path: `body.Ties.${problem.at}`, Text: textOf('topology tie feeds', { line: nameOf(problem.lineId) }) }
  }
}

const pathOf = ({ in: place, at }: TopologyProblem & { readonly in: 'sources' | 'buses' | 'ties' }): string =>
  `body.${{ sources: 'Sources', buses: 'Buses', ties: 'Ties' }[place]}.${at}`
