import type { ReportFormat } from '@linewarden/contract'
import { insertReportSchedule, Refusal, reportKinds, textOf } from '@linewarden/contract'
import { minuteMs } from '@linewarden/equipment'
import { mayCall, permits } from '@linewarden/rules/account'
import { civilZone } from '@linewarden/rules/automation'
import { startOfDay } from '@linewarden/rules/energy'
import { sendingOf } from '@linewarden/rules/report'
import type { Actor } from '../../access/actor.ts'
import type { SessionCheck } from '../../access/session-check.ts'
import type { ReportAsked, ReportSources } from '../../http/report-source.ts'
import type { MailConfig } from '../../lib/mail-setting.ts'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { mailAccounts } from '../../store/report/recipient-account.ts'
import type { LeasedRun, RunRecipient } from '../../store/report/run.ts'
import { failRun, putOffRun, storeRun } from '../../store/report/run.ts'
import type { ScheduleRow } from '../../store/report/schedule.ts'
import { findSchedule, recipientsWithTokens } from '../../store/report/schedule.ts'
import { kindOf } from './kinds.ts'
import { reportFile } from './mail/report-letter.ts'

/** What is lacking is looked for again so often. */
const lookAgainMs = 15 * minuteMs
/** A run that breaks off so often, as by its server's end, is given up. */
const maxTries = 5

export interface MakeRunDeps {
  readonly database: Database
  readonly plant: Plant
  readonly reports: ReportSources
  readonly accounts: Pick<SessionCheck, 'actorOf'>
  readonly mail: MailConfig | null
  /** Told of a run that could not be made, once. */
  readonly onFailed: (run: LeasedRun, why: { readonly zh: string; readonly en: string }) => void
}

/** Makes a run that this server has: waits while something is lacking, then stores what is sent and to whom. */
export function createMakeRun({ database, plant, reports, accounts, mail, onFailed }: MakeRunDeps) {
  const db = database.general
  return async (run: LeasedRun): Promise<void> => {
    try {
      if (run.tries > maxTries) throw new Refusal('report broken off')
      await make(run)
    } catch (error) {
      // The database may be back, and the run is begun again when its hold is over; what was refused stays refused.
      if (!(error instanceof Refusal)) throw error
      const { zh, en } = textOf(error.key, error.detail)
      if (await failRun(db, run, { zh, en })) onFailed(run, { zh, en })
    }
  }

  async function make(run: LeasedRun): Promise<void> {
    const schedule = await findSchedule(db, run.schedule_id)
    const project = plant.projects.get(run.project_id)
    if (!schedule || !project) throw new Refusal('report schedule not exists')
    const actor = await makerOf(schedule, project)
    const source = reports.of(kindOf(schedule))
    await source.check(actor, project, schedule.scope)
    const asked = askedOf(schedule, project, run, run.now)
    const known = await source.known(actor, { ...asked, language: 'CN' })
    const sending = sendingOf({ known, end: run.end_day }, civilZone(project.timeZone), run.now)
    if (sending === 'waits') return putOffRun(db, run, run.now + lookAgainMs, known)
    const recipients = await recipientsNow(schedule, project)
    if (recipients.length === 0) throw new Refusal('report has no recipient')
    const files = []
    for (const language of new Set(recipients.map((each) => each.language))) {
      const made = await source.make(actor, { ...asked, language })
      files.push(
        await reportFile(made, {
          mail,
          schedule,
          project,
          asked: { ...asked, language },
          known,
          isLacking: sending === 'withNote',
        }),
      )
    }
    await storeRun(database, run, { files, recipients, known })
  }

  /** Whoever set it up, with the rights of now. */
  async function makerOf({ made_by, owner_id, kind }: ScheduleRow, project: PlantProject): Promise<Actor> {
    if (owner_id !== project.ownerId) throw new Refusal('report project moved')
    const actor = made_by === null ? null : await accounts.actorOf(made_by, '', '', null)
    if (!actor || !maySend(actor, project, kind)) throw new Refusal('report rights gone')
    return actor
  }

  /** Addresses that have agreed and not left, and accounts that still see something of the project. */
  async function recipientsNow({ schedule_id }: ScheduleRow, project: PlantProject): Promise<RunRecipient[]> {
    const rows = await recipientsWithTokens(db, schedule_id)
    const known = await mailAccounts(
      db,
      rows.flatMap(({ account_id }) => account_id ?? []),
    )
    const found: RunRecipient[] = []
    for (const { recipient_id: recipientId, account_id, language, token, ...row } of rows) {
      if (row.left_at !== null) continue
      const address = account_id === null ? (row.agreed_at === null ? null : row.address) : (known.get(account_id)?.email ?? null)
      if (!address) continue
      const reader = account_id === null ? null : await accounts.actorOf(account_id, '', '', null)
      if (account_id !== null && !reader?.seesPart(project.id)) continue
      found.push({ recipientId, address, language, token })
    }
    return found
  }
}

/** Whether somebody may have this report sent. */
export const maySend = (actor: Actor, project: PlantProject, kind: string): boolean =>
  !actor.shared &&
  actor.sees(project.id) &&
  mayCall(insertReportSchedule, actor) &&
  permits(reportKinds[kindOf({ kind })].page, actor)

/** What a schedule asks for of one period. */
export function askedOf(
  { scope, format, period: unit }: Pick<ScheduleRow, 'scope' | 'format' | 'period'>,
  project: PlantProject,
  { first_day: first, end_day: end }: Pick<LeasedRun, 'first_day' | 'end_day'>,
  now: number,
): Omit<ReportAsked, 'language'> & { readonly format: ReportFormat } {
  const zone = civilZone(project.timeZone)
  const [from, to] = [startOfDay(zone, first), startOfDay(zone, end)]
  return { project, unit, period: { first, end }, from, to, scope, format, now }
}
