import { familyOf } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { dayTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import type { AlarmAddress } from './address.ts'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The list is that behind a figure of the statistics: which, and how often its events were counted. Nothing otherwise. */
export function CountedNote({
  address,
  change,
  times,
}: {
  address: AlarmAddress
  change: (to: Partial<AlarmAddress>) => void
  /** Null: not known yet. */
  times: number | null
}) {
  const { t } = useTranslation('alarmList')
  const { counted, days, hour, from, to, here, model } = address
  if (counted === null && !here && model === null) return null
  const hours = hour && {
    weekday: t(`weekdays.${weekdays[hour.weekday] ?? 'mon'}`),
    from: String(hour.hour).padStart(2, '0'),
    to: String(hour.hour + 1).padStart(2, '0'),
  }
  const parts = [
    counted && t(`countedAs.${counted}`),
    counted && days && (days.from === days.to || counted === 'longActive' ? days.from : `${days.from} – ${days.to}`),
    counted && from !== null && (to === null ? dayTime(from) : `${dayTime(from)} – ${dayTime(to)}`),
    hours && t('countedHour', hours),
    model && [localised(familyOf(model.family)?.label ?? { zh: model.family, en: model.family }), model.model].join(' '),
    here && t('countedHere'),
    counted && times !== null && t('countedTimes', { count: times }),
  ]
  return (
    <p className="counted-note">
      <span>
        {t('countedNote')} {parts.filter(Boolean).join(' · ')}
      </span>
      <button
        type="button"
        className="btn small quiet"
        onClick={() => change({ counted: null, days: null, hour: null, here: false, model: null })}
      >
        {t('countedClear')}
      </button>
    </p>
  )
}
