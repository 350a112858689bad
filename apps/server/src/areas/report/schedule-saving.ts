import { randomBytes } from 'node:crypto'
import type { insertReportSchedule, Problem, ReportSchedule, Request } from '@linewarden/contract'
import { aboutNothing, maxSchedules, Refusal, reportKinds, textOf } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { CronProblem } from '@linewarden/rules/report'
import { cronProblem, parseCron, sendTimesAfter } from '@linewarden/rules/report'
import type { Actor } from '../../access/actor.ts'
import { tenantOf } from '../../access/owner.ts'
import { by } from '../../audit/audited.ts'
import type { ReportSources } from '../../http/report-source.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { mailAccounts, mailAccountsOf } from '../../store/report/recipient-account.ts'
import type { RecipientRow, ScheduleColumns, ScheduleRow, WantedRecipient } from '../../store/report/schedule.ts'
import { recipientsOf, saveSchedule } from '../../store/report/schedule.ts'
import { maySend } from './make-run.ts'
import { scheduleRecord } from './schedule-record.ts'

export type ScheduleFields = Request<typeof insertReportSchedule>['body']
type Fields = ScheduleFields

interface Deps {
  readonly database: Database
  readonly reports: ReportSources
  readonly clock: () => number
}

/** Writes a scheduled report, a new one or another version of one. */
export function createScheduleSaving({ database, reports, clock }: Deps) {
  return save

  async function save(
    actor: Actor,
    project: PlantProject,
    body: Fields,
    of: { readonly scheduleId: number; readonly version: number } | null,
  ): Promise<ReportSchedule> {
    if (!maySend(actor, project, body.Kind)) throw new Refusal('access denied')
    await reports.of(body.Kind).check(actor, project, body.Scope)
    const now = clock()
    await refuseWrong(actor, project, body, now)
    const columns = columnsOf(actor, project, body, now)
    const saved = await saveSchedule(
      database,
      {
        ...{ projectId: project.id, owner: project.ownerId, most: maxSchedules, columns, now },
        ...{ scheduleId: of?.scheduleId ?? null, version: of?.version ?? 0, recipients: body.Recipients.map(wantedOf) },
      },
      (before) => ({
        ...entryOf(clock, actor, project, before ? 'reportSchedule.edit' : 'reportSchedule.add', body.Name),
        before: before && { name: before.name, cron: before.cron, enabled: before.enabled },
        after: { ...body, Recipients: body.Recipients.map(({ AccountID, Address }) => AccountID ?? Address) },
      }),
    )
    if (saved === 'noProject') throw new Refusal('project not exists')
    if (saved === 'gone') throw new Refusal('report schedule not exists')
    if (saved === 'changed') throw new Refusal('changed meanwhile')
    if (saved === 'many') throw new Refusal('too many', { what: { zh: '定时报表', en: 'scheduled reports' }, most: maxSchedules })
    const [record] = await scheduleRecords(database, [saved], await recipientsOf(database.general, [saved.schedule_id]))
    if (!record) throw new Refusal('report schedule not exists')
    return record
  }

  async function refuseWrong(actor: Actor, project: PlantProject, body: Fields, now: number): Promise<void> {
    const problems: Problem[] = []
    const add = (Path: string, key: Parameters<typeof textOf>[0]) => problems.push({ Path: `body.${Path}`, Text: textOf(key) })
    const cron = cronProblem(body.Cron, body.Period, civilZone(project.timeZone), now)
    if (cron) add('Cron', cronTexts[cron])
    if (!reportKinds[body.Kind].formats.includes(body.Format)) add('Format', 'report format wrong')
    const own = new Set((await accountsFor(database, actor)).map(({ accountId }) => accountId))
    const seen = new Set<string>()
    body.Recipients.forEach(({ AccountID, Address }, place) => {
      const key = AccountID ?? Address?.toLowerCase() ?? ''
      if ((AccountID === undefined) === (Address === undefined)) add(`Recipients.${place}`, 'report recipient wrong')
      else if (seen.has(key)) add(`Recipients.${place}`, 'report recipient twice')
      else if (AccountID !== undefined && !own.has(AccountID)) add(`Recipients.${place}.AccountID`, 'report account wrong')
      seen.add(key)
    })
    if (problems.length > 0) throw new Refusal('report schedule wrong', { count: problems.length }, problems)
  }
}

/** Administrators send to their people; everybody else to themselves. */
export async function accountsFor(database: Database, actor: Actor) {
  if (actor.administrator) return mailAccountsOf(database.general, tenantOf(actor))
  const own = (await mailAccounts(database.general, [actor.accountId])).get(actor.accountId)
  return own && own.email !== '' ? [own] : []
}

/** As lists show them. */
export async function scheduleRecords(
  database: Database,
  rows: readonly ScheduleRow[],
  recipients: readonly RecipientRow[],
): Promise<ReportSchedule[]> {
  const ids = [...recipients.map(({ account_id }) => account_id), ...rows.map(({ made_by }) => made_by)]
  const accounts = await mailAccounts(
    database.general,
    ids.filter((each) => each !== null),
  )
  const bySchedule = Map.groupBy(recipients, ({ schedule_id }) => schedule_id)
  return rows.map((row) => scheduleRecord(row, bySchedule.get(row.schedule_id) ?? [], accounts))
}

/** As the log has what is done to a scheduled report. */
export function entryOf(
  clock: () => number,
  actor: Actor,
  project: PlantProject,
  action: 'reportSchedule.add' | 'reportSchedule.edit' | 'reportSchedule.remove' | 'reportSchedule.run',
  name: string,
) {
  return { ...by(actor, clock(), action, project.ownerId), subject: aboutNothing, target: `${project.name} · ${name}` }
}

const cronTexts = {
  notCron: 'report cron wrong',
  neverFires: 'report never due',
  twiceInPeriod: 'report due twice',
} as const satisfies Record<CronProblem, Parameters<typeof textOf>[0]>

function columnsOf(actor: Actor, project: PlantProject, body: Fields, now: number): ScheduleColumns {
  const cron = parseCron(body.Cron)
  const next = cron && body.Enabled ? sendTimesAfter(cron, civilZone(project.timeZone), now, 1)[0] : undefined
  return {
    ...{
      kind: body.Kind,
      name: body.Name.trim(),
      scope: JSON.stringify(body.Scope),
      period: body.Period,
      cron: body.Cron.trim(),
    },
    ...{ format: body.Format, enabled: body.Enabled, owner_id: project.ownerId, made_by: actor.accountId },
    next_at: next === undefined ? null : new Date(next),
  }
}

const wantedOf = ({ AccountID, Address, Language }: Fields['Recipients'][number]): WantedRecipient => ({
  ...{ accountId: AccountID ?? null, address: Address ?? null, language: Language },
  token: randomBytes(32).toString('base64url'),
})
