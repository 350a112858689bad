import type { Project, ReportSchedule } from '@linewarden/contract'
import {
  insertReportSchedule,
  maxRecipients,
  removeReportSchedule,
  reportKindKeys,
  reportKinds,
  updateReportSchedule,
  zoneClock,
} from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { cronProblem, parseCron, periodBefore, reportPeriods, sendTimesAfter } from '@linewarden/rules/report'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import type { Form, Validate } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'
import { ScheduleRecipients } from './schedule-recipients.tsx'
import type { ScheduleValues } from './schedule-values.ts'
import { scheduleOf, scheduleStart, usualCrons } from './schedule-values.ts'

interface Account {
  readonly AccountID: string
  readonly Name: string
  readonly Address: string
}

interface Props {
  readonly house: Project
  /** Null: a new one. */
  readonly schedule: ReportSchedule | null
  readonly accounts: readonly Account[]
  readonly onClose: () => void
}

/** What is reported, when, and to whom; the next five times stand below the cron. */
export function ScheduleDialog({ house, schedule, accounts, onClose }: Props) {
  const { t } = useTranslation(['schedules', 'app'])
  const { projects } = useProjects([house.HouseID])
  const refs = useLineRefs(projects)
  const form = useForm<ScheduleValues>(scheduleStart(schedule, accounts), useValidate(house))
  const save = async () => {
    if (!form.check()) return ''
    const body = { HouseID: house.HouseID, ...scheduleOf(form.values, schedule, refs) }
    try {
      if (schedule) {
        const { ScheduleID, Version } = schedule
        await change(updateReportSchedule, { body: { ...body, ScheduleID, Version } })
      } else await change(insertReportSchedule, { body })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const gateways = [...new Map(refs.map(({ gateway }) => [gateway.DeviceID, gateway])).values()]
  const kind = reportKinds[form.values.Kind]
  const option = (value: string, label: string) => ({ value, label })
  return (
    <FormDialog title={t(schedule ? 'editTitle' : 'add')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        <TextField label={t('name')} maxLength={60} required autoFocus {...form.field('Name')} />
        <SelectField
          label={t('kind')}
          options={reportKindKeys.map((key) => option(key, localised(reportKinds[key].name)))}
          {...form.field('Kind')}
          onChange={(value) => form.set('Kind', reportKindKeys.find((key) => key === value) ?? 'energy')}
        />
        <SelectField
          label={t('scope')}
          options={[
            ...(kind.of === 'lines' ? [] : [option('', t('whole'))]),
            ...(kind.of === 'project' ? [] : gateways).map(({ DeviceID, GatewayName }) => option(String(DeviceID), GatewayName)),
          ]}
          placeholder={kind.of === 'lines' ? t('chooseGateway') : undefined}
          hint={kind.of === 'lines' ? t('linesHint') : undefined}
          {...form.field('DeviceID')}
          {...(kind.of === 'project' && { value: '' })}
        />
        <SelectField
          label={t('format')}
          options={kind.formats.map((each) => option(each, each.toUpperCase()))}
          {...form.field('Format')}
          onChange={(value) => form.set('Format', kind.formats.find((each) => each === value) ?? 'xlsx')}
        />
      </div>
      <WhenFields house={house} form={form} />
      <ScheduleRecipients accounts={accounts} most={maxRecipients} {...form.field('Recipients')} />
      <label className="check-line">
        <input
          type="checkbox"
          checked={form.values.Enabled}
          onChange={({ currentTarget: { checked } }) => form.set('Enabled', checked)}
        />
        {t('enabled')}
      </label>
    </FormDialog>
  )
}

function WhenFields({ house, form }: { house: Project; form: Form<ScheduleValues> }) {
  const { t } = useTranslation('schedules')
  const { Period, Cron } = form.values
  return (
    <>
      <div className="form-grid">
        <SelectField
          label={t('period')}
          options={reportPeriods.map((value) => ({ value, label: t(`periods.${value}`) }))}
          {...form.field('Period')}
          onChange={(value) => {
            const period = reportPeriods.find((each) => each === value) ?? 'month'
            form.set('Period', period)
            // What was usual for the former is usual no more.
            if (Object.values(usualCrons).includes(Cron)) form.set('Cron', usualCrons[period])
          }}
        />
        <TextField
          label={t('cron')}
          hint={t('cronHint', { zone: house.TimeZone })}
          maxLength={100}
          required
          {...form.field('Cron')}
        />
      </div>
      <NextTimes house={house} cron={Cron} period={Period} />
    </>
  )
}

const shownTimes = 5

function NextTimes({ house, cron, period }: { house: Project; cron: string; period: ScheduleValues['Period'] }) {
  const { t } = useTranslation('schedules')
  const lines = useMemo(() => {
    const [zone, clock, parsed] = [civilZone(house.TimeZone), zoneClock(house.TimeZone), parseCron(cron)]
    if (!parsed) return []
    return sendTimesAfter(parsed, zone, serverNow(), shownTimes).map((at) => {
      const { first, end } = periodBefore(period, zone, at)
      const of = end - first === 1 ? dateText(first) : `${dateText(first)} – ${dateText(end - 1)}`
      return { at: clock.text(at).slice(0, 16), of }
    })
  }, [house.TimeZone, cron, period])
  if (lines.length === 0) return null
  return (
    <section aria-label={t('next')}>
      <h3>{t('next')}</h3>
      <ul className="mute">
        {lines.map(({ at, of }) => (
          <li key={at}>{t('nextOf', { at, period: of })}</li>
        ))}
      </ul>
    </section>
  )
}

function useValidate(house: Project): Validate<ScheduleValues> {
  const { t } = useTranslation('schedules')
  return ({ Name, Kind, DeviceID, Cron, Period, Recipients }) => {
    const problem = cronProblem(Cron, Period, civilZone(house.TimeZone), serverNow())
    return {
      Name: Name.trim() === '' ? t('nameMissing') : null,
      DeviceID: reportKinds[Kind].of === 'lines' && DeviceID === '' ? t('gatewayMissing') : null,
      Cron: problem === null ? null : t(`cronProblems.${problem}`),
      Recipients:
        Recipients.length > 0 &&
        Recipients.every(({ AccountID, Address }) => AccountID !== '' || /^[^\s@]+@[^\s@]+$/.test(Address.trim()))
          ? null
          : t('recipientsMissing'),
    }
  }
}

/** Takes one out: nothing of it is sent any more. */
export function RemoveScheduleDialog({
  house,
  schedule,
  onClose,
}: {
  house: Project
  schedule: ReportSchedule
  onClose: () => void
}) {
  const { t } = useTranslation('schedules')
  const { ScheduleID, Version, Name } = schedule
  return (
    <ConfirmDialog
      title={t('removeTitle')}
      what={t('removeWhat', { name: Name })}
      submit={t('remove')}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await change(removeReportSchedule, { body: { HouseID: house.HouseID, ScheduleID, Version } })
          return null
        } catch (error) {
          return messageOf(error)
        }
      }}
    />
  )
}
