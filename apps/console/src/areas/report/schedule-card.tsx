import type { Project, ReportSchedule } from '@linewarden/contract'
import { askReportRecipient, downloadReport, reportKinds, runReport, zoneClock } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { ExportChoices } from '../../app/notify/export-menu.tsx'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { toast } from '../../app/notify/toasts.tsx'
import { language, localised } from '../../ui/i18n.ts'

interface Props {
  readonly house: Project
  readonly schedule: ReportSchedule
  readonly isSet: boolean
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** One scheduled report: what, when, to whom, and what can be done with it. */
export function ScheduleCard({ house, schedule, isSet, onEdit, onRemove }: Props) {
  const { t } = useTranslation('schedules')
  const { ScheduleID, Name, Kind, Period, Cron, Format, NextAt, Enabled } = schedule
  const target = { HouseID: house.HouseID, ScheduleID }
  const run = async () => {
    try {
      await change(runReport, { body: target })
      toast('info', t('isSent'))
    } catch (error) {
      toast('error', messageOf(error))
    }
  }
  const next = Enabled && NextAt !== null ? t('nextAt', { at: zoneClock(house.TimeZone).text(NextAt).slice(0, 16) }) : t('off')
  return (
    <li aria-label={Name}>
      <h3>{Name}</h3>
      <p className="mute">
        <span>{localised(reportKinds[Kind].name)}</span>
        <span>{t(`periods.${Period}`)}</span>
        <span>{Format.toUpperCase()}</span>
        <code>{Cron}</code>
      </p>
      <p>{next}</p>
      <Recipients house={house} schedule={schedule} isSet={isSet} />
      <div className="acts">
        <ReasonedButton className="btn small" reason={isSet ? null : t('noMail')} onClick={() => void run()}>
          {t('sendNow')}
        </ReasonedButton>
        <ExportChoices
          choices={[
            {
              label: t('lastPeriod', { format: Format.toUpperCase() }),
              ticket: () => api.call(downloadReport, { body: { ...target, Language: language() } }),
            },
          ]}
        />
        <button type="button" className="btn small" onClick={onEdit}>
          {t('edit')}
        </button>
        <button type="button" className="btn small quiet" onClick={onRemove}>
          {t('remove')}
        </button>
      </div>
    </li>
  )
}

function Recipients({ house, schedule, isSet }: Pick<Props, 'house' | 'schedule' | 'isSet'>) {
  const { t } = useTranslation('schedules')
  const ask = async (RecipientID: number) => {
    try {
      const body = { HouseID: house.HouseID, ScheduleID: schedule.ScheduleID, RecipientID }
      const { State, Address, Answer } = await change(askReportRecipient, { body })
      toast(State === 'sent' ? 'info' : 'error', t(`test.${State}`, { to: Address, answer: Answer }))
    } catch (error) {
      toast('error', messageOf(error))
    }
  }
  return (
    <ul className="schedule-recipients" aria-label={t('recipients')}>
      {schedule.Recipients.map(({ RecipientID, Name, Address, State }) => (
        <li key={RecipientID}>
          <span>{Name === null ? Address : `${Name} · ${Address ?? t('noAddress')}`}</span>
          {State !== 'account' && <span className="mute">{t(`states.${State}`)}</span>}
          {(State === 'asked' || State === 'left') && (
            <ReasonedButton className="btn small quiet" reason={isSet ? null : t('noMail')} onClick={() => void ask(RecipientID)}>
              {t('ask')}
            </ReasonedButton>
          )}
        </li>
      ))}
    </ul>
  )
}
