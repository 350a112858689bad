import type { askReportRecipient, Reply, Request } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import { hourMs, minuteMs } from '@linewarden/equipment'
import { afterAttempt } from '@linewarden/rules/report'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { Limits } from '../../lib/limits.ts'
import type { MailConfig } from '../../lib/mail-setting.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { appendAudit } from '../../store/audit/append.ts'
import type { Database } from '../../store/core/database.ts'
import { mailAccounts } from '../../store/report/recipient-account.ts'
import { markRecipient, noteAsked, recipientOfToken, recipientsWithTokens } from '../../store/report/schedule.ts'
import { letterBytes } from './mail/letter.ts'
import { leaveUrlOf } from './mail/links.ts'
import type { Smtp } from './mail/smtp.ts'
import { askLetter, testLetter } from './mail/words.ts'
import type { Schedules } from './schedules.ts'

type Sent = Reply<typeof askReportRecipient>

interface Deps {
  readonly database: Database
  readonly schedules: Pick<Schedules, 'scheduleOf'>
  readonly mail: MailConfig | null
  readonly smtp: Smtp | null
  readonly clock: () => number
}

/** So many mails somebody may have sent at once by the hand, and so many an hour from then on. */
const [burst, anHour] = [10, 20]
/** An address that has not answered is asked again after this, whoever asks. */
const askEveryMs = 10 * minuteMs

/** Mails that somebody has sent by the hand: to try the mail server, and to ask an address whether it agrees. */
export function createRecipients({ database, schedules, mail, smtp, clock }: Deps) {
  const limits = new Limits(burst, anHour / (hourMs / 1_000))
  return {
    async test(actor: Actor, project: PlantProject): Promise<Sent> {
      const account = (await mailAccounts(database.general, [actor.accountId])).get(actor.accountId)
      if (!mail || !smtp) throw new Refusal('mail not set up')
      if (!account || account.email === '') throw new Refusal('mail address missing')
      takeTurn(actor)
      const now = clock()
      await appendAudit(database.general, { ...entryOf(actor, project, 'mail.test'), target: account.email })
      const letter = testLetter(mail)
      return sent(account.email, { ...letter, leaveUrl: null, id: [`test ${now}`, account.email] })
    },

    async ask(actor: Actor, project: PlantProject, body: Request<typeof askReportRecipient>['body']): Promise<Sent> {
      const schedule = await schedules.scheduleOf(actor, project, body.ScheduleID)
      const rows = await recipientsWithTokens(database.general, schedule.schedule_id)
      const own = rows.find(({ recipient_id }) => recipient_id === body.RecipientID)
      if (!own?.address) throw new Refusal('report recipient not exists')
      if (own.agreed_at !== null && own.left_at === null) throw new Refusal('report recipient agreed')
      if (!mail || !smtp) throw new Refusal('mail not set up')
      takeTurn(actor)
      const now = clock()
      if (!(await noteAsked(database, own.recipient_id, now, askEveryMs))) throw new Refusal('mail too often')
      await appendAudit(database.general, { ...entryOf(actor, project, 'reportRecipient.ask'), target: own.address })
      const url = leaveUrlOf(mail, own.token)
      const letter = askLetter({ language: own.language, schedule: schedule.name, project: project.name, url })
      return sent(own.address, { ...letter, leaveUrl: url, id: [`ask ${now}`, `recipient ${own.recipient_id}`] })
    },

    /** Who a link is of; null: it leads nowhere. */
    ofToken: (token: string) => recipientOfToken(database.general, token),

    async mark(token: string, act: 'agree' | 'leave', address: string): Promise<boolean> {
      const found = await recipientOfToken(database.general, token)
      if (!found || (act === 'agree' && found.address === null)) return false
      const actor = { userName: `mail:${found.address ?? ''}`, address }
      await markRecipient(database, found.recipient_id, act, clock(), {
        ...by(actor, clock(), act === 'agree' ? 'reportRecipient.agree' : 'reportRecipient.leave', found.owner_id),
        ...{ subject: aboutNothing, target: `${found.project} · ${found.schedule}` },
      })
      return true
    },
  }

  function takeTurn(actor: Actor): void {
    if (!limits.take(actor.accountId, clock())) throw new Refusal('mail too often')
  }

  async function sent(to: string, letter: Omit<Parameters<typeof letterBytes>[1], 'to' | 'at' | 'file'>): Promise<Sent> {
    if (!mail || !smtp) throw new Refusal('mail not set up')
    const bytes = await letterBytes(mail, { ...letter, to, at: clock(), file: null })
    const attempted = await smtp.send({ to, bytes }, async () => true)
    return { State: afterAttempt(attempted, 1).state, Address: to, Answer: attempted.answer }
  }

  function entryOf(actor: Actor, project: PlantProject, action: 'mail.test' | 'reportRecipient.ask') {
    return { ...by(actor, clock(), action, project.ownerId), subject: aboutNothing }
  }
}

export type Recipients = ReturnType<typeof createRecipients>
