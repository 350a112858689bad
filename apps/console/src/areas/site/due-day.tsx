import type { DeviceRecord } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import './due-day.css'

/** As it is exported. */
export const dueText = (t: TFunction<['gateway', 'app']>, day: string | null, due: DeviceRecord['LifeDue']): string =>
  day === null ? '' : due === 'expired' || due === 'expiring' ? `${day} ${t(due)}` : day

/** The day until which something lasts; only one that is near or over stands out. */
export function DueDay({ day, due }: { day: string | null; due: DeviceRecord['LifeDue'] }) {
  const { t } = useTranslation('gateway')
  if (day === null) return <span>–</span>
  if (due !== 'expired' && due !== 'expiring') return <span className="due-day">{day}</span>
  return (
    <span className={`due-day ${due}`}>
      <Mark kind="warning" size={12} />
      {day}
      <b>{t(due)}</b>
    </span>
  )
}
