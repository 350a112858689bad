import { setTimeout as wait } from 'node:timers/promises'
import { civilZone } from '@linewarden/rules/automation'
import type { ReportPeriod } from '@linewarden/rules/report'
import { afterAttempt, leaseMs, parseCron, periodBefore, sendTimesAfter, sendTimesBetween } from '@linewarden/rules/report'
import type { Logger } from 'pino'
import { Loop } from '../../lib/every.ts'
import { caught } from '../../lib/faults.ts'
import type { MailConfig } from '../../lib/mail-setting.ts'
import type { Database } from '../../store/core/database.ts'
import type { LeaseClock } from '../../store/jobs/due-work.ts'
import type { EndedRun, LeasedDelivery } from '../../store/report/delivery.ts'
import { claimDeliveries, endDelivery, endRuns, fileOf, freeDeliveries, handOver } from '../../store/report/delivery.ts'
import type { DueRun, LeasedRun } from '../../store/report/run.ts'
import { claimRun, makeDueRuns, purgeReportFiles } from '../../store/report/run.ts'
import type { ScheduleRow } from '../../store/report/schedule.ts'
import { leaveMark } from './kinds.ts'
import { letterBytes } from './mail/letter.ts'
import { leaveUrlOf } from './mail/links.ts'
import type { Smtp } from './mail/smtp.ts'

const everyMs = 5_000
/** Connections to the mail server at once. */
const lanes = 8
/** Of what was due while no server ran only the newest is sent; so many more are shown as missed. */
const maxMissed = 40

interface Deps {
  readonly database: Database
  readonly dueClock: LeaseClock
  readonly mail: MailConfig | null
  readonly smtp: Smtp | null
  /** The zone of a project; null: it is gone. */
  readonly zoneOf: (projectId: number) => string | null
  readonly makeRun: (run: LeasedRun) => Promise<void>
  /** Told once of each run of which something did not arrive, and of each that is over. */
  readonly onEnd: (run: EndedRun) => void
  readonly log: Logger
}

/**
 * Sends what is due: schedules become runs, runs are made, and each of their mails goes out by itself. Every step is a claim in the database, so
 * any number of servers may work at it, and be killed at any step (ADR 166).
 */
export function createPostman({ database, dueClock, mail, smtp, zoneOf, makeRun, onEnd, log }: Deps) {
  const db = database.general
  const loop = new Loop(everyMs, () => work(), {
    log,
    failed: 'reports could not be sent; it is tried again',
    spaced: true,
    unref: true,
  })
  return {
    start: () => void loop.start(),
    /** One round now. */
    work,
    /** Looks at once, as something is due by a person's word. */
    poke: () => void loop.tickAnew(),
    // A mail server may hang: what is under way is found by whoever runs next, when its hold is over.
    close: () => Promise.race([loop.close(), wait(5_000, undefined, { ref: false })]),
  }

  async function work(): Promise<void> {
    await makeDueRuns(database, dueClock, plan)
    for (let run = await next(); run; run = await next())
      // One that cannot be made keeps no other from its turn; it is begun again when its hold is over.
      await makeRun(run).catch((error: unknown) => caught(log, 'job', error))
    await freeDeliveries(db, dueClock)
    if (mail && smtp) await allDone(Array.from({ length: lanes }, () => deliverAll(mail, smtp)))
    const ended = await endRuns(database)
    for (const run of ended) onEnd(run)
    if (ended.length > 0) await purgeReportFiles(database)
  }

  function next(): Promise<LeasedRun | null> {
    return claimRun(db, dueClock, leaseMs)
  }

  /** Until nothing is due: each lane has one mail in hand. */
  async function deliverAll(config: MailConfig, by: Smtp): Promise<void> {
    while (!loop.isClosed) {
      const [delivery] = await claimDeliveries(db, dueClock, 1, leaseMs)
      if (!delivery) return
      await deliver(delivery, config, by)
    }
  }

  async function deliver(delivery: LeasedDelivery, config: MailConfig, by: Smtp): Promise<void> {
    const file = await fileOf(db, delivery)
    if (!file) throw new Error(`run ${delivery.run_id} has nothing to send in ${delivery.language}`)
    const leaveUrl = leaveUrlOf(config, delivery.token)
    const bytes = await letterBytes(config, {
      ...{ to: delivery.address, language: delivery.language, at: delivery.now, leaveUrl },
      ...{
        subject: file.subject,
        text: file.body.replaceAll(leaveMark, leaveUrl),
        html: file.html.replaceAll(leaveMark, leaveUrl),
      },
      id: [`run ${delivery.run_id}`, `recipient ${delivery.recipient_id}`],
      file: file.bytes && { name: file.file_name, type: file.type, bytes: file.bytes },
    })
    const attempted = await by.send({ to: delivery.address, bytes }, () => handOver(db, delivery, dueClock))
    const { code, answer } = attempted
    const after = afterAttempt(attempted, delivery.tries)
    const end =
      after.state === 'later'
        ? { nextAt: delivery.now + after.inMs, state: 'refused' as const }
        : { nextAt: null, state: after.state }
    await endDelivery(db, delivery, { code, answer, ...end })
  }

  async function plan(schedule: ScheduleRow, now: number): Promise<{ runs: readonly DueRun[]; nextAt: number | null }> {
    const zone = zoneOf(schedule.project_id)
    return zone === null ? { runs: [], nextAt: null } : dueRuns(schedule, zone, now)
  }
}

/** One that breaks off keeps none of the others from their end. */
async function allDone(all: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(all)).find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
}

/** The runs of a schedule that is due, each period once, and when it is due next. */
export function dueRuns(
  { cron: text, period, next_at }: Pick<ScheduleRow, 'cron' | 'period' | 'next_at'>,
  timeZone: string,
  now: number,
) {
  const cron = parseCron(text)
  if (!cron || next_at === null) return { runs: [], nextAt: null }
  const zone = civilZone(timeZone)
  const due = sendTimesBetween(cron, zone, next_at.getTime() - 1, now, maxMissed)
  const runs = due.map((at, place): DueRun => ({ ...runAt(period, timeZone, at), isMissed: place < due.length - 1 }))
  return { runs, nextAt: sendTimesAfter(cron, zone, now, 1)[0] ?? null }
}

/** The run that is of the last period before an instant. */
export function runAt(period: ReportPeriod, timeZone: string, at: number): DueRun {
  const { first, end } = periodBefore(period, civilZone(timeZone), at)
  return { firstDay: first, endDay: end, dueAt: at, isMissed: false }
}
