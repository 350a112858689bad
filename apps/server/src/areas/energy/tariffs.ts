import type {
  insertTariff as insertCall,
  List,
  publishTariff,
  Reply,
  Request,
  saveTariffDraft,
  Tariff,
  TariffContent,
  TariffVersionRecord,
  tariffDays,
} from '@linewarden/contract'
import { aboutNothing, Refusal, ruledTariff, tariffProblemText, textOf } from '@linewarden/contract'
import { parseDate, yearOf } from '@linewarden/rules/automation'
import { dayTypeOf, tariffProblems, versionProblems } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { DraftRefusal, TariffHeadRow, TariffVersionRow, VersionColumns } from '../../store/energy/tariff.ts'
import {
  findTariff,
  findVersion,
  headsOf,
  headsOfProject,
  insertTariff,
  publishVersion,
  saveDraft,
  tariffsOf,
} from '../../store/energy/tariff.ts'
import { publicDaysIn } from './public-days.ts'
import { contentOf, publishedDates, sealed, tariffRecord, versionOf, versionRecord } from './tariff-record.ts'

export type Tariffs = ReturnType<typeof createTariffs>

interface Deps {
  readonly database: Database
  readonly clock: () => number
}

const maxTariffs = 20
export const maxVersions = 200

/** What energy costs: tariffs of a project, their versions and how one is published. */
export function createTariffs({ database, clock }: Deps) {
  return {
    async list(actor: Actor, project: PlantProject): Promise<List<Tariff>> {
      const { tariffs, versions } = await withRowSecurity(database, actor.scope, async ({ general }) => ({
        tariffs: await tariffsOf(general, project.id),
        versions: await headsOfProject(general, project.id),
      }))
      const items = tariffs.map((tariff) => tariffRecord(tariff, versions, !actor.shared))
      return { items, total: items.length }
    },

    async version(actor: Actor, project: PlantProject, versionId: number): Promise<TariffVersionRecord> {
      return withRowSecurity(database, actor.scope, async ({ general }) => {
        const row = await findVersion(general, project.id, versionId)
        const tariff = row && (await findTariff(general, project.id, row.tariff_id))
        if (!row || !tariff) throw new Refusal('tariff version not exists')
        return versionRecord(tariff, row, await headsOf(general, row.tariff_id), !actor.shared)
      })
    },

    async insert(actor: Actor, project: PlantProject, { Name }: Request<typeof insertCall>['body']): Promise<Tariff> {
      if (actor.shared) throw new Refusal('access denied')
      const name = Name.trim()
      const audit = { ...auditOf(actor, project, 'tariff.add', name), after: { name } }
      const row = await insertTariff(database, { ...placeOf(project), name, most: maxTariffs }, audit)
      if (row === 'noProject') throw new Refusal('project not exists')
      if (row === 'named') throw new Refusal('tariff name used', {}, [{ Path: 'body.Name', Text: textOf('tariff name used') }])
      if (row === 'many') throw new Refusal('too many', { what: { zh: '电价', en: 'tariffs' }, most: maxTariffs })
      return tariffRecord(row, [], true)
    },

    async saveDraft(
      actor: Actor,
      project: PlantProject,
      { TariffID, VersionID, Version, Content }: Request<typeof saveTariffDraft>['body'],
    ): Promise<Reply<typeof saveTariffDraft>> {
      if (actor.shared) throw new Refusal('access denied')
      const asked = {
        ...placeOf(project),
        tariffId: TariffID,
        versionId: VersionID ?? null,
        version: Version,
        most: maxVersions,
      }
      const action = Content === null ? 'tariff.remove' : 'tariff.draft'
      const saved = await saveDraft(database, { ...asked, columns: Content && columnsOf(Content) }, (tariff) => ({
        ...auditOf(actor, project, action, tariff.name),
        after: Content && { from: Content.From, to: Content.To, source: Content.Source },
      }))
      if (typeof saved === 'string') throw refusalOf(saved)
      return saved && this.version(actor, project, saved.version_id)
    },

    async publish(
      actor: Actor,
      project: PlantProject,
      { VersionID, Version }: Request<typeof publishTariff>['body'],
    ): Promise<TariffVersionRecord> {
      if (actor.shared) throw new Refusal('access denied')
      const asked = { ...placeOf(project), versionId: VersionID, version: Version }
      const saved = await publishVersion(
        database,
        asked,
        (draft, others, tariff) => {
          refuseWrong(draft, others)
          return { at: clock(), name: actor.userName, ...sealed(tariff, draft) }
        },
        (tariff, row) => ({
          ...auditOf(actor, project, 'tariff.publish', tariff.name),
          after: { number: row.number, from: contentOf(row).From, to: contentOf(row).To, source: row.source, sha256: row.sha256 },
        }),
      )
      if (typeof saved === 'string') throw refusalOf(saved)
      return this.version(actor, project, saved.version_id)
    },

    async days(actor: Actor, project: PlantProject, year: number): Promise<Reply<typeof tariffDays>> {
      const { calendar, days } = await withRowSecurity(database, actor.scope, (db) => publicDaysIn(database, project, db))
      const ofYear = days.flatMap(({ date, name, origin }) => {
        const day = parseDate(date)
        return day !== null && yearOf(day) === year
          ? [{ Date: date, DayType: dayTypeOf(calendar, day), Name: name === '' ? null : name, IsBundled: origin === 'bundle' }]
          : []
      })
      return { IsEntered: calendar.hasYear(year), Days: ofYear }
    },
  }

  type Action = 'tariff.add' | 'tariff.draft' | 'tariff.remove' | 'tariff.publish'
  function auditOf(actor: Actor, project: PlantProject, action: Action, name: string) {
    return { ...by(actor, clock(), action, project.ownerId), subject: aboutNothing, target: `${project.name} · ${name}` }
  }
}

export const placeOf = ({ id: projectId, ownerId: owner }: PlantProject) => ({ projectId, owner })

/** All that stands against publishing, at once. */
export function refuseWrong(draft: TariffVersionRow, others: readonly TariffHeadRow[]): void {
  const content = contentOf(draft)
  const version = versionOf(draft)
  const problems = [...tariffProblems(version), ...versionProblems(publishedDates(others), version)]
  if (problems.length === 0) return
  throw new Refusal(
    'tariff wrong',
    { count: problems.length },
    problems.map((problem) => tariffProblemText(problem, content)),
  )
}

/** A draft may be wrong in all but its dates: those are stored as dates. */
export function columnsOf(content: TariffContent): VersionColumns {
  const { From, To, Source, ...rest } = content
  const [from, to] = [parseDate(From), To === null ? null : parseDate(To)]
  const wrong = tariffProblems(ruledTariff(content, { id: 0, publishedAt: null })).find(({ problem }) => problem === 'datesWrong')
  if (from === null || (To !== null && to === null) || wrong)
    throw new Refusal('tariff draft wrong', {}, [{ Path: 'body.Content.To', Text: textOf('tariff draft wrong') }])
  return { from_day: from, to_day: to, source: Source.trim(), content: JSON.stringify(rest) }
}

export function refusalOf(why: DraftRefusal): Refusal {
  switch (why) {
    case 'noProject':
      return new Refusal('project not exists')
    case 'noTariff':
      return new Refusal('tariff not exists')
    case 'gone':
      return new Refusal('tariff version not exists')
    case 'changed':
      return new Refusal('changed meanwhile')
    case 'published':
      return new Refusal('tariff published')
    case 'draft':
      return new Refusal('tariff has draft')
    case 'many':
      return new Refusal('too many', { what: { zh: '电价版本', en: 'versions of a tariff' }, most: maxVersions })
  }
}
