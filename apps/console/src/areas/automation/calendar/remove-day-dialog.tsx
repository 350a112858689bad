import type { CalendarDay } from '@linewarden/contract'
import { updateCalendar } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { change } from '../../../app/net/change.ts'
import { errorTextOf } from '../../../app/net/error-text.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

export function RemoveDayDialog({ house, day, onClose }: { house: number; day: CalendarDay; onClose: () => void }) {
  const { t } = useTranslation('dayCalendar')
  const remove = () => errorTextOf(change(updateCalendar, { body: { HouseID: house, Days: [{ Date: day.Date, Class: null }] } }))
  return (
    <ConfirmDialog
      title={t('remove', { date: day.Date })}
      what={t('removeWhat')}
      submit={t('removeDo')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
