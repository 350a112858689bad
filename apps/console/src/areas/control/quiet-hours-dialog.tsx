import type { Project, ProjectQuietHours, QuietHours } from '@linewarden/contract'
import { quietHours, setQuietHours } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { queryClient } from '../../app/net/query-client.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import { problemOf } from './problem-of.ts'
import { clockOf, minuteOf } from './quiet-text.ts'
import './safety.css'

interface Draft {
  readonly key: number
  readonly days: number
  readonly from: string
  readonly to: string
}

const maxWindows = 20
const workdays = 0b0011111

/** The quiet hours of a project: any number of windows of days and times. */
export function QuietHoursDialog({
  project,
  present,
  onClose,
}: {
  project: Pick<Project, 'HouseID' | 'Name' | 'TimeZone'>
  present: ProjectQuietHours
  onClose: () => void
}) {
  const { t } = useTranslation(['safety', 'app'])
  // As it was read for this form, whatever is read behind it.
  const [version] = useState(present.Version)
  const [drafts, setDrafts] = useState<readonly Draft[]>(() =>
    present.Windows.map(({ Days, FromMinute, ToMinute }, key) => ({
      key,
      days: Days,
      from: clockOf(FromMinute),
      to: clockOf(ToMinute),
    })),
  )
  const change = (at: number, more: Partial<Draft>) =>
    setDrafts(drafts.map((each, index) => (index === at ? { ...each, ...more } : each)))
  const add = () =>
    setDrafts([...drafts, { key: Math.max(-1, ...drafts.map(({ key }) => key)) + 1, days: workdays, from: '08:00', to: '18:00' }])

  const save = async (): Promise<string | null> => {
    const windows: QuietHours[] = []
    for (const [index, { days, from, to }] of drafts.entries()) {
      const [begin, end] = [minuteOf(from), minuteOf(to)]
      if (days === 0) return t('noDay', { number: index + 1 })
      if (begin === null || end === null) return t('noTime', { number: index + 1 })
      windows.push({ Days: days, FromMinute: begin, ToMinute: end })
    }
    try {
      const params = { HouseID: project.HouseID }
      const saved = await api.call(setQuietHours, { params, body: { Windows: windows, Version: version } })
      queryClient.setQueryData(keyOf(quietHours, { params }), saved)
      toast('info', t('quietSaved'))
      return null
    } catch (error) {
      return problemOf(error)
    }
  }
  return (
    <FormDialog title={t('quietTitle', { name: project.Name })} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <p>{t('quietWhat')}</p>
      {drafts.map((draft, index) => (
        <fieldset key={draft.key} className="quiet-window">
          <legend>{t('windowNumber', { number: index + 1 })}</legend>
          <Days value={draft.days} onChange={(days) => change(index, { days })} />
          <MomentField kind="clock" label={t('from')} value={draft.from} onChange={(from) => change(index, { from })} />
          <MomentField kind="clock" label={toLabel(draft)} value={draft.to} onChange={(to) => change(index, { to })} />
          <button
            type="button"
            className="btn quiet"
            aria-label={t('removeWindow', { number: index + 1 })}
            onClick={() => setDrafts(drafts.filter((_, at) => at !== index))}
          >
            <Icon name="trash" />
          </button>
        </fieldset>
      ))}
      {drafts.length === 0 && <p className="mute">{t('quietNone')}</p>}
      <button type="button" className="btn" disabled={drafts.length >= maxWindows} onClick={add}>
        <Icon name="plus" />
        {t('addWindow')}
      </button>
    </FormDialog>
  )

  /** An end that is not after the beginning lies on the next day, and says so. */
  function toLabel({ from, to }: Draft): string {
    const [begin, end] = [minuteOf(from), minuteOf(to)]
    return begin !== null && end !== null && end <= begin ? `${t('to')} (${t('nextDay')})` : t('to')
  }
}

function Days({ value, onChange }: { value: number; onChange: (days: number) => void }) {
  const { t } = useTranslation('safety')
  return (
    <div className="days" role="group" aria-label={t('daysOf')}>
      {t('dayNames')
        .split('|')
        .map((name, day) => (
          <button
            type="button"
            key={name}
            className="chip"
            aria-pressed={(value & (1 << day)) !== 0}
            onClick={() => onChange(value ^ (1 << day))}
          >
            {name}
          </button>
        ))}
    </div>
  )
}
