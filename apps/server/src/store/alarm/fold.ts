import type { Folding, Incident } from '@linewarden/rules/alarm'
import { alarmAfter, callsAgain, canBeFolded, foldIncidents, isOfCause, openAlarmStates, placeKey } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { Run } from '../core/run.ts'
import type { Announcement } from './announcement.ts'
import type { EventRow } from './event.ts'
import type { FoldedIncident, FoldingRead } from './fold-read.ts'
import { foldEventOf, incidentOf, isMadeRoot, placesOf, readFolding } from './fold-read.ts'
import { raiseRoot, raiseRootAgain, stepRoot } from './incident-root.ts'
import { closeDissolved, leaveEarlier, writeIncidents } from './incident-write.ts'
import type { EventStep } from './step.ts'
import { conditionOf, writeSteps } from './step.ts'

/** An event that folding has changed. */
export interface MovedEvent {
  readonly row: EventRow
  /** To be announced: the server raised it for an incident, or it stands alone now. */
  readonly why: Announcement['why'] | null
}

/** What came of folding beside what was stored. */
export interface FoldedAside {
  /** Other events that it has changed. */
  readonly moved: readonly MovedEvent[]
  /** The exception by which it failed; null: it did not. */
  readonly failed: unknown
}

/** Whether an event may be the cause of others, or one that a cause explains. */
export const isFoldingMatter = ({ key, gateway_id, historical }: Pick<EventRow, 'key' | 'gateway_id' | 'historical'>): boolean =>
  !historical && gateway_id !== null && (isOfCause(key) || canBeFolded(key))

/** Folding never waits long for a row that somebody has: they may wait for this one, and the look that comes each second folds as well. */
export const waitsBriefly = `set local lock_timeout = '100ms'`

/** Whether folding gave way to whoever has a row that it needs. */
export const isWaitedFor = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03'

/** More than these no transaction takes of PostgreSQL's table of locks, however many projects it concerns. */
const turns = 500

/**
 * One at a time in a project, on whichever server: else neither would see what the other is about to store. Projects may share a turn. All
 * are taken at once, in the order that everybody keeps.
 */
export async function takeTurn(run: Run, projectIds: readonly number[]): Promise<void> {
  if (projectIds.length === 0) return
  const wanted = [...new Set(projectIds.map((id) => id % turns))].sort((a, b) => a - b)
  await run(sql`select pg_advisory_xact_lock(hashtext('incident'), turn) from unnest(${wanted}::int[]) as turn`)
}

/**
 * Folds events that this transaction has stored into incidents, and what these explain that was there before. Answers whatever it has
 * changed. What somebody else is about to change at this moment it leaves to the look that comes after.
 */
export async function foldEvents(
  run: Run,
  stored: readonly { readonly row: EventRow; readonly isNew: boolean }[],
  now: number,
): Promise<readonly MovedEvent[]> {
  const own = new Map(stored.flatMap(({ row, isNew }) => (isFoldingMatter(row) ? [[row.event_id, isNew] as const] : [])))
  if (own.size === 0) return []
  const came = [...new Map(stored.flatMap(({ row }) => (own.has(row.event_id) ? [[row.event_id, row] as const] : []))).values()]
  await takeTurn(run, [...new Set(came.map(({ project_id }) => project_id))])
  return fold(run, await readFolding(run, came, now), { came, own, now })
}

/** The same of a project whose incidents are open: by their roots as these are now. */
export async function foldAgain(run: Run, projectId: number, now: number): Promise<readonly MovedEvent[]> {
  await takeTurn(run, [projectId])
  const roots = await run(sql<EventRow>`
    select event.* from incident join event on event_id = root_event_id
    where incident.project_id = ${projectId} and closed_at is null and event.project_id = ${projectId}`)
  const came = roots.filter(isFoldingMatter)
  return fold(run, await readFolding(run, came, now, projectId), { came, own: new Map(), now })
}

interface Came {
  readonly came: readonly EventRow[]
  /** Events that this transaction has written, and whether they are to be announced. */
  readonly own: ReadonlyMap<string, boolean>
  readonly now: number
}

async function fold(run: Run, read: FoldingRead, { came, own, now }: Came): Promise<readonly MovedEvent[]> {
  const places = placesOf(read.incidents)
  const event = (row: EventRow) => foldEventOf(row, places, now)
  const known = { incidents: read.incidents.map(incidentOf), events: [...read.events.values()].map(event) }
  const folding = foldIncidents(known, came.map(event), read.topology, now)
  return new Write(run, read, own, now).all(folding)
}

/** Writes what has come of it. */
class Write {
  readonly #run: Run
  readonly #read: FoldingRead
  readonly #own: ReadonlyMap<string, boolean>
  readonly #now: number
  readonly #moved = new Map<string, Announcement['why'] | null>()

  constructor(run: Run, read: FoldingRead, own: ReadonlyMap<string, boolean>, now: number) {
    this.#run = run
    this.#read = read
    this.#own = own
    this.#now = now
  }

  async all({ incidents, parents }: Folding): Promise<readonly MovedEvent[]> {
    const before = new Map(this.#read.incidents.map((row) => [placeKey(incidentOf(row)), row]))
    const after = await writeIncidents(this.#run, before, incidents)
    const dissolved = [...before].flatMap(([key, row]) => (incidents.has(key) ? [] : [row]))
    await this.#move(parents, before, after)
    for (const [key, row] of after) await this.#show(row, incidents.get(key), before.get(key))
    for (const row of dissolved) await this.#dissolve(row)
    return this.#result()
  }

  /** Folds what is explained otherwise than before, and lets go what no longer is. */
  async #move(
    parents: Folding['parents'],
    before: ReadonlyMap<string, FoldedIncident>,
    after: Map<string, FoldedIncident>,
  ): Promise<void> {
    const placeOf = placesOf([...before.values()])
    const wanted = new Map<string, string | null>()
    for (const [id, parent] of parents) {
      const row = this.#read.events.get(id)
      if (!row?.state || row.state === 'normal') continue
      const present = row.folded && row.incident_id !== null ? (placeOf.get(row.incident_id) ?? null) : null
      // What is folded into an incident that is over stands alone by time.
      if (present === parent || (parent === null && row.folded && present === null)) continue
      wanted.set(id, parent)
    }
    const rows = await this.#locked([...wanted.keys()])
    const steps: EventStep[] = []
    const gained = new Map<string, number>()
    for (const row of rows) {
      const parent = wanted.get(row.event_id) ?? null
      const incident = parent === null ? undefined : after.get(parent)
      if (parent !== null && !incident) continue
      if (incident) gained.set(incident.incident_id, (gained.get(incident.incident_id) ?? 0) + 1)
      steps.push(incident ? this.#fold(row, incident) : this.#letGo(row))
    }
    await writeSteps(this.#run, steps)
    if (gained.size === 0) return
    const counted = await this.#run(sql<FoldedIncident>`
      update incident set folded = folded + gained, emptied_at = null
      from unnest(${[...gained.keys()]}::bigint[], ${[...gained.values()]}::int[]) as by (id, gained)
      where incident_id = id returning incident.*`)
    const counts = new Map(counted.map(({ incident_id, folded }) => [incident_id, folded]))
    for (const [key, row] of after) {
      const folded = counts.get(row.incident_id)
      if (folded !== undefined) after.set(key, { ...row, folded })
    }
  }

  #fold(row: EventStep['row'], incident: FoldedIncident): EventStep {
    this.#moved.set(row.event_id, this.#moved.get(row.event_id) ?? null)
    const into = { incidentId: incident.incident_id, rootGatewayId: incident.gateway_id }
    return { row, act: 'fold', at: this.#now, actor: null, into, isUnannounced: this.#own.get(row.event_id) === true }
  }

  #letGo(row: EventStep['row']): EventStep {
    const step = { row, act: 'alone', at: this.#now, actor: null } as const
    const isAnnounced = callsAgain('alone', alarmAfter(conditionOf(row), row.priority, step), this.#now)
    this.#moved.set(row.event_id, isAnnounced ? 'alone' : null)
    return { ...step, isAnnounced }
  }

  /** The root of an incident that has children: that which the equipment raised, else one that the server raises. */
  async #show(row: FoldedIncident, incident: Incident | undefined, before: FoldedIncident | undefined): Promise<void> {
    if (!incident || row.folded === 0) return
    const made = before && isMadeRoot(before.root_key) ? before.root_event_id : null
    if (incident.rootId !== null) {
      const merged = made && (await stepRoot(this.#run, made, 'merge', this.#now))
      if (merged) this.#moved.set(merged.event_id, null)
      if (!before || before.folded === 0 || before.root_event_id !== incident.rootId)
        await this.#setRoot(row.incident_id, incident.rootId)
      return
    }
    if (made === null) await this.#raiseRoot(row, incident)
    else if (before?.ended_at?.getTime() !== (incident.endedAt ?? undefined)) {
      const { endedAt, raisedAt } = incident
      const stepped = await stepRoot(this.#run, made, endedAt === null ? 'raise' : 'return', endedAt ?? raisedAt)
      // Whoever knows of the incident is not called again because it goes on.
      if (stepped) this.#moved.set(made, null)
    } else if (incident.kind === 'platform' && incident.endedAt === null) {
      const again = await raiseRootAgain(this.#run, made, incident.raisedAt, this.#now)
      if (again) this.#moved.set(made, again.isNew ? 'raise' : null)
    }
  }

  async #raiseRoot(row: FoldedIncident, { openedAt, endedAt }: Incident): Promise<void> {
    const raised = await raiseRoot(this.#run, row, openedAt, this.#now)
    if (!raised) return
    const { event_id } = raised.row
    // Known only when it was over already.
    if (endedAt !== null) await stepRoot(this.#run, event_id, 'return', endedAt)
    this.#moved.set(event_id, raised.isNew && endedAt === null ? 'raise' : null)
    await this.#setRoot(row.incident_id, event_id)
  }

  async #setRoot(incidentId: string, rootId: string): Promise<void> {
    await leaveEarlier(this.#run, incidentId, rootId)
    const changed = await this.#run(sql<{ event_id: string }>`
      with shown as (update incident set root_event_id = ${rootId} where incident_id = ${incidentId} and root_event_id is distinct from ${rootId})
      update event set root_of = case when event_id = ${rootId} then ${incidentId}::bigint end
      where (root_of = ${incidentId} and event_id <> ${rootId}) or (event_id = ${rootId} and root_of is distinct from ${incidentId})
      returning event_id`)
    for (const { event_id } of changed) this.#moved.set(event_id, this.#moved.get(event_id) ?? null)
  }

  /** It never was one incident, as came out: its root goes, too, if the server raised it. */
  async #dissolve(row: FoldedIncident): Promise<void> {
    await closeDissolved(this.#run, row.incident_id, this.#now)
    const gone = await this.#run(sql<{ event_id: string }>`
      update event set root_of = null where root_of = ${row.incident_id} returning event_id`)
    for (const { event_id } of gone) this.#moved.set(event_id, null)
    if (row.root_event_id !== null && isMadeRoot(row.root_key)) await stepRoot(this.#run, row.root_event_id, 'merge', this.#now)
  }

  /** Those of these events that nobody else is about to change, as they are now. */
  async #locked(ids: readonly string[]): Promise<EventStep['row'][]> {
    if (ids.length === 0) return []
    const rows = await this.#run(sql<EventRow>`
      select * from event where event_id = any(${[...ids]}::bigint[]) and state = any(${openAlarmStates}) and not stands_alone
        and suppressed is distinct from 'tag'
      order by event_id for update skip locked`)
    return rows.flatMap((row) => (row.state === null ? [] : [{ ...row, state: row.state }]))
  }

  async #result(): Promise<readonly MovedEvent[]> {
    if (this.#moved.size === 0) return []
    const rows = await this.#run(sql<EventRow>`
      select * from event where event_id = any(${[...this.#moved.keys()]}::bigint[]) order by event_id`)
    return rows.map((row) => ({ row, why: this.#moved.get(row.event_id) ?? null }))
  }
}
