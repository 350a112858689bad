import type { downloadReport, Reply, Request } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { parseDate } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { issueLogged } from '../../http/table-file.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import type { Accounts } from '../account/service.ts'
import type { Core } from '../server-area.ts'
import { wrong } from './device-table.ts'
import { kindOf } from './kinds.ts'
import { createSmtp } from './mail/smtp.ts'
import { askedOf, createMakeRun, maySend } from './make-run.ts'
import { createPostman, runAt } from './postman.ts'
import { createRecipients } from './recipients.ts'
import { createSchedules } from './schedules.ts'

/** Everything of reports that go out by themselves. */
export function createScheduled(core: Core, accounts: Pick<Accounts, 'actorOf'>) {
  const { database, plant, reports, config, clock, dueClock, ingest, log } = core
  const { mail } = config
  const smtp = mail && createSmtp(mail)
  const makeRun = createMakeRun({
    ...{ database, plant, reports, accounts, mail },
    onFailed: (run) => noteFailure(run.project_id, 'report.failed', failedText),
  })
  const postman = createPostman({
    ...{ database, dueClock, mail, smtp, makeRun, log },
    zoneOf: (projectId) => plant.projects.get(projectId)?.timeZone ?? null,
    onEnd: ({ project_id, lost }) => {
      if (lost > 0) noteFailure(project_id, 'report.lost', lostText)
    },
  })
  const schedules = createSchedules({ database, reports, mail, clock, poke: postman.poke })
  return { schedules, recipients: createRecipients({ database, schedules, mail, smtp, clock }), postman, download, clock }

  /** The file of a report as whoever asks may see it, of any of its periods. */
  async function download(
    actor: Actor,
    project: PlantProject,
    { ScheduleID, From, Language }: Request<typeof downloadReport>['body'],
  ): Promise<Reply<typeof downloadReport>> {
    const schedule = await schedules.scheduleOf(actor, project, ScheduleID)
    if (!maySend(actor, project, schedule.kind)) throw new Refusal('access denied')
    const now = clock()
    const day = From === undefined ? null : parseDate(From)
    if (From !== undefined && day === null) throw wrong('From', { zh: '请填写存在的日期', en: 'must be a date that exists' })
    const { firstDay, endDay } = periodFrom(schedule.period, project.timeZone, day, now)
    const source = reports.of(kindOf(schedule))
    await source.check(actor, project, schedule.scope)
    const asked = askedOf(schedule, project, { first_day: firstDay, end_day: endDay }, now)
    const { file } = await source.make(actor, { ...asked, language: Language })
    return issueLogged(core, actor, file, {
      ...by(actor, now, 'report.export', project.ownerId),
      ...{ subject: aboutNothing, target: `${project.name} · ${schedule.name}` },
      after: { from: asked.from, to: asked.to, format: schedule.format },
    })
  }

  /** Whoever sees the first gateway of the project is told. */
  function noteFailure(projectId: number, key: string, label: Text): void {
    const gateway = [...plant.gateways.values()].find(({ project }) => project.id === projectId)
    if (!gateway) {
      log.warn({ project: projectId, key }, label.en)
      return
    }
    const event: EventDraft = {
      ...{ act: 'note', kind: 'journal', priority: 'low', key, label, gateway, line: null, at: clock(), historical: false },
      ...{ point: null, value: null, limit: null, unit: '' },
    }
    ingest.note(event)
  }
}

const failedText: Text = { zh: '定时报表生成失败', en: 'Scheduled report could not be made' }
const lostText: Text = { zh: '定时报表未送达部分收件人', en: 'Scheduled report did not reach all recipients' }

/** The period that holds a day; without one the last that is over. */
function periodFrom(unit: 'day' | 'week' | 'month', timeZone: string, day: number | null, now: number) {
  if (day === null) return runAt(unit, timeZone, now)
  const dates = { day: 1, week: 7, month: 31 }[unit]
  // At noon of the first date after it: no clock change reaches there.
  const after = new Date(day * 86_400_000)
  const next = unit === 'month' ? Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + 1, 1) : (day + dates) * 86_400_000
  return runAt(unit, 'UTC', next + 43_200_000)
}

export type Scheduled = ReturnType<typeof createScheduled>
