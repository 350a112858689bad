import type {
  AlarmRationaleRecord,
  eventRationale,
  List,
  listAlarmRationales,
  listRationaleChanges,
  RationaleChange,
  Reply,
  Request,
  restoreAlarmRationale,
  updateAlarmRationale,
} from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import { rationaleOf } from '@linewarden/equipment/rationalisation'
import type { RationaleTexts } from '@linewarden/rules/alarm'
import { isDanger, rationaleInForce } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { KeptRationale, RationalePlace } from '../../store/alarm/rationale.ts'
import { changeRationale, changesOfRationale, keptRationalesAt } from '../../store/alarm/rationale.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { CataloguedAlarm } from './alarm-catalogue.ts'
import { alarmCatalogue } from './alarm-catalogue.ts'
import type { AlarmDeps } from './deps.ts'
import type { SeenEvents } from './seen-events.ts'
import { rationaleRecord, textsOf, textsRecord } from './sheet-words.ts'

/** The rationalisation sheet: as it is in force for a project or as a default, and who writes it. */
export function createRationales({ database, plant, clock }: AlarmDeps, { seenEvent }: SeenEvents) {
  return {
    rationaleRows,

    async rationales(actor: Actor, project: PlantProject | null): Promise<Reply<typeof listAlarmRationales>> {
      const items = await rationaleRows(actor, project)
      const Unanswered = items.filter(({ Texts }) => Texts === null).length
      return { items, total: items.length, about: { Unanswered } }
    },

    /** Of one alarm, where it was raised: for whoever sees its event, whatever else they see of the project. */
    async rationale(actor: Actor, eventId: string): Promise<Reply<typeof eventRationale>> {
      const { project_id, key } = await seenEvent(actor, eventId)
      const place = { projectId: project_id, ownerId: plant.projects.get(project_id)?.ownerId ?? null }
      const { origin, texts } = inForce(key, place, await keptRationalesAt(database, place, key))
      return { Origin: origin, Texts: texts && textsRecord(texts) }
    },

    /** Writes it at its place; what it was and has become stands in the log and in its history. */
    async updateRationale(
      actor: Actor,
      project: PlantProject | null,
      { Key, Version, Texts, Reason }: Request<typeof updateAlarmRationale>['body'],
    ): Promise<AlarmRationaleRecord> {
      const alarm = alarmOf(Key)
      const place = placeToChange(actor, project)
      const before = inForce(Key, place, await keptRationalesAt(database, place, Key)).texts
      const after = textsOf(Texts)
      const fixed = isDanger(Key) ? builtInOf(Key)?.priority : undefined
      if (fixed && (fixed.zh !== after.priority.zh || fixed.en !== after.priority.en)) throw new Refusal('priority reason fixed')
      return change(actor, alarm, place, { version: Version, before, after, reason: Reason, restored: false })
    },

    /** Gives up what was written for the level above. */
    async restoreRationale(
      actor: Actor,
      project: PlantProject | null,
      { Key, Version, Reason }: Request<typeof restoreAlarmRationale>['body'],
    ): Promise<AlarmRationaleRecord> {
      const alarm = alarmOf(Key)
      const place = placeToChange(actor, project)
      const kept = await keptRationalesAt(database, place, Key)
      const before = inForce(Key, place, kept).texts
      const above = withoutOwn(kept, place, Version)
      const after = inForce(Key, place, above).texts
      return change(actor, alarm, place, { version: Version, before, after, reason: Reason, restored: true })
    },

    async rationaleChanges(
      actor: Actor,
      project: PlantProject | null,
      { Key, Page = 1, Size = 10 }: Request<typeof listRationaleChanges>['query'],
    ): Promise<List<RationaleChange>> {
      const { key } = alarmOf(Key)
      const place = { ...ownPlaceOf(placeOf(actor, project)), key }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) =>
        changesOfRationale(db, place, { page: Page, size: Size }),
      )
      const items = rows.map(
        (row): RationaleChange => ({
          ...{ Version: row.version, At: row.at.getTime(), By: row.actor, Reason: row.reason, Restored: row.restored },
          Before: row.before && textsRecord(row.before),
          After: row.after && textsRecord(row.after),
        }),
      )
      return { items, total }
    },
  }

  async function rationaleRows(actor: Actor, project: PlantProject | null): Promise<AlarmRationaleRecord[]> {
    const place = placeOf(actor, project)
    const kept = await withRowSecurity(database, actor.scope, (db) => keptRationalesAt(db, place))
    return [...alarmCatalogue().values()].map((alarm) => recordAt(alarm, place, kept))
  }

  async function change(
    actor: Actor,
    alarm: CataloguedAlarm,
    place: RationalePlace,
    change: {
      readonly version: number
      readonly before: RationaleTexts | null
      readonly after: RationaleTexts | null
      readonly reason: string | undefined
      readonly restored: boolean
    },
  ): Promise<AlarmRationaleRecord> {
    const { key, label } = alarm
    const project = place.projectId === null ? undefined : plant.projects.get(place.projectId)
    const audit = {
      ...by(actor, clock(), change.restored ? 'rationale.restore' : 'rationale.edit', place.ownerId),
      subject: aboutNothing,
      target: project ? `${project.name} · ${label.zh}` : label.zh,
    }
    const written = { ...change, ...ownPlaceOf(place), key, reason: change.reason?.trim() ?? '' }
    if ((await changeRationale(database, written, audit)) === 'changed') throw new Refusal('changed meanwhile')
    return recordAt(alarm, place, await keptRationalesAt(database, place, key))
  }
}

/** What stays when that of a place is given up. Whoever has read that nothing is written there is refused. */
function withoutOwn(kept: readonly KeptRationale[], place: RationalePlace, version: number): readonly KeptRationale[] {
  const own = kept.find((each) => isOf(each, place))
  if (!own?.inForce && (own?.version ?? 0) === version) throw new Refusal('rationale not written')
  return kept.filter((each) => each !== own)
}

const placeOf = (actor: Actor, project: PlantProject | null): RationalePlace =>
  project ? { projectId: project.id, ownerId: project.ownerId } : { projectId: null, ownerId: actor.tenant }

function placeToChange(actor: Actor, project: PlantProject | null): RationalePlace {
  if (!project && !actor.administrator) throw new Refusal('default rationale by administrators')
  return placeOf(actor, project)
}

/** As it is stored: what is written for a project goes with the project, whoever owns it. */
const ownPlaceOf = (place: RationalePlace): RationalePlace =>
  place.projectId === null ? place : { projectId: place.projectId, ownerId: null }

const isOf = (kept: KeptRationale, { projectId }: RationalePlace): boolean => kept.projectId === projectId

function alarmOf(key: string): CataloguedAlarm {
  const alarm = alarmCatalogue().get(key)
  if (!alarm) throw new Refusal('alarm key not exists', { key })
  return alarm
}

function builtInOf(key: string): RationaleTexts | null {
  const found = rationaleOf(key)
  if (!found) return null
  const { key: _, ...texts } = found
  return texts
}

/** What is in force at a place. */
export function inForce(key: string, place: RationalePlace, kept: readonly KeptRationale[]) {
  return rationaleInForce(
    key,
    builtInOf(key),
    place,
    kept.filter((each) => each.inForce),
  )
}

function recordAt(alarm: CataloguedAlarm, place: RationalePlace, kept: readonly KeptRationale[]): AlarmRationaleRecord {
  const own = kept.find((each) => each.key === alarm.key && isOf(each, place))
  return rationaleRecord(alarm, place.projectId, inForce(alarm.key, place, kept), own)
}
